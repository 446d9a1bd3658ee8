"""Searched positions of record files, those of self-play above all, as labels: what a search visited, and how the game ended."""

import lzma
from pathlib import Path

import numpy as np

from gtp_engine.go.rules import AGA, CHINESE, NEW_ZEALAND
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.labels import OWNERSHIP_UNIT, POLICY_UNIT, LabelArrays, Labels, ends_of, read_labels
from gtp_engine.learning.training.record_checks import SEARCH_NAMES, check_arrays, size_of
from gtp_engine.learning.training.records import FILE_KOMI, NAMES, OWNER_UNKNOWN, RESIGNED

RULES = (CHINESE, AGA, NEW_ZEALAND)  # of a record file's `rules`
SAID = {"lead": "f", "ownership": "i"}  # arrays of files in which a network has judged the positions, beside the owners at the end


def read_labels_or_records(path: Path) -> Labels:
    """The labels in a file of `train label`, or those that the searches in a record file make. Raises TrainingError."""
    try:
        with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file, np.load(file) as archive:
            if "searched" not in archive:
                return read_labels(path)
            wanted = (*NAMES, *SEARCH_NAMES, "size", "komi", "owners", "rules", *SAID)
            arrays = {name: archive[name] for name in wanted if name in archive}
    except TrainingError:
        raise
    except Exception as error:  # np.load raises what it likes
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is damaged, or something else"
        raise TrainingError(f"{path} has neither labels nor searched positions: {reason}") from error
    check_arrays(path, {name: array for name, array in arrays.items() if name not in SAID})
    return Labels(str(path), labels_of_searches(path, arrays))


def labels_of_searches(path: Path, arrays: dict[str, np.ndarray]) -> LabelArrays:
    """The labels of searched positions, in the order of the file; those of games that were not counted are left out.

    Raises TrainingError when none is left, or what a network has said of them doesn't fit.
    """
    size, searched = size_of(arrays), arrays["searched"]
    ends = ends_of(arrays["lengths"])
    game = np.searchsorted(ends, searched, side="right") - 1
    number = searched - ends[game]
    lead, ownership = said_of(path, arrays, game, number % 2 == 0)
    kept = ~np.isnan(lead)
    if not kept.any():
        raise TrainingError(f"{path}: no searched position is of a game that was counted")
    starts = arrays["visit_starts"]
    counts, visits = np.diff(starts), arrays["visit_counts"].astype(np.float64)
    shares = np.round(visits / np.repeat(np.add.reduceat(visits, starts[:-1]), counts) * POLICY_UNIT).astype(np.uint16)
    each_visit = np.repeat(kept, counts)
    game, number = game[kept], number[kept]
    komi = arrays["komi"] if "komi" in arrays else np.full(len(arrays["lengths"]), FILE_KOMI)
    rules = arrays["rules"] if "rules" in arrays else np.zeros(len(arrays["lengths"]), np.uint8)
    moves = [arrays["moves"][ends[g] : ends[g] + n] for g, n in zip(game.tolist(), number.tolist(), strict=True)]
    return {
        "sizes": np.full(len(game), size, np.uint8),
        "komi": komi[game].astype(np.float32),
        "rules": rules[game].astype(np.uint8),
        "moves": np.concatenate(moves).astype(np.uint16),
        "lengths": number.astype(np.uint16),
        "policy_counts": counts[kept].astype(np.uint16),
        "policy_moves": arrays["visit_moves"][each_visit].astype(np.uint16),
        "policy": np.repeat(shares[each_visit, None], 2, axis=1),
        "win": arrays["root_values"][kept].astype(np.float32),
        "lead": lead[kept].astype(np.float32),
        "ownership": ownership[kept].ravel(),
        "source": np.zeros(len(game), np.int64),
        "game": game,
        "number": number,
        "group": np.arange(len(game)),
        "rules_names": np.array([each.name for each in RULES]),
        "sources": np.array([path.name]),
        "teacher": np.array("searches"),
    }


def said_of(path: Path, arrays: dict[str, np.ndarray], game: np.ndarray, is_black: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lead [N], not a number where it isn't known, and ownership [N, P] int8 in hundredths, for the side to move."""
    sign = np.where(is_black, 1, -1)
    if all(name in arrays for name in SAID):
        lead, black = arrays["lead"].astype(np.float64), arrays["ownership"]
        if len(lead) != len(game) or black.shape != (len(game), size_of(arrays) ** 2) or not np.isfinite(lead).all():
            raise TrainingError(f"{path} is damaged: what a network said does not fit together")
        return lead, (black * sign[:, None]).astype(np.int8)
    if "owners" not in arrays:
        return np.full(len(game), np.nan), np.zeros((len(game), 0), np.int8)
    owners = arrays["owners"][game]
    is_counted = (arrays["margin"][game] != RESIGNED) & (owners[:, 0] != OWNER_UNKNOWN)
    lead = np.where(is_counted, sign * arrays["winner"][game] * arrays["margin"][game].astype(np.float64), np.nan)
    return lead, (owners * (OWNERSHIP_UNIT * sign[:, None])).astype(np.int8)
