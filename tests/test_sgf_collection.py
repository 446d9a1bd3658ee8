"""The collection in sgf/: every record can be read, says what it shows, and is asked for by some suite in tests/gtp."""

import re
from pathlib import Path

import pytest
from sgfmill import sgf as sgfmill_sgf

from gtp_engine import sgf
from gtp_engine.go.points import BLACK, PASS, WHITE, row_and_column
from gtp_engine.tools.regression.suite import Suite, read_suite

ROOT = Path(__file__).resolve().parent.parent
RECORDS = sorted((ROOT / "sgf").rglob("*.sgf"))
SUITES = [read_suite(path) for path in sorted((ROOT / "tests" / "gtp").glob("*.tst"))]
CHECKERS = re.compile("exhaustive search|gtp-engine solve|a count by hand|GNU Go|Pachi|sgfmill")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", RECORDS, ids=name_of)
def test_a_record_is_read_alike_by_us_and_by_sgfmill(path: Path) -> None:
    record = sgf.load(path)
    theirs = sgfmill_sgf.Sgf_game.from_bytes(path.read_bytes())
    assert record.warnings == [] or "stones_left_out" in path.name
    assert (record.game.size, record.komi) == (theirs.get_size(), theirs.get_komi())
    assert record.rules is not None and theirs.get_charset() == "UTF-8"
    moves = [(color == BLACK, row_and_column(point)[::-1] if point != PASS else None) for color, point in record.game.moves]
    others = [node.get_move() for node in theirs.get_main_sequence()]
    assert moves == [(color == "b", move and (move[1] + 1, move[0] + 1)) for color, move in others if color]


@pytest.mark.parametrize("path", RECORDS, ids=name_of)
def test_a_record_says_what_it_shows(path: Path) -> None:
    comment = sgfmill_sgf.Sgf_game.from_bytes(path.read_bytes()).get_root().get("C")
    idea, *rest = comment.splitlines()
    assert len(idea) > 20 and idea.endswith(".")
    said = {line.partition(": ")[0]: line.partition(": ")[2] for line in rest}
    assert said["Expected"] and CHECKERS.search(said["Checked"])


def records_of(suite: Suite) -> list[Path]:
    """The records that a suite loads."""
    return [suite.path.parent / step.record.split()[0] for step in suite.steps if step.record]


def test_every_record_is_asked_for_by_a_suite() -> None:
    asked = {path.resolve() for suite in SUITES for path in records_of(suite)}
    assert len(RECORDS) >= 50
    assert sorted(map(name_of, RECORDS)) == sorted(map(name_of, asked))


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.path.stem)
def test_the_numbers_of_a_suite_are_unique_and_every_test_has_an_answer(suite: Suite) -> None:
    tests = [step for step in suite.steps if step.is_test]
    assert tests
    numbers = [step.number for step in tests]
    assert None not in numbers and len(set(numbers)) == len(numbers)
    assert all(step.expectation is not None for step in tests)


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.path.stem)
def test_what_a_suite_asks_for_is_legal_where_it_names_points(suite: Suite) -> None:
    """A position whose answer is occupied would be a slip of the pen."""
    record = None
    for step in suite.steps:
        if step.record:
            name, *number = step.record.split()
            record = sgf.load(suite.path.parent / name, int(number[0]) if number else None)
        expectation = step.expectation
        if record is None or expectation is None or not step.command.startswith("reg_genmove") or expectation.negated:
            continue
        color = BLACK if step.command.split()[1].startswith("b") else WHITE
        legal = {vertex(point) for point in record.game.legal_points(color)}
        points = set(re.findall(r"\b[A-HJ-T]1?\d\b", expectation.text))
        assert points <= legal, f"{step.number}: {points - legal}"


def vertex(point: int) -> str:
    row, column = row_and_column(point)
    return f"{'ABCDEFGHJKLMNOPQRST'[column - 1]}{row}"


def test_the_map_of_the_collection_names_every_topic() -> None:
    text = (ROOT / "sgf" / "README.md").read_text(encoding="utf-8")
    topics = sorted({path.parent.name for path in RECORDS})
    assert sorted(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == topics
