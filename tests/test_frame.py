"""Local problems in a frame: the fight stays as it was, all else is settled, and komi lets the fight decide."""

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Client, draw_game

from gtp_engine.cli.main import main
from gtp_engine.engine.search.result import SearchResult
from gtp_engine.engine.search.search import Limits
from gtp_engine.engine.solver.problem import Problem, parse_sgf
from gtp_engine.go.game import Game
from gtp_engine.go.life import safe_area
from gtp_engine.go.points import BLACK, EMPTY, WHITE, board_points, from_vertex
from gtp_engine.sgf import dump_problem
from gtp_engine.tools.problems.brought import Framed, FrameError, attacker_of, framed
from gtp_engine.tools.problems.even_komi import judge_engine, searched_komi
from gtp_engine.tools.regression.suite import read_suite

# Black to play lives with B1 or dies by it.
CORNER = """
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . O . . . . . . . . . .
    O O O O . . . . . . . . .
    X X X O . . . . . . . . .
    . . X O . . . . . . . . .
"""


def corner(color: int = BLACK, targets: tuple[str, ...] = ()) -> Problem:
    return Problem("corner", draw_game(CORNER, color), {from_vertex(name, 13) for name in targets}, set())


@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_the_fight_stays_and_all_else_lives(color: int) -> None:
    problem = corner(color)
    found = framed(problem)
    assert found.attacker == WHITE and found.game.to_play == color
    for point in found.inside:
        assert found.game.color_at(point) == problem.game.color_at(point)
    safe = safe_area(found.game, BLACK) | safe_area(found.game, WHITE)
    assert set(board_points(13)) <= safe | found.inside
    assert sum(found.game.color_at(point) == EMPTY for point in found.inside) > 10


def test_komi_lies_between_the_two_outcomes() -> None:
    """Counted with all of the fight as White's, Black loses; with the corner as Black's and the rest White's, it wins."""
    found = framed(corner())
    safe = {color: safe_area(found.game, color) - found.inside for color in (BLACK, WHITE)}
    outside = len(safe[BLACK]) - len(safe[WHITE])
    alive = 2 * len({from_vertex(name, 13) for name in ("A1", "B1", "C1", "A2", "B2", "C2")})
    assert outside - len(found.inside) < found.komi < outside - len(found.inside) + alive


def test_marks_tell_who_is_attacked() -> None:
    assert attacker_of(corner(targets=("D1",))) == BLACK
    assert attacker_of(corner(targets=("A2",))) == WHITE


def test_threats_are_answered_once() -> None:
    """Each side has a group in the other's area that lives, but only if it answers."""
    found = framed(corner(), margin=1, threats=1)
    safe = safe_area(found.game, BLACK) | safe_area(found.game, WHITE)
    open_points = [point for point in board_points(13) if point not in found.inside and point not in safe]
    stones = {color: [point for point in open_points if found.game.color_at(point) == color] for color in (BLACK, WHITE)}
    assert {color: len(points) for color, points in stones.items()} == {BLACK: 8, WHITE: 8}
    assert len([point for point in open_points if found.game.color_at(point) == EMPTY]) == 8


def test_no_room() -> None:
    with pytest.raises(FrameError, match="no room for a frame"):
        framed(corner(), margin=10)
    with pytest.raises(FrameError, match="no stone"):
        framed(Problem("empty", Game(9), set(), set()))


def test_the_same_seed_gives_the_same_frame() -> None:
    one, two, other = framed(corner()), framed(corner()), framed(corner(), seed=2)
    assert one.game.positions[0]["hash"] == two.game.positions[0]["hash"] != other.game.positions[0]["hash"]


# ---------------------------------------------------------------- the command


def write_problem(path: Path, answer: str = "") -> None:
    text = dump_problem(draw_game(CORNER, BLACK), 0.0, BLACK, [], "Black to live")
    path.write_text(text.rstrip()[:-1] + answer + ")")


def test_a_folder_becomes_records_and_a_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in" / "below").mkdir(parents=True)
    write_problem(tmp_path / "in" / "corner.sgf", ";B[bm]C[Correct]")
    write_problem(tmp_path / "in" / "below" / "corner.sgf")
    assert main(["frame", str(tmp_path / "in"), "--output", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out == f"2 framed problems in {tmp_path / 'out'}, 1 of them with right moves in the suite framed.tst\n"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["corner-2.sgf", "corner.sgf", "framed.tst"]
    assert "reg_genmove b\n#? [B1]" in (tmp_path / "out" / "framed.tst").read_text()
    read = parse_sgf((tmp_path / "out" / "corner.sgf").read_bytes(), "corner")
    assert read.game.to_play == BLACK and read.comment.startswith("Black to live")
    drawn = corner().game
    for color in (BLACK, WHITE):
        assert set(drawn.stones(color)) <= set(read.game.stones(color))


def test_what_cannot_be_framed_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.sgf").write_text("nothing")
    write_problem(tmp_path / "good.sgf")
    assert main(["frame", str(tmp_path / "bad.sgf"), str(tmp_path / "good.sgf"), "--output", str(tmp_path / "out")]) == 1
    caught = capsys.readouterr()
    assert caught.err.startswith(f"gtp-engine frame: {tmp_path / 'bad.sgf'}: ") and caught.err.count("\n") == 1
    assert "1 framed problem in" in caught.out and "the records name no correct moves" in caught.out
    assert main(["frame", str(tmp_path / "good.sgf"), "--output", str(tmp_path / "bad.sgf")]) == 2
    assert "name another folder with --output" in capsys.readouterr().err


def test_a_judge_begins_anew_with_each_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = judge_engine(13)
    examine, rates = engine.examine, list[float]()

    def noted(color: int, limits: Limits) -> SearchResult:
        """The search, its win rate noted."""
        result = examine(color, limits)
        rates.append(result.win_rate)
        return result

    monkeypatch.setattr(engine, "examine", noted)
    open_board = replace(framed(corner()), game=Game(13), komi=0.0)  # each search finds another win rate
    komis = [searched_komi(open_board, engine, Limits(50, early_stop=False)) for _ in range(2)]
    half = len(rates) // 2
    assert komis[0] == komis[1] and rates[:half] == rates[half:]


def test_ctrl_c_keeps_what_is_framed(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        write_problem(tmp_path / f"{name}.sgf", ";B[bm]C[Correct]")
    asked = []

    def interrupted(problem: Problem, *rest: int) -> Framed:
        """Ctrl-C during the second problem."""
        asked.append(problem)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return framed(problem, *rest)

    monkeypatch.setattr("gtp_engine.tools.problems.framer.framed", interrupted)
    files = [str(tmp_path / f"{name}.sgf") for name in ("one", "two")]
    assert main(["frame", *files, "--playouts", "0", "--output", str(tmp_path / "out")]) == 130
    said = "gtp-engine frame: stopped; 1 framed problem in"
    assert capsys.readouterr().err.startswith(said)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["framed.tst", "one.sgf"]
    assert (tmp_path / "out" / "framed.tst").read_text().count("#? [B1]") == 1


@pytest.mark.parametrize("files", [["mine/corner.sgf"], ["mine"], ["other/corner.sgf", "mine/corner.sgf"]])
def test_the_users_own_records_are_not_overwritten(
    files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("mine", "other"):
        Path(folder).mkdir()
        write_problem(Path(folder, "corner.sgf"))
    before = Path("mine/corner.sgf").read_text()
    assert main(["frame", *files, "--output", "./mine"]) == 2
    assert capsys.readouterr().err == "gtp-engine frame: mine/corner.sgf would be overwritten; name another folder with --output\n"
    assert Path("mine/corner.sgf").read_text() == before and len(list(Path("mine").iterdir())) == 1


def test_all_problems_of_a_file_are_framed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three records, of which the second is damaged."""
    path, out = tmp_path / "three.sgf", tmp_path / "out"
    write_problem(path, ";B[bm]C[Correct]")
    sound = path.read_text()
    path.write_text(f"{sound}(;SZ[13]AB[zz]){sound}")
    assert main(["frame", str(path), "--playouts", "0", "--output", str(out)]) == 1
    assert capsys.readouterr().err == f"gtp-engine frame: {path}:2: AB[zz] after move 0 is not a point of the 13x13 board\n"
    assert sorted(each.name for each in out.iterdir()) == ["framed.tst", "three-2.sgf", "three.sgf"]
    assert (out / "framed.tst").read_text().count("#? [B1]") == 2


def test_a_suite_can_name_every_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gtp: Client) -> None:
    """In GTP a space ends a word, and # begins a comment."""
    for name in ("Problem 12.sgf", "Problem#12.sgf", "Problem\t12.sgf"):
        write_problem(tmp_path / name, ";B[bm]C[Correct]")
    assert main(["frame", str(tmp_path), "--playouts", "0", "--output", str(tmp_path / "out")]) == 0
    monkeypatch.chdir(tmp_path / "out")
    loads = [step.command for step in read_suite(Path("framed.tst")).steps if step.record]
    assert loads == ["loadsgf Problem_12.sgf", "loadsgf Problem_12-2.sgf", "loadsgf Problem_12-3.sgf"]
    for command in loads:
        gtp.ok(command)
        assert gtp.ok("list_stones black")
