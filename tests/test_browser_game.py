"""`gtp-engine play --browser`: a game on the board, its engine's moves, its end."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from board_games import NEW, moves, play, settled, stones_of
from conftest import build_small_engine

from gtp_engine.engine.player.blunders import Blunder
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.levels.chooser import chooser_at
from gtp_engine.engine.player.ranks.pace import Pace
from gtp_engine.engine.player.textbook_chooser import TextbookChooser
from gtp_engine.go.points import BLACK, from_vertex, to_vertex
from gtp_engine.go.rule_names import rules_title
from gtp_engine.interfaces.browser.board import BrowserBoard
from gtp_engine.interfaces.browser.desk import BadRequest
from gtp_engine.interfaces.browser.page import networks
from gtp_engine.interfaces.person.kept_game import load as load_unfinished


@pytest.fixture(scope="module")
def engine() -> Engine:
    """One engine for all games, as it takes a while to build."""
    return build_small_engine()


@pytest.fixture
def board(engine: Engine, tmp_path: Path) -> Iterator[BrowserBoard]:
    """A game on 5x5; the person has Black."""
    engine.state.set_board_size(5)
    board = BrowserBoard(engine, {BLACK}, tmp_path / "kept" / "game.sgf", pytest.fail)
    yield board
    settled(board)  # or its thread would change the engine of the next test


def test_a_move_is_shown_then_answered(board: BrowserBoard) -> None:
    board.play.is_paused = True  # not the engine yet
    play(board, "b4")
    assert stones_of(board) == ".....\n.X...\n.....\n.....\n....."
    state = board.play.state()
    assert state["isEnginesTurn"] and not state["isThinking"]
    board.answer({"do": "pause", "paused": False})
    assert moves(board) == 2 or settled(board)["result"] == "B+R" or moves(board) == 2
    assert board.answer({"do": "undo"}) == {"node": 0, "note": "Taken back."}
    assert (moves(board), len(board.desk.tree.nodes)) == (0, 1)


def test_what_is_not_allowed_is_told_and_changes_nothing(board: BrowserBoard) -> None:
    board.play.is_paused = True
    play(board, "C3")
    assert play(board, "D4") == {"note": "It is not your turn."}
    board.answer({"do": "undo"})
    assert board.answer({"do": "undo"}) == {"note": "There is no move of yours to take back."}
    board.play.colors = {1, 2}
    play(board, "C3")
    assert play(board, "C3") == {"note": "Illegal: occupied point."}
    for vertex in ("F6", None):
        assert board.answer({"do": "play", "node": 0, "vertex": vertex}) == {"note": f"{vertex} is no point of this board."}
    assert moves(board) == 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"do": "castle"}, "there is no request 'castle'"),
        ({"do": "rank", "rank": "9d"}, "there is no rank '9d'"),
        ({"do": "play", "node": 99, "vertex": "A1"}, "there is no position 99"),
        ({"do": "play", "node": [0], "vertex": "A1"}, "there is no position"),
        ({"do": "continue", "node": 0, "color": "red", "rank": "none"}, "there is no color 'red'"),
        ({"do": "setup", "node": 0, "vertex": "A1", "stone": "red"}, "there is no stone 'red'"),
        ({"do": "mark", "node": 0, "vertex": "A1", "mark": "toolong"}, "there is no mark 'toolong'"),
        ({"do": "comment", "node": 0, "text": ["a"]}, "a comment is a text"),
        ({**NEW, "size": 12}, "there is no game on 12 lines"),
        ({**NEW, "size": [9]}, "there is no game on"),
        ({**NEW, "rules": "none"}, "by the rules 'none'"),
        ({**NEW, "color": "red"}, "there is no color 'red'"),
        ({**NEW, "color": {}}, "there is no color"),
        ({**NEW, "komi": "many"}, "'many' is no komi"),
        ({**NEW, "komi": float("nan")}, "nan is no komi"),
        ({**NEW, "handicap": 10}, "there is no handicap of 10 stones"),
        ({**NEW, "handicap": "two"}, "there is no handicap of 'two' stones"),
        ({**NEW, "handicap": 2.5}, "there is no handicap of 2.5 stones"),
        ({**NEW, "rank": None}, "there is no rank None"),
        ({**NEW, "clock": {"kind": "absolute", "main": -1}}, "there are no such clocks"),
        ({**NEW, "clock": {"kind": "hourglass", "main": 60}}, "there are no such clocks"),
        ({**NEW, "clock": {"kind": "byoyomi", "main": 0, "period": 0, "periods": 1}}, "there are no such clocks"),
        ({**NEW, "clock": "10 minutes"}, "there are no such clocks"),
    ],
)
def test_a_bad_request_is_refused_in_a_sentence(board: BrowserBoard, change: dict[str, Any], sentence: str) -> None:
    board.play.is_paused = True
    play(board, "C3")
    with pytest.raises(BadRequest, match=sentence.replace("(", r"\(")):
        board.answer(change)
    assert (moves(board), len(board.desk.tree.nodes)) == (1, 2)


def test_another_game_with_handicap_against_a_rank(board: BrowserBoard) -> None:
    new = {**NEW, "size": 13, "color": "white", "handicap": 4, "komi": 0.5, "rank": "12k", "rules": "aga"}
    assert board.answer(new) == {"node": 0}
    state, tree = board.state()["play"], board.state()["tree"]
    assert (tree["size"], tree["handicap"], tree["komi"], tree["rules"]) == (13, 4, 0.5, "aga")
    assert (state["rank"], state["person"], state["strength"]) == ("12k", "white", "at rank 12k")
    assert tree["nodes"][0]["toPlay"] == "white" and not state["isEnginesTurn"]
    assert sum(stone == BLACK for stone in board.play.tip.colors) == 4
    assert board.answer({"do": "rank", "rank": "none"}) == {"note": "The engine plays at full strength."}


def test_the_pace_that_was_chosen_is_told(engine: Engine) -> None:
    engine.pace = Pace()
    try:
        board = BrowserBoard(engine, {1, 2}, None, pytest.fail)
        assert board.state()["play"]["isPaced"]
        board.answer({**NEW, "color": "both", "pace": False})
        assert not settled(board)["isPaced"] and engine.pace is None
    finally:
        engine.pace = None


def test_a_level_stays_until_a_rank_is_chosen(engine: Engine) -> None:
    engine.set_chooser(chooser_at(4))
    board = BrowserBoard(engine, {1, 2}, None, pytest.fail)
    board.answer({**NEW, "color": "both"})
    assert board.play.state()["strength"] == "at level 4"
    for rank, strength in (("5k", "at rank 5k"), ("none", "at full strength")):
        board.answer({**NEW, "color": "both", "rank": rank})
        assert board.play.state()["strength"] == strength
    settled(board)


def test_a_player_from_the_textbook_has_no_ranks(engine: Engine) -> None:
    before = engine.chooser
    engine.set_chooser(TextbookChooser("random"))
    try:
        board = BrowserBoard(engine, {1, 2}, None, pytest.fail)
        board.answer({**NEW, "color": "both"})
        with pytest.raises(BadRequest, match="this player has no ranks"):
            board.answer({"do": "rank", "rank": "5k"})
    finally:
        engine.set_chooser(before)


def test_two_passes_count_the_game(board: BrowserBoard) -> None:
    board.play.colors = {1, 2}
    board.desk.tree.komi = 0.5
    for vertex in ("c3", "pass", "pass"):
        play(board, vertex)
    assert play(board, "a1") == {"note": "The game is over."}
    state = settled(board)
    assert (state["result"], state["outcome"]) == ("B+24.5", "Both passed. Black leads by 24.5, komi included.")
    assert state["ownership"] == [1.0] * 25
    assert play(board, "a1") == {"note": "The game is over."}


def test_giving_up(board: BrowserBoard) -> None:
    board.answer({"do": "resign"})
    state = board.play.state()
    assert (state["result"], state["ownership"]) == ("W+R", [])
    assert state["outcome"] == "Black resigns: White wins."


def test_a_game_goes_on_from_any_position(board: BrowserBoard) -> None:
    """The line that is left stays as a variation, and is no longer the main line."""
    board.play.colors = {1, 2}
    for vertex in ("c3", "d4", "pass", "pass"):
        play(board, vertex)
    first = board.desk.tree.path(board.play.tip)[1]
    board.answer({"do": "play", "node": first.number, "vertex": "b2"})
    assert board.play.state()["result"] == "" and moves(board) == 2
    assert [child.move and to_vertex(child.move[1]) for child in first.children] == ["B2", "D4"]
    board.answer({"do": "continue", "node": 0, "color": "white", "rank": "none"})
    settled(board)
    assert moves(board) == 1 and board.play.tip.move is not None and board.play.tip.move[0] == BLACK


def test_moves_beside_the_game_leave_it_alone(board: BrowserBoard) -> None:
    answer = board.answer({"do": "move", "node": 0, "vertex": "a1"})
    assert board.answer({"do": "move", "node": answer["node"], "vertex": "a1"}) == {"note": "Illegal: occupied point."}
    assert moves(board) == 0 and len(board.desk.tree.nodes) == 2
    assert board.answer({"do": "remove", "node": answer["node"]}) == {"node": 0}
    assert board.answer({"do": "remove", "node": 0})["note"].startswith("This move is part of the current game")


def test_a_blunder_is_told_before_the_engine_answers(board: BrowserBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "gtp_engine.interfaces.browser.play.find_blunder", lambda engine, point, cancelled: Blunder(12.34, from_vertex("c3", 5))
    )
    board.answer({"do": "warn", "warns": True})
    play(board, "a1")
    assert settled(board)["warning"] == {"vertex": "A1", "better": "C3", "loss": 12.3}
    assert play(board, "b1") == {"note": "Keep your move, or take it back."}
    board.answer({"do": "keep"})
    assert settled(board)["warning"] is None and moves(board) == 2


def test_who_has_no_time_left_has_lost(board: BrowserBoard) -> None:
    board.answer({**NEW, "clock": {"kind": "absolute", "main": 0.05}})
    board.answer({"do": "flag"})
    assert board.play.state()["result"] == ""
    time.sleep(0.06)
    board.answer({"do": "flag"})
    assert board.play.state()["result"] == "W+T" and board.play.state()["clock"]["black"]["main"] == 0.0


def test_another_network_can_analyze(board: BrowserBoard) -> None:
    name = networks()[-1]
    assert board.answer({"do": "network", "name": name}) == {} and board.state()["network"] == name
    with pytest.raises(BadRequest, match="there is no network"):
        board.answer({"do": "network", "name": "../" + name})
    assert Path(board.desk.params.network).name == name
    board.answer({"do": "network", "name": ""})
    assert board.desk.params.network == board.desk.engine.full_params.network


def test_a_look_is_told_to_the_pages(board: BrowserBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gtp_engine.interfaces.browser.analysis.LOOK_SECONDS", 0.05)
    events = board.watch()
    board.answer({"do": "look", "node": 0})
    found = next(event["found"][0] for event in iter(lambda: events.get(timeout=100), None) if "found" in event)
    assert found["candidates"] and len(found["ownership"]) == 25


def test_a_record_without_rules_is_not_read_by_those_of_the_one_before(board: BrowserBoard) -> None:
    usual = board.state()["tree"]
    board.open(b"(;SZ[5]RU[Japanese]KM[3.5];B[cc])")
    note = board.open(b"(;SZ[5];B[cc])")["note"]
    tree = board.state()["tree"]
    assert (tree["rules"], tree["komi"]) == (usual["rules"], usual["komi"]) != ("japanese", 3.5)
    assert note == f"The record has no komi: {tree['komi']:g} is used, with {rules_title(tree['rules'])} rules."


def test_the_analysis_is_ready_for_the_size_of_a_record_that_is_opened(board: BrowserBoard) -> None:
    board.open(b"(;SZ[7];B[cc])")
    analyst = board.analysis._analyst
    for _ in range(1000):
        if analyst._engine is not None and analyst._engine.game.size == 7:
            return
        time.sleep(0.05)
    raise AssertionError("it still waits for the first analysis")


def test_an_analysis_fills_in_the_rest_of_the_game(board: BrowserBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gtp_engine.interfaces.browser.analyst.FIRST_SECONDS", 0.0)
    board.open(b"(;SZ[5];B[cc];W[bb];B[dd])")
    nodes = board.desk.tree.nodes
    board.answer({"do": "analyze", "node": 2})
    for _ in range(1000):
        if all(node.findings for node in nodes.values()):
            break
        time.sleep(0.05)
    board.answer({"do": "analyze", "node": None})
    assert all(node.findings for node in nodes.values())


def test_the_game_is_kept_after_each_move_until_it_ends(board: BrowserBoard, tmp_path: Path) -> None:
    kept = tmp_path / "kept" / "game.sgf"
    board.play.is_paused = True
    board.answer({"do": "rank", "rank": "8k"})
    play(board, "C3")
    unfinished = load_unfinished(kept)
    assert unfinished is not None and (len(unfinished.game.moves), unfinished.rank, unfinished.colors) == (1, "8k", {BLACK})
    assert unfinished.as_text() == "a game of 1 move on 5x5 against rank 8k"
    board.answer({"do": "undo"})
    assert not kept.exists()
    board.answer({"do": "rank", "rank": "none"})
    settled(board)


def test_a_folder_that_cannot_be_written_is_told_once(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told: list[str] = []
    engine.state.set_board_size(5)
    board = BrowserBoard(engine, {1, 2}, tmp_path / "file" / "game.sgf", told.append)
    play(board, "C3")
    play(board, "D4")
    assert len(told) == 1 and told[0].startswith(f"The game cannot be saved in {tmp_path}/file/game.sgf: ")


def searched(engine: Engine) -> int:
    """The simulations of the engine's last move."""
    assert engine.last_result is not None
    return engine.last_result.simulations


def test_an_interrupt_that_comes_too_late_does_not_reach_the_next_move(engine: Engine) -> None:
    """As the second half of a double click on "Move now", or one while the game is being written."""
    engine.state.set_board_size(9)
    whole = engine.params.playouts
    board = BrowserBoard(engine, {BLACK}, None, pytest.fail)
    board.play.keep = lambda: board.answer({"do": "interrupt"})  # type: ignore[assignment, method-assign]
    for vertex in ("c3", "g7"):
        play(board, vertex)
        settled(board)
        assert searched(engine) >= whole
        board.answer({"do": "interrupt"})


def test_an_interrupt_reaches_a_move_that_still_waits(engine: Engine) -> None:
    """As it does at the start, when the kernels are being compiled."""
    engine.state.set_board_size(9)
    compiled = Event()
    board = BrowserBoard(engine, {BLACK}, None, pytest.fail)
    board.desk.thread.submit(compiled.wait)
    play(board, "c3")
    board.answer({"do": "interrupt"})
    compiled.set()
    settled(board)
    assert moves(board) == 2 and searched(engine) < engine.params.playouts


def test_another_game_can_begin_while_the_engine_thinks(engine: Engine) -> None:
    """Its move would take ten minutes, and comes to nothing."""
    engine.state.set_board_size(9)
    before = engine.params
    engine.set_params(replace(before, playouts=0, seconds=600.0))
    try:
        board = BrowserBoard(engine, {BLACK}, None, pytest.fail)
        play(board, "c3")
        board.answer({**NEW, "size": 13})
        settled(board)
        assert (moves(board), board.desk.tree.size) == (0, 13)
    finally:
        engine.set_params(before)
