"""Mutated game records through all that reads them: loadsgf, review, solve, regress, train. A result or one sentence, in time and memory.

Sources are the records of sgf/ and tests/odd_sgf/, and trees that hypothesis makes up; some cases are large: long comments, deep nesting,
thousands of moves, megabytes.
"""

import contextlib
import io
import random
import re
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seed_of
from hypothesis import strategies as st

from soaks.tally import PATIENCE, REPOSITORY, Tally
from soaks.worker import apart, interrupted_after, try_cases

COUNT = 20_000
PIECES = [b"(", b")", b";", b"[", b"]", b"\\", b"B[zz]", b"AB[aa:ss]", b"SZ[3]", b"SZ[99]", b"\n", b"\xff", b"\x83]", b"W[ee]", b"AE[ee]"]
PIECES += [b"HA[9]", b"KM[nan]", b"RU[?]", b"CA[utf-16]", b"CA[x]", b"PL[W]", b"TR[aa]", b"RE[B+1e9]", b"\x00", b"\xfe\xff", b"", b"MN[-1]"]
INVENTED_SHARE = 0.2  # of the cases: trees that hypothesis makes up, properties of every kind in them
LARGE_EVERY = 400  # cases
LARGE_WAYS = 12
INTERRUPTED_AFTER = 7.0  # seconds of a processor, that a subcommand may take
COMMANDS_EVERY = 50  # cases: through whole subcommands, too
HOW_LONG = re.compile(r"the rest of them takes|: \d+ games")  # searches of a record, records of a collection
NO_PLAYOUTS = ["--playouts", "1", "--evaluator", "playouts", "--threads", "1"]


def run(count: int, seed: int) -> Tally:
    """Try `count` records."""
    tally = Tally()
    sources = [path.read_bytes() for folder in ("sgf", "tests/odd_sgf") for path in sorted((REPOSITORY / folder).rglob("*.sgf"))]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def judge(number: int) -> str:
            """See Judge."""
            dice = random.Random(seed * 1_000_003 + number)
            is_large, turn = number % LARGE_EVERY == 2, number // LARGE_EVERY
            data = large(dice, turn) if is_large else small(sources, dice)
            path = folder / "games" / "case.sgf"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
            wrong = wrong_with_readers(path, data)
            if not wrong and (is_large or number % COMMANDS_EVERY == 1):
                wrong = wrong_with_commands(path, folder, turn // LARGE_WAYS if is_large else number // COMMANDS_EVERY)
            if wrong:
                kept = Path(tempfile.gettempdir()) / f"soak-record-{seed}-{number}.sgf"
                kept.write_bytes(data)
                return f"{kept}: {wrong}"
            return ""

        apart(lambda: first_time(folder))
        try_cases(judge, count, tally, folder / "log")
    tally.notes.append(f"from {len(sources)} records; every {COMMANDS_EVERY}th through whole subcommands, every {LARGE_EVERY}th large")
    return tally


def first_time(folder: Path) -> str:
    """Each command once, which compiles."""
    path = folder / "games" / "case.sgf"
    path.parent.mkdir()
    path.write_bytes(b"(;SZ[9]KM[7.5];B[ee];W[cc];B[gg])")
    return "".join(wrong_with_commands(path, folder, turn, PATIENCE) for turn in range(4))


def small(sources: list[bytes], dice: random.Random) -> bytes:
    """A record that was damaged, or made up, or both."""
    data = invented(dice.randrange(2**32)) if dice.random() < INVENTED_SHARE else dice.choice(sources)
    return mutated(data, dice) if dice.random() < 0.9 else data


VALUES = st.one_of(
    st.sampled_from(["", "aa", "ee", "ss", "tt", "zz", "aa:cc", "9", "19", "1", "0", "-3", "1e400", "nan", "B+R", "Japanese", "B", "\\]"]),
    st.text(max_size=8),
)
PROPERTIES = st.tuples(
    st.sampled_from("B W AB AW AE PL C N SZ KM HA RU RE GM FF CA AP LB TR SQ MN XX".split()), st.lists(VALUES, min_size=1, max_size=3)
)
NODES = st.lists(PROPERTIES, max_size=4)
TREES = st.recursive(
    st.lists(NODES, max_size=6), lambda trees: st.tuples(st.lists(NODES, max_size=4), st.lists(trees, max_size=3)), max_leaves=8
)


def invented(number: int) -> bytes:
    """A record out of nothing, the same one for the same number."""
    found: list[object] = []

    @seed_of(number)
    @settings(max_examples=3, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(TREES)
    def keep(tree: object) -> None:
        found.append(tree)

    keep()
    return b"".join(written(tree).encode("utf-8", "replace") for tree in found[1:])


def written(tree: Any) -> str:
    """A tree as SGF; backslashes and brackets in its values are left as they are."""
    nodes, children = tree if isinstance(tree, tuple) else (tree, [])
    text = "".join(";" + "".join(name + "".join(f"[{value}]" for value in values) for name, values in node) for node in nodes)
    return f"({text}{''.join(written(child) for child in children)})"


def mutated(data: bytes, dice: random.Random) -> bytes:
    """Pieces cut out, put in, doubled; or in another encoding."""
    for _ in range(dice.choice((1, 1, 2, 3, 8))):
        place, length = dice.randrange(len(data) + 1), dice.choice((0, 0, 1, 3, 30))
        piece = dice.choice((*PIECES, data[place : place + 20], dice.randbytes(dice.randint(1, 6))))
        data = data[:place] + piece * dice.choice((1, 1, 1, 50)) + data[place + length :]
    if dice.random() < 0.05:
        data = data.decode("latin-1").encode(dice.choice(("utf-16", "utf-32", "utf-7", "utf-8-sig")), "replace")
    return data


def large(dice: random.Random, way: int) -> bytes:
    """A record that is too large in some way, one of twelve."""
    start = b"(;GM[1]FF[4]SZ[19]KM[6.5]"
    moves = b"".join(b";%s[%c%c]" % (b"BW"[i % 2 : i % 2 + 1], 97 + i // 19 % 19, 97 + i % 19) for i in range(361))
    ways = [
        start + b"C[" + b"x" * 1_000_000 + b"];B[aa])",
        start + b"(;B[aa]" * 100_000 + b")" * 100_001,
        start + b"(;B[aa])" * 100_000 + b")",
        start + b";B[tt];W[tt]" * 5_000 + b")",
        start + moves + b";B[];W[]" * 5_000 + b")",
        start + b"AB" + b"[aa]" * 1_000_000 + b")",
        start + b"C[" + dice.randbytes(10) * 5_000_000 + b"])",
        b"(" * 1_000_000,
        b"(;" + b"A" * 1_000_000,
        start + b";C[" + b"\\" * 1_000_001,
        start + b";B[dd]N[" + b"]\n[" * 300_000 + b"])",
        (start + b";B[dd])") * 20_000,
    ]
    return ways[way % LARGE_WAYS]


def wrong_with_readers(path: Path, data: bytes) -> str:
    """What is wrong with the functions behind the commands; "" for nothing."""
    from gtp_engine.engine.solver.problem import read_problems
    from gtp_engine.learning.training import TrainingError
    from gtp_engine.learning.training.games import read_records
    from gtp_engine.sgf import SgfError, load

    def refuse(text: str) -> None:
        """What cannot be read as a problem is said in a sentence."""
        raise SgfError(text)

    for name, act, refusal in (
        ("loadsgf", lambda: load(path), SgfError),
        ("solve", lambda: list(read_problems(data, path.name, refuse)), SgfError),
        ("train", lambda: read_records([path], 9, path.parent, lambda _: None), TrainingError),
    ):
        try:
            act()
        except refusal as error:
            text = str(error)
            if "\n" in text or len(text) > 400 or not text.isprintable():
                return f"{name} says {text[:300]!r}"
    return ""


def wrong_with_commands(path: Path, folder: Path, turn: int, seconds: float = INTERRUPTED_AFTER) -> str:
    """The same for a whole subcommand in this process, one of four. What takes longer is interrupted, and must have said how long."""
    from gtp_engine.cli.main import main

    suite = folder / "suite.tst"
    suite.write_text(f"loadsgf {path} 4\n1 showboard\n#? [.*]\n")
    commands = [
        ["review", str(path), "--quick", "--output", str(folder / f"review-{turn}"), *NO_PLAYOUTS],
        ["solve", str(path), "--nodes", "300", "--seconds", "1"],
        ["train", "move-model", str(path.parent), str(folder / "model.npz"), "--held-out", "1", "--cache", str(folder / "cache")],
        ["regress", str(suite), *NO_PLAYOUTS],
    ]
    words = commands[turn % len(commands)]
    errors, status = io.StringIO(), 0
    quiet = contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO())
    with quiet[0], quiet[1], contextlib.suppress(SystemExit), interrupted_after(seconds):
        status = main(words)
    said = errors.getvalue()
    if "Traceback" in said or (status == 130 and not HOW_LONG.search(said)):
        return f"{words[0]}: status {status}, {said[-600:]}"
    return ""
