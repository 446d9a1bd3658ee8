"""Positions as records have them, shown to networks: moves from the empty board, komi and rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from gtp_engine.base.parameters import fill_record
from gtp_engine.engine.network.formats import OpenNetwork
from gtp_engine.engine.network.katago.backend import KataBatch
from gtp_engine.engine.network.katago.inputs import KO, see_leaf
from gtp_engine.engine.network.katago.model import GLOBALS, PLANES
from gtp_engine.engine.network.katago.scratch import SCRATCH
from gtp_engine.engine.search.arrays import SearchArrays, new_arrays, seed_workspaces, set_rules
from gtp_engine.engine.search.params import SMALLEST_MEMORY, SearchParams, TreeParams
from gtp_engine.go.places import point_of
from gtp_engine.go.points import BLACK
from gtp_engine.go.rules import Rules
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.position_kernels import list_legal, stand_at

SEED = 7  # of the playouts that networks of our own old form look at


@dataclass(frozen=True)
class RecordPosition:
    """Where moves lead from the empty board. Black begins, and colors alternate."""

    size: int  # lines of the board
    moves: np.ndarray  # uint16: row * size + column, row 0 at the top; size * size for a pass
    komi: float  # points that White gets
    rules: Rules


class Stand:
    """The arrays of a search that stands at one position after the other. For one thread."""

    def __init__(self, slots: int = 1) -> None:
        params = SearchParams(memory=SMALLEST_MEMORY, symmetry=False, playout_share=0.0)
        self.arrays: SearchArrays = new_arrays(params, slots)
        fill_record(self.arrays.shared[0]["params"], TreeParams, params)
        seed_workspaces(self.arrays, SEED)

    def put(self, position: RecordPosition, slot: int = 0) -> None:
        """Stand there with workspace `slot`. Raises TrainingError when a move is illegal."""
        arrays, moves = self.arrays, np.asarray(position.moves, np.uint16)
        set_rules(arrays.shared[0], position.rules, position.komi)
        arrays.situations = np.zeros(len(moves) + 1, np.uint64)
        played = stand_at(arrays.shared, arrays.workspaces, slot, position.size, moves, arrays.situations)
        if played < len(moves):
            raise TrainingError(f"move {played + 1} of a position is illegal")

    def legal(self, position: RecordPosition) -> np.ndarray:
        """bool [S * S + 1]: the legal moves of the position that was put last, the pass included; superko isn't looked at."""
        legal = np.zeros(position.size**2 + 1, np.uint8)
        list_legal(self.arrays.shared, legal)
        return legal.astype(bool)


class KataInputs:
    """What networks of KataGo's form see, see engine/network/katago/inputs.py. For one thread."""

    def __init__(self) -> None:
        self._stand, self._scratches = Stand(), np.zeros(1, SCRATCH)

    def write(self, position: RecordPosition, planes: np.ndarray, numbers: np.ndarray) -> None:
        """Fill `planes` float32 [PLANES, S, S] and `numbers` float32 [GLOBALS]. Raises TrainingError when a move is illegal."""
        self._stand.put(position)
        arrays = self._stand.arrays
        see_leaf(arrays.nodes, arrays.shared, arrays.workspaces, arrays.situations, 0, self._scratches, planes, numbers)

    def batch(self, positions: Sequence[RecordPosition]) -> tuple[np.ndarray, np.ndarray]:
        """Planes [B, PLANES, S, S] and numbers [B, GLOBALS] of positions on boards of one size."""
        size = positions[0].size
        planes = np.zeros((len(positions), PLANES, size, size), np.float32)
        numbers = np.zeros((len(positions), GLOBALS), np.float32)
        for row, position in enumerate(positions):
            self.write(position, planes[row], numbers[row])
        return planes, numbers


class NetworkSays(NamedTuple):
    """What a network says of a position, for the side to move. Places are as in RecordPosition.moves."""

    policy: np.ndarray  # float64 [S * S + 1]: probabilities; 0 for illegal moves
    optimistic: np.ndarray  # the same by the optimistic policy; where there is none, the policy
    win: float  # 0 to 1
    lead: float  # points
    ownership: np.ndarray  # float32 [S * S], -1 to 1, 1: own


class NetworkJudge:
    """Asks a network of any format. For one thread."""

    def __init__(self, network: OpenNetwork, most: int = 1) -> None:
        """`most` -- positions that are asked together at most."""
        self._network, self._most = network, most
        self._stand = Stand(most)
        self._batches: dict[tuple[int, int], Any] = {}  # by size and number of positions

    def __call__(self, positions: Sequence[RecordPosition]) -> list[NetworkSays]:
        """What the network says of each. Raises TrainingError when a move is illegal, NetworkError."""
        found: list[NetworkSays | None] = [None] * len(positions)
        by_size: dict[int, list[int]] = {}
        for i, position in enumerate(positions):
            by_size.setdefault(position.size, []).append(i)
        for places in by_size.values():
            for first in range(0, len(places), self._most):
                chosen = places[first : first + self._most]
                for i, judgement in zip(chosen, self._ask([positions[k] for k in chosen]), strict=True):
                    found[i] = judgement
        return [judgement for judgement in found if judgement is not None]

    def _ask(self, positions: list[RecordPosition]) -> list[NetworkSays]:
        """Ask about positions on boards of one size, not more than `most`."""
        key = positions[0].size, len(positions)
        batch = self._batches.get(key)
        if batch is None:
            batch = self._batches[key] = self._network.backend.new_batch(*key)
        legal = []
        for row, position in enumerate(positions):
            self._stand.put(position, row)
            self._network.features.encode(self._stand.arrays, row, batch, row)
            legal.append(self._stand.legal(position))
            if isinstance(batch, KataBatch):
                legal[-1][:-1] &= batch.planes[row, KO].ravel() == 0.0  # superko, too
        batch.run()
        return [self._read(batch, row, position, legal[row]) for row, position in enumerate(positions)]

    def _read(self, batch: Any, row: int, position: RecordPosition, legal: np.ndarray) -> NetworkSays:
        """The answer in this row of the batch."""
        arrays = self._stand.arrays
        set_rules(arrays.shared[0], position.rules, position.komi)
        self._network.features.decode(arrays, row, batch, row)
        workspace = arrays.workspaces[row]
        answer = workspace["answer"]
        logits = [answer["policy"][: len(legal)]] * 2
        if isinstance(batch, KataBatch):
            channels = batch.policy[row]
            logits = [channels[0], channels[-1]]
        sign = 1.0 if workspace["position"]["to_play"] == BLACK else -1.0
        ownership = workspace["owners"][points_of(position.size)] * (sign / max(int(workspace["votes"]), 1))
        policy, optimistic = (probabilities(each, legal) for each in logits)
        return NetworkSays(policy, optimistic, float(answer["win"]), float(answer["lead"]), ownership.astype(np.float32))


def probabilities(logits: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """float64 probabilities of the legal moves; 0 for the others."""
    weights = np.where(legal, np.exp(logits.astype(np.float64) - logits[legal].max()), 0.0)
    return np.asarray(weights / weights.sum())


@cache
def points_of(size: int) -> np.ndarray:
    """[S * S]: the point at each place."""
    return np.array([point_of(place, size) for place in range(size * size)])
