"""What is learned besides the move played: whose each point is at the end, and what searches said of positions."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.owners import owners_of, with_owners
from gtp_engine.learning.training.records import OWNER_UNKNOWN, RESIGNED, Records, read_record_file
from gtp_engine.learning.training.searches import Searches

# two walls on 5x5, Black's on the left, and a dead white stone at A5
#   W . B W .      row 0
#   . . B W .
#   B B B W W
#   . . B W .
#   . . B W .
WALLS = [2, 0, 7, 8, 12, 13, 17, 18, 22, 23, 11, 14, 10, 3, 25, 25]
KOMI = 2.5


def records_of(games: list[list[int]], margins: list[float], winners: list[int]) -> Records:
    """Games on 5x5."""
    return Records(
        5,
        np.array([move for game in games for move in game], np.uint16),
        np.array([len(game) for game in games], np.uint16),
        np.array(winners, np.int8),
        np.array(margins, np.float32),
        np.full(len(games), KOMI, np.float32),
    )


COUNTED = records_of([WALLS, WALLS, WALLS], [2.5, 20.5, RESIGNED], [1, 1, 1])  # 15 points to 10; a result that can't be; resigned


def searched() -> Records:
    """Three games, with two searches: of move 1 of the first game and move 3 of the last."""
    length = len(WALLS)
    searches = Searches(
        np.array([1, 2 * length + 3], np.int64),
        np.array([0, 2, 3], np.int64),
        np.array([0, 25, 8], np.uint16),
        np.array([3, 1, 7], np.uint16),
        np.array([0.25, 1.0], np.float32),
    )
    return replace(COUNTED, searches=searches)


def test_owners_are_known_where_the_count_agrees_with_the_result() -> None:
    owners = owners_of(COUNTED, 1, lambda done: None)
    board = owners[0].reshape(5, 5)
    assert (board[:, :3] == 1).all() and (board[:, 3:] == -1).all()  # the white stone in the corner is dead
    assert (owners[1:] == OWNER_UNKNOWN).all()
    assert (owners_of(COUNTED, 3, lambda done: None) == owners).all()


def test_owners_of_a_game_with_an_illegal_move_are_unknown() -> None:
    """Without any owner its count would be White's win by the komi, which this record tells."""
    assert (owners_of(records_of([[0, 0, 25, 25]], [KOMI], [-1]), 1, lambda done: None) == OWNER_UNKNOWN).all()


def test_owners_are_kept_in_a_file(tmp_path: Path) -> None:
    told: list[int] = []
    first = with_owners(COUNTED, tmp_path / "kept" / "owners.npy", 1, told.append)
    again = with_owners(COUNTED, tmp_path / "kept" / "owners.npy", 1, told.append)
    assert told == [3] and first.owners is not None and again.owners is not None
    assert (first.owners == again.owners).all()


def test_games_take_their_searches_along() -> None:
    records = searched()
    last = records.games(2, 3).searches
    assert last is not None and list(last.positions) == [3] and list(last.moves) == [8] and list(last.visits) == [7]
    kept = records.only(np.array([False, False, True])).searches
    assert kept is not None and list(kept.positions) == [3] and list(kept.starts) == [0, 1] and list(kept.chances) == [1.0]
    none = records.games(1, 2).searches
    assert none is not None and len(none) == 0


def arrays() -> dict[str, np.ndarray]:
    """A record file of one game on 5x5 with a search and owners."""
    return {
        "moves": np.array(WALLS, np.uint8), "lengths": np.array([len(WALLS)], np.uint16), "winner": np.ones(1, np.int8),
        "margin": np.full(1, 2.5, np.float16), "komi": np.full(1, KOMI, np.float16), "size": np.array(5),
        "owners": np.ones((1, 25), np.int8), "searched": np.array([2]), "visit_starts": np.array([0, 2]),
        "visit_moves": np.array([3, 4], np.uint16), "visit_counts": np.array([1, 2], np.uint16), "root_values": np.full(1, 0.5, np.float16),
    }  # fmt: skip


@pytest.mark.parametrize("cached", [False, True])
def test_a_record_file_may_hold_owners_and_searches(tmp_path: Path, cached: bool) -> None:
    np.savez(tmp_path / "games.npz", **arrays())  # type: ignore[arg-type]  # the stub takes keywords for its own
    records = read_record_file(tmp_path / "games.npz", tmp_path / "cache" if cached else None)
    assert records.size == 5 and records.owners is not None and records.searches is not None
    assert records.owners.shape == (1, 25) and list(records.searches.visits) == [1, 2]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("size", np.array(40)),
        ("size", np.array([5, 5])),
        ("owners", np.ones((1, 24), np.int8)),
        ("owners", np.full((1, 25), 9, np.int8)),
        ("searched", np.array([16])),
        ("searched", np.array([-1])),
        ("visit_starts", np.array([0, 3])),
        ("visit_starts", np.array([0, 1, 2])),
        ("visit_moves", np.array([3, 26], np.uint16)),
        ("visit_counts", np.array([0, 2], np.uint16)),
        ("root_values", np.full(1, 1.5, np.float16)),
        ("root_values", None),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(tmp_path: Path, name: str, value: np.ndarray | None) -> None:
    changed = {key: array for key, array in arrays().items() if key != name} | ({} if value is None else {name: value})
    np.savez(tmp_path / "games.npz", **changed)  # type: ignore[arg-type]
    with pytest.raises(TrainingError, match="is damaged"):
        read_record_file(tmp_path / "games.npz")
