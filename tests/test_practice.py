"""Practice: the rating, what comes again, the book of mistakes, and exercises at the board."""

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from conftest import build_small_engine
from review_samples import drawn_review, fight_record

from gtp_engine.go.points import BLACK, to_vertex
from gtp_engine.interfaces.browser.board import BrowserBoard
from gtp_engine.interfaces.browser.desk import BadRequest
from gtp_engine.interfaces.browser.exercises import ProblemExercise
from gtp_engine.tools.practice.glicko import Glicko, after_game
from gtp_engine.tools.practice.maker import Maker
from gtp_engine.tools.practice.mistakes import keep_review
from gtp_engine.tools.practice.notebook import MISTAKE, PROBLEM, Notebook
from gtp_engine.tools.problems.natural import BookProblem
from gtp_engine.tools.review.development import tallies_of
from gtp_engine.tools.review.lessons import lessons_of

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TWO_PROBLEMS = (
    "(;SZ[9]PL[B]AB[ac][bc][cc][dc][ec][eb][ea]AW[ab][bb][cb][db][da]TR[ab])"
    "(;SZ[9]PL[W]AB[ac][bc][cc][dc][ec][eb][ea]AW[ab][bb][cb][db][da]TR[ab])"
)


def test_the_rating_is_that_of_the_paper() -> None:
    """Glickman's example has three games in one period; its first step alone is checked by the same formulas done by hand."""
    found = after_game(Glicko(1500.0, 200.0, 0.06), Glicko(1400.0, 30.0), 1.0)
    assert found.rating == pytest.approx(1563.6, abs=0.1) and found.deviation == pytest.approx(175.4, abs=0.1)
    assert found.volatility == pytest.approx(0.06, abs=1e-4)
    lost = after_game(Glicko(1500.0, 200.0, 0.06), Glicko(1400.0, 30.0), 0.0)
    assert lost.rating < 1500.0 < found.rating and 1500.0 - lost.rating > found.rating - 1500.0


def test_what_was_missed_comes_again_soon_and_what_was_found_later(tmp_path: Path) -> None:
    notebook = Notebook(tmp_path / "own" / "practice.json")
    with notebook.change() as notes:
        assert notes.add("a", PROBLEM, "(;)", {}, NOW) and notes.add("b", PROBLEM, "(;)", {}, NOW)
        assert not notes.add("a", PROBLEM, "(;)", {}, NOW)
        assert notes.due(PROBLEM, NOW) == ["a", "b"] and notes.due(MISTAKE, NOW) == []
    for day in range(4):
        with notebook.change() as notes:
            notes.answered("a", False, NOW + timedelta(days=day))
            notes.answered("b", True, NOW + timedelta(days=day))
    notes = notebook.read()
    assert notes.due(PROBLEM, NOW + timedelta(days=3, hours=1)) == ["a"]
    assert notes.due(PROBLEM, NOW + timedelta(days=365)) == ["a", "b"]
    assert oct(notebook.path.stat().st_mode)[-3:] == "600"


@pytest.mark.parametrize(
    "text", ["", "[]", '{"entries": {}}', '{"entries": {"a": {}}, "strength": {}, "solved": 0, "missed": 0}', "[" * 5000]
)
def test_a_damaged_notebook_is_an_empty_one(tmp_path: Path, text: str) -> None:
    notebook = Notebook(tmp_path / "practice.json")
    notebook.path.write_text(text)
    assert notebook.read().entries == {}
    with notebook.change() as notes:
        notes.rate(900.0, True)
    assert notebook.read().solved == 1


def test_the_book_of_mistakes_grows_with_every_review_and_holds_none_twice(tmp_path: Path) -> None:
    notebook = Notebook(tmp_path / "practice.json")
    lessons = lessons_of(drawn_review(fight_record("A1"), {1: ("E5", "F5")}))
    assert keep_review(notebook, lessons, {}, ["white"]) == 0
    assert keep_review(notebook, lessons, {}, ["black"]) == 1
    assert keep_review(notebook, lessons, {}, ["black", "white"]) == 0
    (entry,) = notebook.read().entries.values()
    assert entry.kind == MISTAKE and entry.facts["right"][0] == "E5" and entry.facts["played"] == "A1"


def test_progress_is_told_over_all_games_that_were_reviewed(board: BrowserBoard) -> None:
    def review(number: int, loss: float) -> None:
        rows = [{"color": "black", "vertex": f"A{number}", "phase": "opening", "loss": loss, "kind": "atari" if loss else ""}]
        document = {"size": 9, "date": f"2026-01-{number:02}", "moves": rows}
        tallies = {name: each.as_dict() for name, each in tallies_of(document, ["black", "white"]).items()}
        assert keep_review(board.practice.notebook, [], tallies, ["black"]) == 0

    for number in range(1, 6):
        review(number, 4.0)
    assert board.answer({"do": "progress"}) == {"games": 5, "fewest": 6, "progress": []}
    review(5, 0.0)  # the same game again
    review(6, 0.0)
    with board.practice.notebook.change() as notes:
        notes.games["damaged"] = {"date": "2026"}
    told = board.answer({"do": "progress"})
    assert told["games"] == 6
    rows = {row["title"]: row for row in told["progress"]}
    assert set(rows) == {"all moves", "opening", "ataris"}
    assert rows["ataris"]["loss"] == pytest.approx(16 / 6) and rows["ataris"]["low"] < 16 / 6 < rows["ataris"]["high"]


def test_problems_are_made_ahead() -> None:
    made: list[BookProblem] = []
    maker = Maker(seed=1)
    maker.want(900.0, made.append)
    wait(lambda: len(made) == 1 and maker.ready == 2)
    maker.want(900.0, made.append)
    assert len(made) == 2  # at once
    maker.want(1500.0, made.append)
    wait(lambda: len(made) == 3)
    assert made[2].rating > 1300.0


def wait(is_so: Any) -> None:
    """Until it is so."""
    end = time.monotonic() + 120
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.fixture
def board(tmp_path: Path) -> BrowserBoard:
    engine = build_small_engine()
    engine.state.set_board_size(7)
    return BrowserBoard(engine, {BLACK}, None, pytest.fail, tmp_path / "practice.json")


def shown(board: BrowserBoard) -> dict[str, Any]:
    """What the pages show, once it is there."""
    wait(lambda: board.practice.state() and board.practice.state()["tree"])  # type: ignore[index]
    state = board.practice.state()
    assert state is not None
    return state


def right_vertex(board: BrowserBoard) -> str:
    assert board.practice._shown is not None
    return to_vertex(board.practice._shown.exercise.right_move())


def solve(board: BrowserBoard) -> dict[str, Any]:
    while not shown(board)["isOver"]:
        assert board.answer({"do": "try", "vertex": right_vertex(board)}) == {}
    return shown(board)


def test_a_problem_is_solved_at_once(board: BrowserBoard) -> None:
    assert board.state()["practice"] is None
    board.answer({"do": "practice", "source": "problems"})
    before = shown(board)
    assert before["title"].endswith(".") and before["grade"] and before["rating"] == 1000
    after = solve(board)
    assert (after["verdict"], after["text"]) == ("solved", "Solved.")
    assert after["rating"] > 1000 and (after["solved"], after["missed"]) == (1, 0) and after["kept"] == {"problem": 0, "mistake": 0}
    assert board.answer({"do": "try", "vertex": "A1"}) == {"note": "There is no exercise under way."}


def test_a_wrong_try_is_refuted_and_the_problem_comes_again(board: BrowserBoard) -> None:
    board.answer({"do": "practice", "source": "problems"})
    start = shown(board)["tree"]
    exercise = board.practice._shown.exercise  # type: ignore[union-attr]
    assert isinstance(exercise, ProblemExercise)
    wrong = next(point for point in exercise.trial.solver.region.points if is_wrong(exercise, point))
    board.answer({"do": "try", "vertex": to_vertex(wrong)})
    state = shown(board)
    assert state["verdict"] == "wrong" and state["line"][0] == to_vertex(wrong) and state["rating"] < 1000
    assert (state["missed"], state["kept"]["problem"]) == (1, 1)
    solve(board)
    assert shown(board)["missed"] == 1  # once
    with board.practice.notebook.change() as notes:
        (entry,) = notes.entries.values()
        entry.card["due"] = NOW.isoformat()
    board.answer({"do": "practice"})
    again = shown(board)
    assert again["tree"]["nodes"][0]["changes"] == start["nodes"][0]["changes"]
    rating = again["rating"]
    assert solve(board)["rating"] == rating  # it was rated before


def is_wrong(exercise: ProblemExercise, point: int) -> bool:
    game = exercise.game
    return game.is_legal(game.to_play, point) and point not in exercise.trial.report.moves


def test_hint_and_solution(board: BrowserBoard) -> None:
    board.answer({"do": "practice"})
    shown(board)
    right = right_vertex(board)
    board.answer({"do": "hint"})
    assert len([mark for mark in shown(board)["tree"]["nodes"][0]["marks"] if mark[1] == "circle"]) == 3
    board.answer({"do": "solution"})
    state = shown(board)
    assert state["isOver"] and state["line"][0] == right and state["missed"] == 1


def test_a_collection_of_ones_own(board: BrowserBoard) -> None:
    with pytest.raises(BadRequest, match="no collection"):
        board.open_problems(b"nonsense")
    assert board.answer({"do": "practice", "source": "collection"}) == {"note": "Open a collection of problems first."}
    assert board.open_problems(TWO_PROBLEMS.encode()) == {"note": ""}
    state = shown(board)
    assert state["title"] == "Black to play: kill the marked stones." and state["count"] == [1, 2]
    board.answer({"do": "try", "vertex": "A9"})
    assert shown(board)["verdict"] == "wrong"
    board.answer({"do": "practice"})
    state = shown(board)
    assert state["title"] == "White to play: save the marked stones." and state["count"] == [2, 2]


def test_a_mistake_of_ones_own(board: BrowserBoard) -> None:
    assert keep_review(board.practice.notebook, lessons_of(drawn_review(fight_record("A1"), {1: ("E5", "F5")})), {}, ["black"]) == 1
    board.answer({"do": "practice", "source": "mistakes"})
    assert shown(board)["title"] == "Black to play. In game.sgf, move 1 was A1. Find a better one."
    board.answer({"do": "try", "vertex": "A1"})
    assert shown(board)["text"].startswith("That is what was played.")
    board.answer({"do": "try", "vertex": "E5"})
    assert shown(board)["text"] == "Solved. It will come back later."
    board.answer({"do": "practice"})
    assert board.practice.state()["text"].startswith("No mistake is due now.")  # type: ignore[index]
