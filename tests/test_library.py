"""`from gtp_engine import Engine`: what it gives, and one sentence for every wrong argument."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gtp_engine
from gtp_engine import Engine, PositionBatch, planes
from gtp_engine.engine.network.katago.inputs import OPPONENT, OWN, RECENT
from gtp_engine.engine.network.katago.model import PLANES

SMALL: dict[str, Any] = {"size": 5, "evaluator": "playouts", "visits": 50, "seed": 1, "threads": 1, "memory": 16, "resign": False}


@pytest.fixture
def engine() -> Engine:
    """A fast engine on 5x5."""
    return Engine(**SMALL)


# ---------------------------------------------------------------- the game


def test_the_board_is_an_array_with_the_top_row_first(engine: Engine) -> None:
    engine.play("B", "A5")
    engine.play("white", "e1")
    assert engine.board.dtype == np.int8
    expected = np.zeros((5, 5))
    expected[0, 0], expected[4, 4] = 1, -1
    assert (engine.board == expected).all()
    engine.board[:] = 9
    assert (engine.board == expected).all(), "it is a copy"
    assert engine.moves == [("B", "A5"), ("W", "E1")]
    assert (engine.size, engine.komi, engine.rules, engine.to_play) == (5, 7.5, "chinese", "B")
    assert repr(engine) == "<Engine 5x5, 2 moves, B to play>"


def test_moves_are_taken_back(engine: Engine) -> None:
    for vertex in ("C3", "C4", "pass"):
        engine.play(engine.to_play, vertex)
    engine.undo()
    assert engine.moves == [("B", "C3"), ("W", "C4")]
    engine.undo(2)
    assert not engine.board.any()
    engine.play("B", "C3")
    engine.clear()
    assert engine.moves == []


def test_positions_are_set_up(engine: Engine) -> None:
    engine.set_up(black=["A1", "B2"], white=["C3"], to_play="W")
    assert engine.board.sum() == 1
    assert engine.to_play == "W"
    assert "A1" not in engine.legal_moves() and "pass" in engine.legal_moves("B")


def test_records_come_and_go(engine: Engine, tmp_path: Path) -> None:
    for vertex in ("C3", "C4", "D3"):
        engine.play(engine.to_play, vertex)
    (tmp_path / "game.sgf").write_text(engine.sgf())
    other = Engine(**SMALL)
    other.load(tmp_path / "game.sgf")
    assert other.moves == engine.moves
    other.load(str(tmp_path / "game.sgf"), before_move=2)
    assert len(other.moves) == 1


# ---------------------------------------------------------------- the search


def test_genmove_plays_what_it_gives_back(engine: Engine) -> None:
    vertex = engine.genmove("B")
    assert engine.moves == [("B", vertex)]
    assert engine.genmove() in [move for _, move in engine.moves]
    assert [color for color, _ in engine.moves] == ["B", "W"]


def test_a_rank_plays() -> None:
    player = Engine(size=9, rank="12k", seed=1)
    assert [("B", player.genmove("B"))] == player.moves
    assert player._engine.chooser.rank == "12k"
    for rank, word in (("4d", "from 20k to 3d"), ("strong", "is not a rank")):
        with pytest.raises(ValueError, match=word):
            Engine(size=9, rank=rank)


def test_analysis(engine: Engine) -> None:
    found = engine.analyze()
    assert found.to_play == "B"
    assert found.visits == 50
    assert found.best.variation[0] == found.best.vertex
    assert sum(move.visits for move in found.moves) <= 50
    assert found.ownership.shape == (5, 5)
    assert 0.0 <= found.win_rate <= 1.0
    assert engine.moves == []
    assert engine.analyze(visits=200).visits == 200
    assert engine.analyze("W", seconds=0.05).to_play == "W"


def test_ownership_has_the_boards_signs(engine: Engine) -> None:
    black = [f"{letter}{row}" for letter in "ABCDE" for row in (4, 5) if f"{letter}{row}" not in ("A5", "E5")]
    white = [f"{letter}{row}" for letter in "ABCDE" for row in (1, 2) if f"{letter}{row}" not in ("A1", "E1")]
    for to_play in "BW":
        engine.set_up(black, white, to_play)
        ownership = engine.analyze().ownership
        assert ownership[:2].min() > 0.8 and ownership[3:].max() < -0.8
    assert engine.score() == pytest.approx(-7.5, abs=5.1)
    assert {"A4", "B5"} <= set(engine.status("alive"))


def test_planes_are_what_a_network_sees(engine: Engine) -> None:
    engine.play("B", "A5")
    engine.play("W", "B5")
    seen = planes(engine)
    assert seen.dtype == np.float32 and seen.shape == (PLANES, 5, 5)
    assert (seen[OWN] == (engine.board == 1)).all() and (seen[OPPONENT] == (engine.board == -1)).all()
    assert np.argwhere(seen[RECENT]).tolist() == [[0, 1]] and np.argwhere(seen[RECENT + 1]).tolist() == [[0, 0]], "row 0 is the top"
    assert (engine.planes() == seen).all()


# ---------------------------------------------------------------- wrong arguments

WRONG: list[tuple[str, Callable[[Engine], Any]]] = [
    ("size", lambda engine: Engine(size=20)),
    ("size", lambda engine: Engine(size="9")),  # type: ignore[arg-type]
    ("komi", lambda engine: Engine(komi="7.5")),  # type: ignore[arg-type]
    ("komi", lambda engine: Engine(komi=float("nan"))),
    ("komi", lambda engine: Engine(komi=10**400)),
    ("seconds", lambda engine: Engine(seconds=10**400)),
    ("visits", lambda engine: Engine(visits=10**400)),
    ("memory", lambda engine: Engine(memory=10**400)),
    ("finite", lambda engine: Engine(exploration=10**400)),
    ("rules", lambda engine: Engine(rules="mine")),
    ("rules", lambda engine: Engine(rules=None)),  # type: ignore[arg-type]
    ("visits", lambda engine: Engine(visits=0)),
    ("visits", lambda engine: Engine(visits=1.5)),  # type: ignore[arg-type]
    ("seconds", lambda engine: Engine(seconds=-1)),
    ("not both", lambda engine: Engine(seconds=1, visits=1)),
    ("evaluator", lambda engine: Engine(evaluator="guess")),
    ("batch", lambda engine: Engine(evaluator=even, batch=0)),
    ("unknown parameter sed; did you mean seed", lambda engine: Engine(sed=1)),
    ("unknown parameter playouts; did you mean", lambda engine: Engine(playouts=1)),
    ("seed", lambda engine: Engine(seed="1")),
    ("memory", lambda engine: Engine(memory=1)),
    ("color", lambda engine: engine.play("X", "C3")),
    ("color", lambda engine: engine.play(1, "C3")),  # type: ignore[arg-type]
    ("vertex", lambda engine: engine.play("B", "F6")),
    ("vertex", lambda engine: engine.play("B", 63)),  # type: ignore[arg-type]
    ("occupied", lambda engine: engine.play("W", "A1")),
    ("take back", lambda engine: engine.undo(2)),
    ("take back", lambda engine: engine.undo(-1)),
    ("color", lambda engine: engine.genmove("green")),
    ("color", lambda engine: engine.analyze("green")),
    ("visits", lambda engine: engine.analyze(visits=-1)),
    ("seconds", lambda engine: engine.analyze(seconds="soon")),  # type: ignore[arg-type]
    ("no liberties", lambda engine: engine.set_up(["A1"], ["A2", "B1"])),
    ("repeated", lambda engine: engine.set_up(["A1", "A1"])),
    ("pass", lambda engine: engine.set_up(["pass"])),
    ("missing.sgf", lambda engine: engine.load("missing.sgf")),
    ("status", lambda engine: engine.status("healthy")),
]


@pytest.mark.parametrize(("word", "call"), WRONG)
def test_wrong_arguments_are_a_value_error_of_one_line(engine: Engine, word: str, call: Callable[[Engine], Any]) -> None:
    engine.play("B", "A1")
    before = engine.board
    with pytest.raises(ValueError, match=word) as error:
        call(engine)
    assert "\n" not in str(error.value)
    assert (engine.board == before).all() and len(engine.moves) == 1


def test_superko_is_obeyed() -> None:
    """Black's last move would take three stones and bring the board back that stood there after the first move."""
    engine = Engine(**SMALL | {"size": 2})
    for vertex in ("A1", "B2", "B1", "A2", "A1", "B1"):
        engine.play(engine.to_play, vertex)
    assert engine.legal_moves() == ["pass"]
    with pytest.raises(ValueError, match="B A1 is illegal: superko"):
        engine.play("B", "A1")


# ---------------------------------------------------------------- an evaluator of one's own


def even(batch: PositionBatch) -> tuple[np.ndarray, np.ndarray]:
    """Knows nothing."""
    return np.zeros((len(batch), batch.size**2 + 1)), np.full(len(batch), 0.5)


def test_a_function_evaluates_positions() -> None:
    """It likes one point, and sees positions from the side of the player to move."""
    batches: list[PositionBatch] = []

    def likes_the_center(batch: PositionBatch) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        batches.append(batch)
        policy, win = even(batch)
        policy[:, 12] = 5.0
        return policy, win, np.full(len(batch), 3.0)

    engine = Engine(**SMALL | {"evaluator": likes_the_center, "komi": 6.0}, batch=4)
    found = engine.analyze()
    assert found.best.vertex == "C3"
    assert found.best.prior > 0.5
    assert max(len(batch) for batch in batches) == 4
    first = batches[0]
    assert (first.to_play[0], first.komi[0], first.last_moves[0], first.ko[0]) == (1, -6.0, -1, -1)
    assert not first.boards.any()
    after = next(batch for batch in batches if (batch.last_moves == 12).any())
    row = int(np.flatnonzero(after.last_moves == 12)[0])
    assert after.boards[row, 2, 2] == -1, "the opponent's stone"
    assert (after.to_play[row], after.komi[row]) == (-1, 6.0)
    assert {batch.boards.shape[1:] for batch in batches} == {(5, 5)}


def test_a_function_may_look_at_the_networks_planes() -> None:
    def by_planes(batch: PositionBatch) -> tuple[np.ndarray, np.ndarray]:
        assert batch.planes.shape == (len(batch), PLANES, 5, 5)
        assert (batch.planes[:, OWN] == (batch.boards == 1)).all()
        assert (batch.planes[:, OPPONENT] == (batch.boards == -1)).all()
        return even(batch)

    engine = Engine(**SMALL | {"evaluator": by_planes})
    engine.play("B", "C3")
    assert engine.analyze().visits >= 50


def test_a_win_is_searched_for() -> None:
    """Positions with a black stone on A1 are won for Black: the search finds the move, although the policy knows nothing."""

    def wants_the_corner(batch: PositionBatch) -> tuple[np.ndarray, np.ndarray]:
        is_there = batch.boards[:, 4, 0] * batch.to_play == 1
        return even(batch)[0], np.where(is_there == (batch.to_play == 1), 0.95, 0.05)

    engine = Engine(**SMALL | {"evaluator": wants_the_corner, "visits": 300})
    assert engine.analyze("B").best.vertex == "A1"


def test_the_same_engine_on_another_komi_asks_again() -> None:
    seen: list[float] = []

    def note(batch: PositionBatch) -> tuple[np.ndarray, np.ndarray]:
        seen.extend(batch.komi.tolist())
        return even(batch)

    engine = Engine(**SMALL | {"evaluator": note})
    engine.analyze()
    engine._engine.state.komi = 0.5
    engine.analyze()
    assert set(np.abs(seen)) == {7.5, 0.5}


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        (lambda batch: None, "must return"),
        (lambda batch: (np.zeros((len(batch), 25)), np.zeros(len(batch))), "policy must have the shape"),
        (lambda batch: (np.zeros((len(batch), 26)), 0.5), "win must have the shape"),
        (lambda batch: (np.full((len(batch), 26), np.nan), np.zeros(len(batch))), "finite"),
        (lambda batch: (np.zeros((len(batch), 26)), np.full(len(batch), 2.0)), "from 0 to 1"),
    ],
)
def test_wrong_answers_of_a_function_are_a_value_error(answer: Callable[[PositionBatch], Any], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        Engine(**SMALL | {"evaluator": answer}).analyze()


# ---------------------------------------------------------------- the package


def test_the_package_is_imported_without_numba(repository: Path) -> None:
    code = "import gtp_engine, sys; print({'numpy', 'numba'} & set(sys.modules)); gtp_engine.Engine; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=repository)
    assert done.stdout == "set()\nTrue\n", done.stderr


def test_what_the_package_offers() -> None:
    for name in gtp_engine.__all__:
        assert getattr(gtp_engine, name)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = gtp_engine.nonsense


def test_every_public_method_is_in_the_page(repository: Path) -> None:
    page = (repository / "docs" / "api.md").read_text(encoding="utf-8")
    names = [name for name in vars(Engine) if not name.startswith("_")]
    assert len(names) > 15
    assert [name for name in names if f"`{name}" not in page and f".{name}" not in page] == []
