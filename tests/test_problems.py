"""Problems that are made: the same each time, proved a second time by another solver, and deciding on the whole board."""

import random
import re
from pathlib import Path

import pytest

from gtp_engine.base.jobs.job import JobResult
from gtp_engine.base.jobs.store import JobStore
from gtp_engine.cli.main import main
from gtp_engine.engine.solver.bits import ATTACKER
from gtp_engine.engine.solver.problem import parse_sgf
from gtp_engine.engine.solver.question import Budget
from gtp_engine.engine.solver.region import find_region
from gtp_engine.engine.solver.status import Solver
from gtp_engine.go.life import safe_area
from gtp_engine.go.points import BLACK, WHITE, board_points, from_vertex, opponent
from gtp_engine.sgf import load
from gtp_engine.tools.problems.collection import MadeProblem, attempt, make_problem, problem_texts
from gtp_engine.tools.problems.kinds import KINDS

pytestmark = pytest.mark.usefixtures("jobs_here")

QUICK = ("kill", "live", "nakade", "capture", "ladder")


@pytest.fixture(scope="module")
def problems() -> list[MadeProblem]:
    """A problem of each quick kind, on two boards."""
    return [make_problem(7, number, (9, 13), QUICK) for number in range(1, 11)]


def test_the_answers_are_proved_again_from_the_record(problems: list[MadeProblem]) -> None:
    for problem in problems:
        read = parse_sgf(problem.sgf().encode(), problem.name)
        region = find_region(read.game, read.targets, read.marked)
        solver = Solver(read.game, region, Budget())
        solver.solve()
        report = solver.reports[problem.solved.report.side]
        assert (report.outcome, sorted(report.moves)) == (problem.solved.report.outcome, sorted(problem.solved.report.moves)), problem.name
        assert read.game.to_play == problem.solved.color


def test_nothing_else_is_open_on_the_board(problems: list[MadeProblem]) -> None:
    """Outside the fight every stone is safe by Benson's test, and every empty point an eye of them."""
    for problem in problems:
        game, region = problem.solved.game, find_region(problem.solved.game, problem.solved.targets)
        safe = safe_area(game, BLACK) | safe_area(game, WHITE)
        assert set(board_points(game.size)) <= safe | set(region.points), problem.name
        assert not region.assumed


def test_komi_makes_it_decide(problems: list[MadeProblem]) -> None:
    """Played by the proof the side to play wins the count; where it passes first, it loses."""
    for problem in problems:
        solved = problem.solved
        if solved.report.side != ATTACKER:
            continue
        game = solved.game
        inside = set(find_region(game, solved.targets).points)
        outside = len(safe_area(game, BLACK) - inside) - len(safe_area(game, WHITE) - inside)
        sign = 1 if solved.color == BLACK else -1
        assert sign * (outside + sign * len(inside) - problem.komi) > 0, "the targets are taken"
        mine = sum(game.color_at(point) == solved.color for point in inside)
        theirs = sum(game.color_at(point) == opponent(solved.color) for point in inside)
        assert sign * (outside + sign * (mine - theirs) - problem.komi) < 0, "they are not"


def test_a_problem_depends_on_seed_and_number_alone(problems: list[MadeProblem]) -> None:
    again = make_problem(7, 3, (9, 13), QUICK)
    assert again.sgf() == problems[2].sgf() and again.test(30) == problems[2].test(30)
    assert make_problem(8, 3, (9, 13), QUICK).sgf() != again.sgf()
    assert len({problem.sgf() for problem in problems}) == len(problems)


def test_a_suite_is_written_that_regress_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["problems", "--seed", "7", "--count", "2", "--size", "9", "--kind", "nakade", "--kind", "live", "--output"]
    for folder in ("a", "b"):
        assert main([*arguments, str(tmp_path / folder)]) == 0
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "b").iterdir()) and len(names) == 3
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert "2 of 2" in capsys.readouterr().err
    suite = (tmp_path / "a" / "problems.tst").read_text()
    records, answers = re.findall(r"loadsgf (\S+)", suite), re.findall(r"#\? \[(\S+)\]", suite)
    assert len(records) == len(answers) == 2
    for record, answer in zip(records, answers, strict=True):
        game = load(tmp_path / "a" / record).game
        assert all(game.is_legal(game.to_play, from_vertex(vertex, 9)) for vertex in answer.split("|"))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--count", "0", "--output", "x"], "1 to 9999"),
        (["--kind", "nakad", "--output", "x"], "did you mean nakade"),
        (["--size", "10", "--output", "x"], "10"),
        ([], "--output"),
    ],
)
def test_wrong_arguments_are_refused(arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["problems", *arguments])
    assert stop.value.code == 2
    assert text in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["problems", "--output", str(tmp_path / "file"), "--count", "1"]) == 2
    assert "name another folder" in capsys.readouterr().err


def test_one_and_two_jobs_write_the_same_files(tmp_path: Path) -> None:
    """With two, the first command was killed while it wrote the second problem: the next one makes what is missing."""
    kinds = [word for kind in QUICK for word in ("--kind", kind)]
    arguments = ["problems", "--seed", "7", "--size", "9", *kinds]
    one, two = tmp_path / "one", tmp_path / "two"
    assert main([*arguments, "--count", "4", "--output", str(one)]) == 0
    store = JobStore(two / "problems.jobs", {"command": "problems", "lessons": True, "seed": 7, "sizes": [9], "kinds": list(QUICK)})
    first = problem_texts({"number": 1, "sizes": [9], "kinds": QUICK}, 7)
    store.append(JobResult("1", {**first, "test": first["test"] + "# kept\n"}))
    store.close()
    with (two / "problems.jobs").open("ab") as file:
        file.write(b'01234567 {"key": "2", "va')
    assert main([*arguments, "--count", "4", "--jobs", "2", "--output", str(two)]) == 0
    files = [{path.name: path.read_text() for path in folder.iterdir()} for folder in (one, two)]
    assert files[1]["problems.tst"].count("# kept\n") == 1  # the first one wasn't made again
    files[1]["problems.tst"] = files[1]["problems.tst"].replace("# kept\n", "")
    assert files[0] == files[1] and len(files[0]) == 5


def test_a_problem_that_could_not_be_made_is_told_and_made_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("gtp_engine.cli.problems.PROBLEM", "job_functions:second_problem_fails_once")
    arguments = ["problems", "--seed", "7", "--size", "9", "--kind", "live", "--count", "3", "--output", "made"]
    assert main(arguments) == 1
    said = capsys.readouterr().err
    assert "problem 2 could not be made: MemoryError: no memory this time" in said and "2 problems and the suite" in said
    assert sorted(path.name[:4] for path in Path("made").glob("*.sgf")) == ["0001", "0003"]
    assert Path("made/problems.jobs").exists()  # so that these two are not made again
    assert main(arguments) == 0
    assert sorted(path.name[:4] for path in Path("made").glob("*.sgf")) == ["0001", "0002", "0003"]
    assert not list(Path("made").glob("*.jobs"))


@pytest.mark.slow
def test_every_kind_is_found() -> None:
    """In a few hundred drawings on average."""
    for kind, (_, is_kind) in KINDS.items():
        rng = random.Random(0)
        found = next((each for _ in range(3_000) if (each := attempt(rng, kind, 9)) is not None), None)
        assert found is not None and is_kind(found[0]), kind
