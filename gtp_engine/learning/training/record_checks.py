"""Checks whether the arrays of a compact record file fit together. Such files come from anywhere, so everything is checked."""

from pathlib import Path

import numpy as np

from gtp_engine.go.points import MAX_SIZE
from gtp_engine.go.rules import AGA, CHINESE, NEW_ZEALAND
from gtp_engine.learning.training import TrainingError

SEARCH_NAMES = ("searched", "visit_starts", "visit_moves", "visit_counts", "root_values")  # all of them, or none; see Searches
BYTES_SIZE, WORDS_SIZE = 9, 19  # the board size by the type of the moves, uint8 or uint16, if the file doesn't have it
RULES = (CHINESE, AGA, NEW_ZEALAND)  # indices in a record file's `rules`: add new ones at the end
WHOLE = "iub"  # numpy's letters for kinds of integers
KINDS = {"margin": "iuf", "komi": "iuf", "root_values": "f"}  # arrays with other kinds
DIMENSIONS = {"size": 0, "owners": 2}  # of arrays that aren't one-dimensional
Arrays = dict[str, np.ndarray]


def size_of(arrays: Arrays) -> int:
    """The board size of the file's games: its own entry, or by the type of its moves."""
    if "size" in arrays:
        return int(arrays["size"])
    return BYTES_SIZE if arrays["moves"].dtype == np.uint8 else WORDS_SIZE


def check_arrays(path: Path, arrays: Arrays) -> None:
    """Raise TrainingError unless the arrays have the right types and fit together. Moves are checked only when they are played."""
    for name, array in arrays.items():
        if array.ndim != DIMENSIONS.get(name, 1) or array.dtype.kind not in KINDS.get(name, WHOLE):
            raise TrainingError(f"{path} is damaged: {name} is no list of {'numbers' if name in KINDS else 'whole numbers'}")
    moves, lengths = arrays["moves"], arrays["lengths"]
    counts = {len(array) for name, array in arrays.items() if name not in ("moves", "size", *SEARCH_NAMES)}
    if len(counts) != 1 or (lengths < 0).any() or int(lengths.sum(dtype=np.int64)) != len(moves):
        raise TrainingError(f"{path} is damaged: its arrays don't fit together")
    if moves.dtype not in (np.uint8, np.uint16) or not len(moves):
        raise TrainingError(f"{path} is damaged: expected moves as uint8 or uint16, found {len(moves)} as {moves.dtype}")
    size = size_of(arrays)
    if not 2 <= size <= MAX_SIZE:
        raise TrainingError(f"{path} is damaged: a board of {size} lines")
    if int(moves.max()) > size * size:
        raise TrainingError(f"{path} is damaged: a move is outside of the {size}x{size} board")
    if not all(np.isfinite(array).all() for name, array in arrays.items() if name in KINDS):
        raise TrainingError(f"{path} is damaged: a komi, a margin or a chance is infinite or no number")
    if "owners" in arrays and (arrays["owners"].shape[1] != size * size or np.abs(arrays["owners"].astype(np.int16)).max() > 2):
        raise TrainingError(f"{path} is damaged: owners are not those of a {size}x{size} board")
    if any(name in arrays for name in SEARCH_NAMES):
        check_searches(path, arrays, size)


def check_searches(path: Path, arrays: Arrays, size: int) -> None:
    """The same for the arrays of searches."""
    if not all(name in arrays for name in SEARCH_NAMES):
        raise TrainingError(f"{path} is damaged: of {', '.join(SEARCH_NAMES)} some are missing")
    positions, starts, moves, visits, chances = (arrays[name] for name in SEARCH_NAMES)
    fit = (
        len(starts) == len(positions) + 1 == len(chances) + 1 and len(moves) == len(visits) and starts[0] == 0 and starts[-1] == len(moves)
    )
    if not fit or (np.diff(starts) <= 0).any() or (np.diff(positions) <= 0).any():
        raise TrainingError(f"{path} is damaged: what searches said does not fit together")
    if not len(positions) or positions[0] < 0 or positions[-1] >= len(arrays["moves"]) or int(moves.max()) > size * size:
        raise TrainingError(f"{path} is damaged: a search is of no position of these games, or of no move on the board")
    if "rules" in arrays and not ((arrays["rules"] >= 0) & (arrays["rules"] < len(RULES))).all():
        raise TrainingError(f"{path} is damaged: rules that there are not")
    if (visits <= 0).any() or (chances < 0).any() or (chances > 1).any():
        raise TrainingError(f"{path} is damaged: searches without visits, or with chances beyond 0 and 1")
