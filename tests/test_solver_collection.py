"""The collection in sgf/: every position says what it is about and what is right, and what is right is what the solver proves."""

import re
from pathlib import Path

import pytest

from gtp_engine.engine.solver.problem import Problem, parse_sgf, read_bytes
from gtp_engine.engine.solver.question import Budget
from gtp_engine.engine.solver.report import Solution, solve
from gtp_engine.engine.solver.status import Report
from gtp_engine.go.points import BLACK, EMPTY, WHITE, to_color_name, to_vertex

ROOT = Path(__file__).resolve().parent.parent
TOPICS = ("life_and_death", "nakade", "seki", "ko", "semeai", "snapback", "net", "ladder")
NODES = 1_000_000
COMMENT = re.compile(r"(?P<idea>[^\n]+)\nExpected: (?P<expected>[^\n]+)\nChecked: (?P<checked>[^\n]+)\n*")


def files(*topics: str) -> list[Path]:
    """Every record of these topics."""
    return sorted(path for topic in topics for path in (ROOT / "sgf" / topic).glob("*.sgf"))


def name_of(path: Path) -> str:
    """`ko/bent_four_space`."""
    return f"{path.parent.name}/{path.stem}"


def read(path: Path) -> tuple[Problem, str]:
    """The position and what is expected of it."""
    problem = parse_sgf(read_bytes(path), path.name)
    match = COMMENT.fullmatch(problem.comment)
    assert match, problem.comment
    return problem, match["expected"]


def expectation(solution: Solution) -> str:
    """What a record says after `Expected:` when the solver finds this."""
    return "; ".join(
        [solution.status.value, *(f"{to_color_name(color)} first: {side(solution.report(color))}" for color in (BLACK, WHITE))]
    )


def side(report: Report | None) -> str:
    """`dead with A1 B2`."""
    assert report is not None
    return " with ".join([report.outcome.value, *([" ".join(map(to_vertex, report.moves))] if report.moves else [])])


LEAST = {"life_and_death": 30, "nakade": 8, "seki": 6, "ko": 6, "semeai": 10, "snapback": 4, "net": 4, "ladder": 4}


@pytest.mark.parametrize("topic", TOPICS)
def test_there_are_enough_positions(topic: str) -> None:
    assert len(files(topic)) >= LEAST[topic]


@pytest.mark.parametrize("path", files(*TOPICS), ids=name_of)
def test_every_record_names_idea_expectation_and_check(path: Path) -> None:
    problem, _ = read(path)
    assert problem.targets, "no stone is marked"
    assert all(problem.game.color_at(point) != EMPTY for point in problem.targets)
    text = path.read_text(encoding="utf-8")
    assert all(f"{name}[" in text for name in ("GM", "FF", "SZ", "CA", "RU", "KM", "PL"))


@pytest.mark.parametrize("path", files(*TOPICS), ids=name_of)
def test_what_is_expected_is_proved(path: Path) -> None:
    problem, expected = read(path)
    solution = solve(problem, (BLACK, WHITE), Budget(NODES))
    assert expectation(solution) == expected


@pytest.mark.parametrize("topic", TOPICS)
def test_every_record_is_in_the_suite_of_its_topic(topic: str) -> None:
    """And every answer there is what the record expects: a right first move, or the status of settled stones."""
    suite = (ROOT / "tests" / "gtp" / f"{topic}.tst").read_text(encoding="utf-8")
    blocks = suite.split("loadsgf ../../sgf/")[1:]
    assert [block.split()[0] for block in blocks] == [f"{topic}/{block.split()[0].split('/')[1]}" for block in blocks]
    assert {block.split()[0] for block in blocks} == {f"{topic}/{path.name}" for path in files(topic)}
    for block in blocks:
        _, expected = read(ROOT / "sgf" / block.split()[0])
        for letter, vertices in re.findall(r"^\d+ reg_genmove (\w)\n#\? \[([A-T0-9|]+)\]\*?$", block, re.MULTILINE):
            color = {"b": "black", "w": "white"}[letter]
            assert re.search(rf"{color} first: \w+ with {vertices.replace('|', ' ')}(;|$)", expected), block
