"""Labels: positions with a teacher's outputs. A file of labels is an .npz archive.

For N labels with M moves, K kept moves of policies and P points in all:

- `sizes` uint8 [N]: lines of the board; `komi` float32 [N]; `rules` uint8 [N]: a place in `rules_names`;
- `moves` uint16 [M], `lengths` uint16 [N]: the moves that lead to each position, and `placed` uint16 [N], how many of them stand for set-up
  stones (older files don't have this: none), see RecordPosition;
- `policy_counts` uint16 [N], `policy_moves` uint16 [K], `policy` uint16 [K, 2]: the likely moves, and their probabilities by the policy and
  the optimistic policy, in units of 1 / POLICY_UNIT; all others count as 0;
- `win` float32 [N] and `lead` float32 [N]: of the side to move; `ownership` int8 [P]: hundredths, 100: its own, row 0 at the top;
- `source` uint8 [N]: a place in `sources`, `game` int32 [N] in it, `number` uint16 [N]: moves of that game, without added ones
  and set-up stones;
- `group` int32 [N]: positions with the same number, which are consecutive, are children of one position, of a game or of a search;
- `teacher`: the network that made them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np

from gtp_engine.go.points import MAX_SIZE
from gtp_engine.go.rules import RULE_SETS
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.positions import NetworkAnswer, RecordLeaf, RecordPosition
from gtp_engine.learning.training.katago.source import HELD_OUT_OF, Label, evenly

POLICY_UNIT = 50_000
LEAST_SHARE = 0.001  # the least probability of a move that is kept
OWNERSHIP_UNIT = 100
EACH = ("sizes", "komi", "rules", "lengths", "placed", "policy_counts", "win", "lead", "source", "game", "number", "group")  # [N]
FLAT = {"moves": 1, "policy_moves": 1, "policy": 2, "ownership": 1}  # dimensions
NAMES = ("rules_names", "sources", "teacher")
KINDS = {"komi": "f", "win": "f", "lead": "f"}  # numpy's letters; the others are whole numbers
LabelArrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class LabelOrigin:
    """The origin of a label's position."""

    source: int
    game: int
    number: int  # of moves
    group: int


class Labels:
    """The labels of a file, or of several. Raises TrainingError, which begins with `name`, for arrays that don't fit together."""

    def __init__(self, name: str, arrays: LabelArrays) -> None:
        check_labels(name, arrays)
        self.arrays = arrays
        self.name = name
        self._rules = [RULE_SETS[str(name)] for name in arrays["rules_names"]]

    def __len__(self) -> int:
        return len(self.arrays["sizes"])

    def __getitem__(self, i: int) -> Label:
        a, places = self.arrays, int(self.arrays["sizes"][i]) ** 2
        first, last = self._policy_ends[i], self._policy_ends[i + 1]
        policy = np.zeros((2, places + 1), np.float32)
        policy[:, a["policy_moves"][first:last]] = a["policy"][first:last].T
        policy /= np.maximum(policy.sum(1, keepdims=True), 1.0)
        ownership = a["ownership"][self._ownership_ends[i] : self._ownership_ends[i + 1]].astype(np.float32) / OWNERSHIP_UNIT
        return Label(self.position(i), policy, float(a["win"][i]), float(a["lead"][i]), ownership)

    def position(self, i: int) -> RecordPosition:
        """The position of label `i`."""
        a = self.arrays
        moves = a["moves"][self._move_ends[i] : self._move_ends[i + 1]]
        return RecordPosition(int(a["sizes"][i]), moves, float(a["komi"][i]), self._rules[a["rules"][i]], placed=int(a["placed"][i]))

    @cached_property
    def groups(self) -> np.ndarray:
        """[G + 1]: the start of each group, and N."""
        group = self.arrays["group"]
        return np.flatnonzero(np.concatenate(([True], group[1:] != group[:-1], [True])))

    @cached_property
    def held_out(self) -> np.ndarray:
        """bool [N]: the labels of every tenth game of each source, which aren't used for training."""
        return np.asarray(self.arrays["game"] % HELD_OUT_OF == HELD_OUT_OF - 1)

    @cached_property
    def _learned_groups(self) -> dict[int, list[tuple[int, int]]]:
        """By board, the start and end of each group for training. Raises TrainingError if there is none."""
        ranges_by_size: dict[int, list[tuple[int, int]]] = {}
        for first, last in pairwise(self.groups.tolist()):
            if not self.held_out[first]:
                ranges_by_size.setdefault(int(self.arrays["sizes"][first]), []).append((first, last))
        if not ranges_by_size:
            raise TrainingError(f"{self.name} has labels of held-out games only: make more of them")
        return ranges_by_size

    def draw(self, random: np.random.Generator, count: int, leaf: RecordLeaf) -> list[Label]:
        """See LabelSource. Children of one position are always in the same batch."""
        by_size = self._learned_groups
        labels = np.array([sum(last - first for first, last in groups) for groups in by_size.values()], np.float64)
        groups = list(by_size.values())[int(random.choice(len(labels), p=labels / labels.sum()))]
        chosen: list[int] = []
        while len(chosen) < count:
            chosen.extend(range(*groups[int(random.integers(len(groups)))]))
        return [self[i] for i in chosen]

    def held_out_labels(self, most: int, leaf: RecordLeaf) -> dict[int, list[Label]]:
        """See LabelSource."""
        places = np.flatnonzero(self.held_out)
        sizes = self.arrays["sizes"][places]
        return {int(size): [self[i] for i in evenly(places[sizes == size], most)] for size in np.unique(sizes)}

    @cached_property
    def _move_ends(self) -> np.ndarray:
        return ends_of(self.arrays["lengths"])

    @cached_property
    def _policy_ends(self) -> np.ndarray:
        return ends_of(self.arrays["policy_counts"])

    @cached_property
    def _ownership_ends(self) -> np.ndarray:
        return ends_of(self.arrays["sizes"].astype(np.int64) ** 2)


def ends_of(lengths: np.ndarray) -> np.ndarray:
    """[N + 1] int64: the starts of parts of these lengths, and the end of the last one."""
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))


def label_arrays(judged: Sequence[tuple[LabelOrigin, RecordPosition, NetworkAnswer]], sources: Sequence[str], teacher: str) -> LabelArrays:
    """The arrays of a file with these labels."""
    listed_moves = [np.flatnonzero((answer.policy >= LEAST_SHARE) | (answer.optimistic >= LEAST_SHARE)) for _, _, answer in judged]
    policies = [np.stack((answer.policy, answer.optimistic), 1)[moves] for moves, (_, _, answer) in zip(listed_moves, judged, strict=True)]
    rules = list(RULE_SETS)
    return {
        "sizes": np.array([position.size for _, position, _ in judged], np.uint8),
        "komi": np.array([position.komi for _, position, _ in judged], np.float32),
        "rules": np.array([rules.index(position.rules.name) for _, position, _ in judged], np.uint8),
        "moves": joined([position.moves for _, position, _ in judged], np.uint16),
        "lengths": np.array([len(position.moves) for _, position, _ in judged], np.uint16),
        "placed": np.array([position.placed for _, position, _ in judged], np.uint16),
        "policy_counts": np.array([len(moves) for moves in listed_moves], np.uint16),
        "policy_moves": joined(listed_moves, np.uint16),
        "policy": np.round(joined(policies, np.float64).reshape(-1, 2) * POLICY_UNIT).astype(np.uint16),
        "win": np.array([answer.win for _, _, answer in judged], np.float32),
        "lead": np.array([answer.lead for _, _, answer in judged], np.float32),
        "ownership": np.round(joined([answer.ownership for _, _, answer in judged], np.float32) * OWNERSHIP_UNIT).astype(np.int8),
        **{name: np.array([getattr(origin, name) for origin, _, _ in judged], np.int64) for name in ("source", "game", "number", "group")},
        "rules_names": np.array(rules),
        "sources": np.array(list(sources)),
        "teacher": np.array(teacher),
    }


def joined(arrays: Sequence[np.ndarray], kind: type[np.generic]) -> np.ndarray:
    """All arrays one after the other."""
    return np.concatenate([np.zeros((0, *arrays[0].shape[1:])), *arrays]).astype(kind) if arrays else np.zeros(0, kind)


def merged_labels(parts: Sequence[LabelArrays]) -> LabelArrays:
    """The labels of several parts of one run as one; `parts` isn't empty."""
    arrays = {name: np.concatenate([part[name] for part in parts]) for name in (*EACH, *FLAT)}
    return arrays | {name: parts[0][name] for name in NAMES}


def is_labels(path: Path) -> bool:
    """True if this is a file of labels, by its content."""
    try:
        with np.load(path) as archive:
            return "teacher" in archive
    except Exception:  # np.load raises many kinds of errors; reading the file later says what is wrong
        return False


def read_labels(path: Path) -> Labels:
    """The labels of a file. Raises TrainingError for other files."""
    try:
        with np.load(path) as archive:
            older = {"placed": np.zeros(len(archive["sizes"]), np.uint16)}
            arrays = older | {name: archive[name] for name in (*EACH, *FLAT, *NAMES) if name in archive or name not in older}
    except Exception as error:  # np.load raises many kinds of errors
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is damaged, or something else"
        raise TrainingError(f"{path} is not a file of labels that gtp-engine train label wrote: {reason}") from error
    return Labels(str(path), arrays)


def check_labels(name: str, arrays: LabelArrays) -> None:
    """Raise TrainingError unless the arrays have the right types and fit together. Moves are checked only when they are played."""
    for key, array in arrays.items():
        kind = "U" if key in NAMES else KINDS.get(key, "iu")
        dimensions = FLAT.get(key, 0 if key == "teacher" else 1)
        if array.dtype.kind not in kind or array.ndim != dimensions:
            raise TrainingError(f"{name} is damaged: {key} has another type")
    sizes, counts = arrays["sizes"].astype(np.int64), {len(arrays[key]) for key in EACH}
    if counts != {len(sizes)} or not len(sizes):
        raise TrainingError(f"{name} is damaged: its arrays don't fit together, or are empty")
    if (arrays["placed"] > arrays["lengths"]).any():
        raise TrainingError(f"{name} is damaged: more set-up stones than moves")
    sums = (("lengths", "moves"), ("policy_counts", "policy_moves"), ("policy_counts", "policy"))
    fit = all(arrays[one].min() >= 0 and arrays[one].sum(dtype=np.int64) == len(arrays[all_]) for one, all_ in sums)
    if not fit or (sizes**2).sum() != len(arrays["ownership"]) or arrays["policy"].shape[1:] != (2,):
        raise TrainingError(f"{name} is damaged: its arrays don't fit together")
    if sizes.min() < 2 or sizes.max() > MAX_SIZE or any(str(name) not in RULE_SETS for name in arrays["rules_names"]):
        raise TrainingError(f"{name} is damaged: boards or rules that there are not")
    if arrays["rules"].max() >= len(arrays["rules_names"]) or (arrays["policy_counts"] == 0).any():
        raise TrainingError(f"{name} is damaged: a label without rules or without a policy")
    for key, lengths in (("moves", "lengths"), ("policy_moves", "policy_counts")):
        if (arrays[key] > np.repeat(sizes**2, arrays[lengths])).any():
            raise TrainingError(f"{name} is damaged: a move is outside of its board")
    if not all(np.isfinite(arrays[key]).all() for key in KINDS) or arrays["win"].min() < 0.0 or arrays["win"].max() > 1.0:
        raise TrainingError(f"{name} is damaged: a komi, a win or a lead is no number, or beyond its bounds")
    if np.abs(arrays["ownership"].astype(np.int16)).max(initial=0) > OWNERSHIP_UNIT or arrays["game"].min() < 0:
        raise TrainingError(f"{name} is damaged: owners beyond -100 and 100, or a game without a number")
