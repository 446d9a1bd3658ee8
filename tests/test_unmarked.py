"""Problems without marks: what is asked, where, and what is made of it; and the moves that records call right."""

import _thread
import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from gtp_engine.cli.main import main
from gtp_engine.engine.solver.bits import DEFENDER
from gtp_engine.engine.solver.guess import Guesser, find_exterior
from gtp_engine.engine.solver.problem import Problem
from gtp_engine.engine.solver.question import Budget
from gtp_engine.engine.solver.status import Outcome
from gtp_engine.engine.solver.unmarked import Case, answer_move, ask_everything
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE, from_vertex, point_at, to_vertex
from gtp_engine.go.rules import JAPANESE
from gtp_engine.sgf.variations import right_moves
from gtp_engine.tools.problems.opinion import Opinion, Opinions

SIZE = 13
CORNER = """
    . . . X O
    X X X X O
    O O O O O
"""
ROOM = """
    . . . X O
    O O X X O
    X X X X O
    O O . O O
"""
OPEN = """
    . . . . . . .
    . X . O . X .
    . . X O . . .
    . X . . O O .
    . . O . X . .
"""
NET = """
    . . . . . .
    . . X X . .
    . X O . . .
    . X . . . .
    . . . . . .
"""


def corner_of(drawing: str, size: int = SIZE) -> Game:
    """An empty board with the drawing in its upper left corner."""
    game = Game(size, JAPANESE)
    stones = [
        (BLACK if sign == "X" else WHITE, point_at(size - down, across + 1))
        for down, row in enumerate(drawing.strip().splitlines())
        for across, sign in enumerate(row.split())
        if sign != "."
    ]
    game.set_up(stones, BLACK)
    return game


def record(drawing: str, rest: str = "", size: int = SIZE) -> str:
    """The same as a record."""
    game = corner_of(drawing, size)
    letters = "abcdefghijklmnopqrs"
    stones = {color: "".join(f"[{letters[p % 20 - 1]}{letters[size - p // 20]}]" for p in game.stones(color)) for color in (BLACK, WHITE)}
    return f"(;GM[1]FF[4]SZ[{size}]AB{stones[BLACK]}AW{stones[WHITE]}{rest})"


def test_the_exterior_is_the_wide_empty_part() -> None:
    game = corner_of(CORNER)
    exterior = find_exterior(game)
    assert from_vertex("F12", SIZE) in exterior
    assert not exterior & {from_vertex(name, SIZE) for name in ("A13", "B13", "C13")}
    assert all(game.color_at(point) == EMPTY for point in exterior)


def test_the_group_in_danger_is_asked_about() -> None:
    game = corner_of(CORNER)
    first = Guesser(game).guesses()[0]
    assert first.targets == set(game.stones(BLACK))
    assert first.attacker == WHITE
    assert sorted(map(to_vertex, first.regions[0])) == ["A13", "B13", "C13"]


@pytest.mark.parametrize(("color", "outcome"), [(BLACK, Outcome.LIVES), (WHITE, Outcome.DEAD)])
def test_either_color_may_play_first(color: int, outcome: Outcome) -> None:
    found = ask_everything(corner_of(CORNER), color, Budget(20_000))
    assert found is not None
    assert (found.report.outcome, to_vertex(found.report.line[0])) == (outcome, "B13")


def test_a_group_that_dies_either_way_is_proved_dead(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Black has one eye and no room for another."""
    record = tmp_path / "dead.sgf"
    record.write_text("(;SZ[9]PL[B]AB[ah][bh][ch][bi]AW[ag][bg][cg][dg][dh][di])")
    assert main(["solve", "--seconds", "300", str(record)]) == 0  # the proof ends it much sooner
    text = capsys.readouterr().out
    assert "black is dead" in text and "black first: dead" in text and "white first: dead" in text


def test_a_region_grows_until_a_stone_is_caught() -> None:
    found = ask_everything(corner_of(NET), BLACK, Budget(50_000))
    assert found is not None
    assert found.guess.attacker == BLACK
    assert found.report.outcome is Outcome.DEAD


def test_with_more_room_fewer_moves_are_right() -> None:
    """C10 takes three stones, which is enough only as long as A10 is no way out."""
    game = corner_of(ROOM)
    guess = Guesser(game).guesses()[0]
    moves = []
    for regions in (guess.regions[:1], guess.regions):
        case = Case(game, replace(guess, regions=regions), DEFENDER, Budget(20_000))
        case.search()
        assert case.unsettled is not None
        moves.append(sorted(map(to_vertex, case.unsettled.report.moves)))
    assert moves == [["A13", "B13", "C10"], ["B13"]]


def test_threads_find_the_same() -> None:
    game = corner_of(ROOM)
    answers = [ask_everything(game, BLACK, Budget(20_000), threads) for threads in (1, 3)]
    one, three = [(each.guess.targets, each.report.outcome, each.report.moves) for each in answers if each is not None]
    assert one == three


def test_the_network_is_asked_about_both_colors() -> None:
    """The shipped one; and the answer with it is the same."""
    game = corner_of(CORNER)
    told = Opinions(Problem("corner", game, set(), set())).first_moves()
    assert told.keys() == {BLACK, WHITE}
    for color, chances in told.items():
        assert chances.keys() == {*game.legal_points(color), PASS}
        assert sum(chances.values()) == pytest.approx(1.0)
    plain, ordered = (ask_everything(game, BLACK, Budget(20_000), first_moves=each) for each in (None, told))
    assert plain is not None and ordered is not None
    assert (plain.report.outcome, plain.report.moves) == (ordered.report.outcome, ordered.report.moves)
    assert ordered.solver.first_moves is told


def test_without_a_network_nothing_is_told() -> None:
    opinions = Opinions(Problem("corner", corner_of(CORNER), set(), set()))
    opinions.engine.set_params(replace(opinions.engine.params, network="missing.onnx"))
    assert opinions.first_moves() == {}


def test_all_threads_end_after_ctrl_c() -> None:
    """The key is pressed while the first question is searched, and the limits would allow for minutes."""

    is_left_to_press = threading.Lock()

    def interrupt(nodes: int) -> None:
        if nodes > 5_000 and is_left_to_press.acquire(blocking=False):
            _thread.interrupt_main()

    budget = Budget(10**8, progress=interrupt)
    with pytest.raises(KeyboardInterrupt):
        ask_everything(corner_of(OPEN), BLACK, budget, threads=2)
    assert budget.is_over()


def test_little_at_stake_is_left_to_the_search() -> None:
    """A proof about many stones is believed even when the search thinks of another move, one about two stones is not."""
    found = ask_everything(corner_of(CORNER), BLACK, Budget(20_000))
    assert found is not None
    move, other = from_vertex("B13", SIZE), from_vertex("C5", SIZE)
    assert answer_move(found, [other]) == move
    small = replace(found, guess=replace(found.guess, targets=frozenset(list(found.guess.targets)[:2])))
    assert answer_move(small, [other]) is None
    assert answer_move(small, [other, move]) == move
    assert answer_move(None, [move]) is None


def test_an_empty_board_asks_nothing() -> None:
    assert Guesser(Game(9, JAPANESE)).guesses() == []
    assert ask_everything(Game(9, JAPANESE), BLACK, Budget(1_000)) is None


def test_what_was_assumed_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "corner.sgf"
    path.write_text(record(CORNER))
    assert main(["solve", str(path), "--tries"]) == 0
    out = capsys.readouterr().out
    assert "corner.sgf: black is unsettled" in out
    assert "nothing is marked; assumed question: the status of black's 5 stones" in out
    assert "wrong for black: A13, refuted by B13" in out
    assert "the search, in a frame, also considers B13" in out


def test_a_search_that_thinks_otherwise_is_told() -> None:
    found = Opinion("x.sgf", "black", ["B13", "A13"], 0.8, "on this board", (point_at(13, 2),))
    assert found.beside_proof([point_at(13, 2)]) == "  the search, on this board, also considers B13"
    assert "would play B13 instead (win rate 80% on this board)" in found.beside_proof([point_at(13, 1)])


def test_a_position_without_a_question_has_an_opinion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "open.sgf"
    path.write_text("(;GM[1]FF[4]SZ[5]AB[cc];W[])")
    assert main(["solve", str(path), "--json", "--seconds", "0.2"]) == 1
    answer = json.loads(capsys.readouterr().out)[0]
    assert answer["status"] == "unproved"
    assert answer["line"][0] == answer["move"]


# ---------------------------------------------------------------- right moves


@pytest.mark.parametrize(
    ("rest", "names"),
    [
        ("(;B[ba];W[aa]C[Correct])(;B[aa];W[ba])", ["B13"]),
        ("(;B[ba]TE[1])(;B[aa])", ["B13"]),
        ("(;B[ba]C[RIGHT])(;B[aa](;W[ca]C[Incorrect])(;W[ba]C[That is not correct.]))", ["B13"]),
        (";C[Black lives](;B[ba];W[aa](;B[ca])(;B[da]C[Also correct]))(;B[ca]C[Correct!])", ["B13", "C13"]),
        ("(;B[ba];W[aa])(;B[aa];W[ba])", []),
        ("(;B[]C[Correct])", []),
    ],
)
def test_moves_that_a_record_calls_right(rest: str, names: list[str]) -> None:
    assert sorted(point_name(point) for point in right_moves(record(CORNER, rest))) == names


def point_name(point: int) -> str:
    """The vertex of a point."""
    return str(to_vertex(point))


def test_damage_has_no_right_moves() -> None:
    assert right_moves("(;B[ba]C[Correct]") == set()
    assert right_moves("hello") == set()


def test_all_problems_of_a_file_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "two.sgf").write_text(record(CORNER, "(;B[ba]C[Correct])(;B[aa])") + record(CORNER, "(;B[aa]C[Correct])"))
    assert main(["solve", "--check", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:3] for line in lines[:2]] == [["two.sgf:1", "proved", "right"], ["two.sgf:2", "proved", "wrong"]]
    assert lines[2].startswith("1 of 2 right")


def test_proved_moves_are_compared_with_right_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "good.sgf").write_text(record(CORNER, "(;B[ba]C[Correct])(;B[aa])"))
    (tmp_path / "bad.sgf").write_text(record(CORNER, "(;B[aa]C[Correct])"))
    (tmp_path / "silent.sgf").write_text(record(CORNER))
    assert main(["solve", "--check", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:4] == ["bad.sgf", "proved", "wrong", "B13"]
    assert lines[1].split()[:4] == ["good.sgf", "proved", "right", "B13"]
    assert lines[2] == "left out: silent.sgf: no variation in it is called right"
    assert lines[3].startswith("1 of 2 right")
