"""Damaged files: networks, checkpoints, compact records, TOML, the move model. Each is used, or refused in a sentence.

Cut off at every percent, bits flipped, bytes overwritten; records also sound as files but with any numbers in them. No case may run code:
some hold a pickle that would leave a file.
"""

import importlib.util
import io
import lzma
import pickle
import random
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from soaks.tally import Tally
from soaks.worker import apart, try_cases

COUNT = 5_000
TOML = b'seed = 3\nplayouts = 40\nevaluator = "playouts"\nkomi = 6.5\nlog = "auto"\nresign = false\n'
TOURNAMENT = (
    b'size = 9\ngames = 4\nkomi = 7.5\nopenings = "random:2"\n[time]\nmain = 60.0\n'
    b'[[player]]\nname = "a"\ncommand = ["true"]\n[[player]]\nname = "b"\ncommand = "false --x"\n'
)

Use = Callable[[Path], str]  # a file -> the refusal, "" when it could be used


class Trap:
    """Its pickle leaves a file when it is loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def run(count: int, seed: int) -> Tally:
    """Try `count` files."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kinds = kinds_of(folder)
        trap = folder / "trapped"
        refused = apart(lambda: "".join(use_sound(folder / f"sound-{name}", content, use) for name, content, use in kinds))
        if refused:
            tally.fault(f"sound files are refused: {refused}")

        def judge(number: int) -> str:
            """See Judge."""
            dice = random.Random(seed * 1_000_003 + number)
            file_name, sound, use = kinds[number % len(kinds)]
            path = folder / f"case-{file_name}"
            path.write_bytes(damage(sound, file_name, number // len(kinds), dice, trap))
            refusal = use(path)
            if trap.exists():
                return f"{file_name}: code was run"
            return f"{file_name}: {refusal!r}" if "\n" in refusal.strip() or len(refusal) > 800 else ""

        try_cases(judge, count, tally, folder / "log")
    tally.notes.append("kinds: " + ", ".join(file_name for file_name, _, _ in kinds))
    return tally


def kinds_of(folder: Path) -> list[tuple[str, bytes, Use]]:
    """(name, sound content, use) of each kind of file."""
    from gtp_engine.engine.network.katago.conversion import convert_now

    models = Path(importlib.util.find_spec("gtp_engine").submodule_search_locations[0])  # type: ignore[union-attr,index]
    kinds: list[tuple[str, bytes, Use]] = [
        ("int8.kata.onnx", (models / "engine/network/models/b7c96-ranks-int8.kata.onnx").read_bytes(), use_network),
        ("f32.kata.onnx", convert_now(models / "engine/network/models/b7c96-ranks.bin.gz", in_int8=False), use_network),
        ("records.npz", records(random.Random(1)), use_records),
        ("records.npz.xz", lzma.compress(records(random.Random(2))), use_records),
        ("config.toml", TOML, use_config),
        ("match.toml", TOURNAMENT, use_tournament),
        ("move_model.npz", (models / "engine/move_model/strong_players.npz").read_bytes(), use_move_model),
    ]
    if importlib.util.find_spec("torch"):
        kinds.append(("checkpoint.pt", checkpoint(folder), use_checkpoint))
    return kinds


def use_sound(path: Path, content: bytes, use: Use) -> str:
    """What is said to a sound file: nothing."""
    path.write_bytes(content)
    return use(path)


def damage(sound: bytes, name: str, turn: int, dice: random.Random, trap: Path) -> bytes:
    """A file with something wrong; the first hundred turns cut it off at every percent."""
    if turn < 100:
        return sound[: len(sound) * turn // 100]
    way = dice.randrange(8)
    if way == 0 and name.startswith("records"):
        return lzma.compress(records(dice, wild=True)) if name.endswith("xz") else records(dice, wild=True)
    if way == 1 and not name.endswith((".toml", ".onnx")):
        return trapped(name, trap, dice)
    data = bytearray(sound)
    if way < 5:
        for _ in range(dice.choice((1, 1, 2, 8, 64))):
            place = dice.randrange(min(len(data), dice.choice((200, len(data)))))
            data[place] ^= 1 << dice.randrange(8)
    elif way == 5:
        place, length = dice.randrange(len(data)), dice.choice((1, 4, 100))
        data[place : place + length] = dice.randbytes(length)
    elif way == 6:
        place = dice.randrange(len(data))
        data[place : place + dice.randrange(1, 2000)] = b""
    else:
        other = dice.randrange(len(data))
        data[other:other] = data[: dice.randrange(1, 500)]
    return bytes(data)


def trapped(name: str, trap: Path, dice: random.Random) -> bytes:
    """A file of this kind with a pickle that runs code."""
    poison = pickle.dumps(Trap(trap), protocol=dice.choice((0, 2, 4)))
    if name.endswith(".pt"):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("archive/data.pkl", poison)
            archive.writestr("archive/version", "3")
        return dice.choice((file.getvalue(), poison))
    file = io.BytesIO()
    objects = np.array([Trap(trap)], dtype=object)
    np.savez(file, **{key: objects for key in ("moves", "lengths", "winner", "margin", "slots", "keys", "shapes", "others")})  # type: ignore[arg-type]
    data = dice.choice((file.getvalue(), poison))
    return lzma.compress(data) if name.endswith("xz") else data


def records(dice: random.Random, wild: bool = False) -> bytes:
    """A compact record file of a few games; `wild`: sound as a file, with anything in it."""
    numbers = np.random.default_rng(dice.randrange(2**32))
    count, length = 6, 20
    arrays: dict[str, np.ndarray] = {
        "moves": np.concatenate([numbers.choice(81, length, replace=False) for _ in range(count)]).astype(np.uint8),
        "lengths": np.full(count, length, np.uint16),
        "winner": np.ones(count, np.int8),
        "margin": np.full(count, -1.0, np.float16),
        "komi": np.full(count, 7.5, np.float16),
        "black_rank": np.full(count, 30, np.int8),
        "white_rank": np.full(count, 31, np.int8),
    }
    for name in dice.sample(sorted(arrays), dice.randint(1, 3) if wild else 0):
        arrays[name] = other_array(arrays[name], dice, numbers)
    if wild and dice.random() < 0.5:  # lengths that fit, and then reach anywhere
        cut = numbers.multinomial(len(np.atleast_1d(arrays["moves"])), np.ones(count) / count)
        arrays["lengths"] = cut.astype(dice.choice((np.uint16, np.int64)))
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def other_array(array: np.ndarray, dice: random.Random, numbers: np.random.Generator) -> np.ndarray:
    """An array that may stand where this one was."""
    others: list[np.ndarray] = [
        numbers.integers(-(2**40), 2**40, array.shape),
        numbers.integers(0, 2**16, array.shape).astype(array.dtype),
        array.astype(dice.choice(("f8", "u2", "i8", "U8", "c16"))),
        array.reshape(-1, 2),
        array[:-1],
        array[:0],
        np.array(3),
        np.full(array.shape, np.nan),
    ]
    return dice.choice(others)


def checkpoint(folder: Path) -> bytes:
    """A checkpoint of a tiny network that has learned nothing yet."""
    small_run(folder / "run").save()
    return (folder / "run" / "checkpoint.pt").read_bytes()


def small_run(folder: Path) -> Any:
    """A run of a tiny network in this folder; it goes on from the checkpoint there."""
    from gtp_engine.learning.training.katago.new_model import new_model, read_shape
    from gtp_engine.learning.training.katago.record_labels import RecordLabels
    from gtp_engine.learning.training.katago.run import KataRun
    from gtp_engine.learning.training.records import read_record_file
    from gtp_engine.learning.training.run import RunSettings
    from gtp_engine.learning.training.schedule import Schedule

    folder.mkdir(exist_ok=True)
    path = folder / "sound.npz"
    path.write_bytes(records(random.Random(3)))
    source = RecordLabels("games", read_record_file(path))
    return KataRun(folder, new_model(read_shape("1x8"), "1x8", 1), [source], RunSettings(Schedule(positions=8), 8), lambda _text: None)


def use_network(path: Path) -> str:
    """Open it and ask it."""
    from gtp_engine.engine.network.errors import NetworkError
    from gtp_engine.engine.network.loading import NetworkLoader
    from gtp_engine.engine.search.params import NETWORK, SearchParams

    try:
        NetworkLoader().evaluator(NETWORK, SearchParams(network=str(path), threads=1), 9)
    except NetworkError as error:
        return str(error)
    return ""


def use_records(path: Path) -> str:
    """Read games and draw positions from them, as training does."""
    from gtp_engine.learning.training import TrainingError
    from gtp_engine.learning.training.games import read_records
    from gtp_engine.learning.training.katago.batches import LabelMixture
    from gtp_engine.learning.training.katago.record_labels import RecordLabels

    try:
        found = read_records([path], None, path.parent / "cache", lambda _: None)
        LabelMixture([RecordLabels("games", found)], (), 8, 1).batch(0)
    except TrainingError as error:
        return str(error)
    return ""


def use_config(path: Path) -> str:
    """Read the settings."""
    from gtp_engine.engine.config.sources import ConfigError, Configuration

    try:
        Configuration().read_file(path)
    except ConfigError as error:
        return str(error)
    return ""


def use_tournament(path: Path) -> str:
    """Read the tournament."""
    from gtp_engine.tools.match.tournament import TournamentError
    from gtp_engine.tools.match.tournament_file import load_tournament

    try:
        load_tournament(path)
    except TournamentError as error:
        return str(error)
    return ""


def use_move_model(path: Path) -> str:
    """Load it; it comes with the package, and its exceptions are only named."""
    from gtp_engine.engine.move_model.model_file import load_model

    try:
        load_model(path)
    except Exception as error:
        return type(error).__name__
    return ""


def use_checkpoint(path: Path) -> str:
    """Go on from it."""
    from gtp_engine.learning.training import TrainingError

    folder = path.parent / "run"  # where `checkpoint` left what the run began with
    (folder / "checkpoint.pt").write_bytes(path.read_bytes())
    try:
        small_run(folder)
    except TrainingError as error:
        return str(error)
    return ""
