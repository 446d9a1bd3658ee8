"""What is killed, see kills.py: commands that leave something, and what must be there when they have finished."""

import importlib.util
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from soaks.tally import OURS

FAST = ["--evaluator", "playouts", "--playouts", "2", "--threads", "1"]
GAMES = 12
SELFPLAY_GAMES = 8
LEARNING = ["--threads", "1", "--device", "cpu", "--batch", "8"]
SHORT = ["--size", "7", "--games", str(SELFPLAY_GAMES), "--set", "full_visits=4", "--set", "fast_visits=2", "--set", "full_share=0.5"]
GATE = ["--gate-games", "4", "--gate-visits", "2"]


@dataclass(frozen=True)
class Work:
    """A command, and what must be there when it has finished."""

    words: Callable[[Path], list[str]]  # folder -> the words
    wrong: Callable[[Path], str]  # folder -> what is wrong with the results


def lay_out(folder: Path) -> None:
    """What the commands read."""
    (folder / "games").mkdir()
    for number in range(4):
        moves = "".join(f";{'BW'[i % 2]}[{'abcdefghi'[(i * 5 + number) % 9]}{'abcdefghi'[i * 2 % 9]}]" for i in range(8))
        (folder / "games" / f"{number}.sgf").write_text(f"(;SZ[9]KM[7.5]{moves})")
    (folder / "suite.tst").write_text("boardsize 9\n" + "".join(f"{i} genmove b\n#? [[A-J][1-9]]\nundo\n" for i in range(1, 20)))
    numbers = np.random.default_rng(1)
    moves_array = np.concatenate([numbers.choice(81, 20, replace=False) for _ in range(12)]).astype(np.uint8)
    winner, margin = np.ones(12, np.int8), np.full(12, -1.0, np.float16)
    np.savez(folder / "games.npz", moves=moves_array, lengths=np.full(12, 20, np.uint16), winner=winner, margin=margin)


def works_of() -> dict[str, Work]:
    """Every command that leaves something; those that learn only where torch is. A new one is one more entry here."""
    player = " ".join([*OURS, *FAST])
    games = ["--size", "5", "--games", str(GAMES), "--openings", "random:0", "--output", "out"]
    works = {
        "match": Work(lambda _: ["match", player, player, *games], wrong_with_match),
        "tune": Work(lambda _: ["tune", "exploration", "0.1", "0.2", "--playouts", "2", *games], wrong_with_match),
        "review": Work(lambda _: ["review", "games", "--output", "out", *FAST], wrong_with_review),
        "regress": Work(lambda _: ["regress", "suite.tst", "--output", "out", *FAST], wrong_with_regress),
        "problems": Work(lambda _: ["problems", "--count", "2", "--size", "9", "--output", "out"], wrong_with_problems),
        "move model": Work(
            lambda _: ["train", "move-model", "games.npz", "model.npz", "--held-out", "2", "--cache", "cache"], wrong_with_model
        ),
    }
    selfplay = ["train", "selfplay", "--folder", "run", *SHORT]
    works["self-play, games"] = Work(lambda _: [*selfplay, "--games-only"], wrong_with_selfplay)
    if importlib.util.find_spec("torch"):
        loop = [*selfplay, "--generations", "1", "--positions", "64", *LEARNING, *GATE]
        works["self-play"] = Work(lambda _: loop, wrong_with_loop)
        words = ["train", "imitation", "games.npz", "--new", "1x8", "--folder", "run", "--positions", "256", *LEARNING, "--cache", "cache"]
        works["imitation"] = Work(lambda _: words, wrong_with_training)
    return works


def wrong_with_match(folder: Path) -> str:
    """Every game once in the results, and its record."""
    lines = [json.loads(line) for line in (folder / "out" / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    numbers = sorted(line["number"] for line in lines if "number" in line)
    records = sorted(int(path.stem) for path in (folder / "out" / "games").glob("*.sgf"))
    wanted = list(range(GAMES))
    return "" if numbers == wanted and records == wanted else f"results of games {numbers}, records of {records}"


def wrong_with_review(folder: Path) -> str:
    """A whole review of each game."""
    for number in range(4):
        document = json.loads((folder / "out" / str(number) / f"{number}.json").read_text(encoding="utf-8"))
        if not document or not (folder / "out" / str(number) / f"{number}.html").read_text(encoding="utf-8").rstrip().endswith("</html>"):
            return f"game {number} is not whole"
    return ""


def wrong_with_regress(folder: Path) -> str:
    """Some result."""
    return "" if any((folder / "out").iterdir()) else "no results"


def wrong_with_problems(folder: Path) -> str:
    """As many records as were wanted, all readable."""
    from gtp_engine.sgf import load

    paths = sorted((folder / "out").rglob("*.sgf"))
    for path in paths:
        load(path)
    return "" if len(paths) == 2 else f"{len(paths)} problems"


def wrong_with_model(folder: Path) -> str:
    """A model that loads."""
    from gtp_engine.engine.move_model.model_file import load_model

    load_model(folder / "model.npz")
    return ""


def wrong_with_training(folder: Path) -> str:
    """A network, and a log without a gap or a repetition."""
    lines = [json.loads(line) for line in (folder / "run" / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    positions = [line["positions"] for line in lines]
    if not (folder / "run" / "network.bin.gz").exists() or positions[-1] != 256 or positions != sorted(positions):
        return f"positions learned: {positions}"
    return ""


def wrong_with_selfplay(folder: Path) -> str:
    """As many games as were wanted, with all that belongs to them."""
    from gtp_engine.learning.selfplay.files import read_games

    games = read_games(folder / "run" / "generation-001" / "games.npz")
    if len(games["lengths"]) != SELFPLAY_GAMES or games["lengths"].sum() != len(games["moves"]):
        return f"{len(games['lengths'])} games of {games['lengths'].sum()} moves, {len(games['moves'])} moves"
    lengths = {len(games["searched"]), len(games["root_values"]), len(games["visit_starts"]) - 1}
    whole = len(lengths) == 1 and games["visit_starts"][-1] == len(games["visit_moves"])
    return "" if whole else f"numbers of searches: {lengths}"


def wrong_with_loop(folder: Path) -> str:
    """The games, one line in the log, a network and a gate with every game once."""
    lines = [json.loads(line) for line in (folder / "run" / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    generation = folder / "run" / "generation-001"
    results = [json.loads(line) for line in (generation / "gate" / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    numbers = sorted(line["number"] for line in results if "number" in line)
    learned = [(line["generation"], line["learned"]["positions"]) for line in lines]
    if learned != [(1, 64)] or not (generation / "network-int8.kata.onnx").exists():
        return f"the log says {lines}"
    if numbers != list(range(len(numbers))):
        return f"games of the gate: {numbers}"
    return wrong_with_selfplay(folder)
