"""The move model: shapes that all symmetries share, marks for chains, fitting, its file, and what it does to the search."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from kernels_model import features, shape_keys, strengths

from gtp_engine.cli.main import main
from gtp_engine.engine.move_model.model import ATARI, CAPTURE, ESCAPE, EXTEND, LADDER, LOST_ESCAPE, MARK, MODEL, SAVE, SLOTS
from gtp_engine.engine.move_model.model_file import MODEL_FILE, load_model, save_model
from gtp_engine.engine.move_model.shapes import RING_DISTANCES, SIZES, distance_of
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, WHITE, board_points, to_vertex
from gtp_engine.learning.training.move_model import Fit, Learner

Diagram = Callable[..., Game]
Marks = Callable[[str], dict[str, int]]

CORNER = """
. . . . . . .
. . X . . O .
. O a X . . .
. O O X . . .
. . . O X . .
X . . . O . .
. . . . . . .
"""


def rows_of(drawing: str) -> list[list[str]]:
    """The symbols of a drawing."""
    return [line.split() for line in drawing.split("\n") if line]


def text_of(rows: list[list[str]]) -> str:
    """The drawing of the symbols."""
    return "\n".join(" ".join(row) for row in rows)


def symmetric_drawings(drawing: str) -> list[str]:
    """The drawing turned and mirrored in all eight ways."""
    rows = rows_of(drawing)
    found = []
    for _ in range(4):
        rows = [list(row) for row in zip(*reversed(rows), strict=True)]
        found += [text_of(rows), text_of([row[::-1] for row in rows])]
    return found


# ---------------------------------------------------------------- shapes


def test_a_shape_has_one_key_in_all_symmetries(diagram: Diagram, marks: Marks) -> None:
    drawings = symmetric_drawings(CORNER)
    assert len(set(drawings)) == 8
    keys = [shape_keys(diagram(drawing).positions, marks(drawing)["a"]) for drawing in drawings]
    assert all(found == keys[0] for found in keys)


def test_a_shape_is_seen_by_the_player_to_move(diagram: Diagram, marks: Marks) -> None:
    swapped = CORNER.translate(str.maketrans("XO", "OX"))
    point = marks(CORNER)["a"]
    assert shape_keys(diagram(CORNER, BLACK).positions, point) == shape_keys(diagram(swapped, WHITE).positions, point)
    assert shape_keys(diagram(CORNER, BLACK).positions, point) != shape_keys(diagram(CORNER, WHITE).positions, point)


@pytest.mark.parametrize(("row", "column"), [(0, 0), (0, 4), (6, 2), (4, 6), (2, 5), (6, 6)])
def test_a_shape_takes_in_what_is_within_its_distance(diagram: Diagram, marks: Marks, row: int, column: int) -> None:
    rows = rows_of(CORNER)
    rows[row][column] = "X"
    point, distance = marks(CORNER)["a"], distance_of(row - 2, column - 2)
    before, after = shape_keys(diagram(CORNER).positions, point), shape_keys(diagram(text_of(rows)).positions, point)
    changed = [before[size] != after[size] for size in range(SIZES)]
    assert changed == [distance <= reach for reach in RING_DISTANCES]


# ---------------------------------------------------------------- strengths


def test_moves_looked_at_together_have_the_strengths_of_their_features(diagram: Diagram) -> None:
    model, game = load_model(), diagram(CORNER)
    points = [point for point in board_points(7) if game.color_at(point) == EMPTY]
    lists = [features(model, game.positions, point) for point in points]
    shapes, others = model[0]["shapes"]["weight"], model[0]["weights"]
    sums = [sum(float(shapes[i] if i < SLOTS else others[i - SLOTS]) for i in indices) for indices in lists]
    assert strengths(model, game.positions, points) == pytest.approx(sums, abs=1e-5)
    known_shapes = {sum(i < SLOTS for i in indices) for indices in lists}
    assert known_shapes >= {0, 2, 4, 6}  # around some moves larger shapes are known than around others


# ---------------------------------------------------------------- marks

MARKED = {
    "capture": (
        CAPTURE,
        """
        . . . . .
        . X X . .
        X O O a .
        . X X . .
        . . . . .
        """,
    ),
    "save by capture": (
        SAVE,
        """
        . . . . .
        O X O . .
        O X X O .
        X O O a .
        . X X . .
        """,
    ),
    "escape": (
        ESCAPE,
        """
        . . . . .
        . . O . .
        . O X O .
        . . a . .
        . . . . .
        """,
    ),
    "escape that is lost": (
        LOST_ESCAPE,
        """
        . . . . .
        . . . . .
        O O O . .
        X X O . .
        a O . . .
        """,
    ),
    "ladder": (
        LADDER,
        """
        . . . . . . .
        . . . . . . .
        . . X X . . .
        . X O . . . .
        . X a . . . .
        . . . . . . .
        . . . . . . .
        """,
    ),
    "atari": (
        ATARI,
        """
        . . . . . . .
        . . . . . . .
        . X . . . . .
        X O . . . . .
        . a . . . . .
        . . . . . . .
        . . . . . . .
        """,
    ),
    "extend": (
        EXTEND,
        """
        . . . . .
        . . O . .
        . O X . .
        . . a . .
        . . . . .
        """,
    ),
}


@pytest.mark.parametrize("name", MARKED)
def test_chains_mark_the_points_they_ask_for(diagram: Diagram, marks: Marks, name: str) -> None:
    kind, drawing = MARKED[name]
    game, point = diagram(drawing), marks(drawing)["a"]
    kinds = {(index - MARK) // 4 * 4 for index in features(np.zeros(1, MODEL), game.positions, point) if index >= MARK}
    assert kind in kinds


# ---------------------------------------------------------------- fitting


def games_with_a_habit(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Games on 9x9 as records: Black anywhere, White always beside Black's last move if it can."""
    dice = np.random.default_rng(1)
    moves: list[int] = []
    lengths = []
    for _ in range(count):
        game, length = Game(9), 0
        for _ in range(30):
            legal = sorted(game.legal_points(game.to_play))
            if game.to_play == WHITE:
                beside = [point for point in legal if abs(point - game.moves[-1][1]) in (1, 20)]
                legal = beside or legal
            point = int(dice.choice(legal))
            game.play(game.to_play, point)
            moves.append((9 - point // 20) * 9 + point % 20 - 1)
            length += 1
        lengths.append(length)
    return np.array(moves, np.uint16), np.array(lengths, np.uint16)


def test_fitting_finds_a_habit() -> None:
    moves, lengths = games_with_a_habit(120)
    learner = Learner(moves, lengths, 9, Fit(shape_games=100, least_count=3, every=1))
    assert learner.choose_shapes(100) > 20
    before = learner.run(100, 120, 1, 0.0)
    learner.learn(100, lambda games, sums: None)
    after = learner.run(100, 120, 1, 0.0)
    assert before[0] == after[0] > 590  # a few moves fill an eye: the model doesn't judge those
    assert before[3] / before[0] > 4.0  # all moves alike: the logarithm of the number of moves, 51..81
    assert after[3] / after[0] < 3.3  # half of them one of at most four: (log 66 + log 4) / 2 is 2.8
    assert after[2] > 0.45 * after[0]  # among the first five: nearly every answer, and now and then a move anywhere


def test_a_model_is_the_same_after_its_file(tmp_path: Path) -> None:
    models = load_model()
    save_model(models, tmp_path / "copy.npz")
    copy = load_model(tmp_path / "copy.npz")
    assert (copy == models).all()
    assert models[0]["shapes"]["key"].any() and models[0]["weights"].any()


def test_a_file_that_is_no_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        load_model(tmp_path / "none.npz")
    whole = MODEL_FILE.read_bytes()
    np.savez(tmp_path / "other.npz", slots=np.array([SLOTS]))
    np.save(tmp_path / "array.npy", np.zeros(3))
    other, array = (tmp_path / "other.npz").read_bytes(), (tmp_path / "array.npy").read_bytes()
    for content in (b"", b"a text", whole[: len(whole) // 2], whole[:2000] + bytes(1000) + whole[3000:], other, array):
        (tmp_path / "model.npz").write_bytes(content)
        with pytest.raises(ValueError, match=r"model\.npz: expected a move model"):
            load_model(tmp_path / "model.npz")


def write_records(path: Path, games: int) -> None:
    """A record file of random games on 19x19."""
    dice = np.random.default_rng(2)
    moves = np.concatenate([dice.choice(361, 40, replace=False) for _ in range(games)]).astype(np.uint16)
    winner, margin = np.ones(games, np.int8), np.full(games, -1.0, np.float16)
    np.savez(path, moves=moves, lengths=np.full(games, 40, np.uint16), winner=winner, margin=margin)


def test_the_command_line_fits_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_records(tmp_path / "games.npz", 30)
    words = ["train", "move-model", str(tmp_path / "games.npz"), str(tmp_path / "model.npz"), "--held-out", "5", "--cache", str(tmp_path)]
    assert main(words) == 0
    said = capsys.readouterr().err
    assert "learns from 25 games" in said and "held out, 5 games" in said
    assert load_model(tmp_path / "model.npz")[0]["weights"].any()
    assert load_model(tmp_path / "model.npz")[0]["shapes"]["weight"].any()


def test_a_folder_that_is_not_there_is_said_before_the_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["train", "move-model", str(tmp_path / "games.npz"), str(tmp_path / "missing" / "model.npz")])
    assert stop.value.code == 2
    assert "missing is not a folder" in capsys.readouterr().err


# ---------------------------------------------------------------- the search


def first_moves(size: int, bonus: float) -> Search:
    """A short search of the empty board."""
    search = Search(SearchParams(memory=16, seed=1, threads=1, model_bonus=bonus))
    search.prepare(Game(size), BLACK, 7.5)
    search.run(Limits(simulations=300))
    return search


def test_the_model_opens_in_a_corner() -> None:
    children = first_moves(19, 0.5)._children(0)
    best = to_vertex(int(children["move"][np.argmax(children["probability"])]))
    assert best in {c + r for c in "CDQR" for r in ("3", "4", "16", "17")}
    assert float(children["probability"].sum()) == pytest.approx(1.0, abs=1e-4)


def test_without_a_bonus_no_probabilities_are_asked_for() -> None:
    assert not first_moves(9, 0.0)._children(0)["probability"].any()
