"""Positions of records as input of networks: moves from the empty board, komi and rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gtp_engine.engine.network.formats import OpenNetwork
from gtp_engine.engine.network.katago.backend import KataBatch
from gtp_engine.engine.network.katago.inputs import encode_leaf
from gtp_engine.engine.network.katago.model import GLOBALS, METADATA, PLANES
from gtp_engine.engine.network.katago.players import players_of_rank
from gtp_engine.engine.network.katago.scratch import SCRATCH
from gtp_engine.engine.search.answer import ANSWER
from gtp_engine.engine.search.game_leaf import set_rules
from gtp_engine.engine.search.leaf import LEAF
from gtp_engine.go.places import points_by_place
from gtp_engine.go.points import BLACK
from gtp_engine.go.rank_names import UNKNOWN_RANK
from gtp_engine.go.rules import Rules
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.position_kernels import list_legal, stand_at


@dataclass(frozen=True)
class RecordPosition:
    """The position after moves from the empty board. Colors alternate from Black on."""

    size: int  # lines of the board
    moves: np.ndarray  # uint16: row * size + column, row 0 at the top; size * size for a pass
    komi: float  # points that White gets
    rules: Rules
    rank: int = UNKNOWN_RANK  # of the player to move, for human networks; see rank_names
    placed: int = 0  # the first moves, which stand for set-up stones, see training/set_up.py: no network sees them as moves


class RecordLeaf:
    """A leaf that is set to one position of a record after the other. For one thread."""

    def __init__(self) -> None:
        self.leaf = np.zeros(1, LEAF)

    def put(self, position: RecordPosition) -> np.ndarray:
        """[1] LEAF: the position, not turned; the same array each time. Raises TrainingError if a move is illegal."""
        moves = np.asarray(position.moves, np.uint16)
        set_rules(self.leaf[0], position.rules, position.komi)
        played = stand_at(self.leaf, position.size, moves, position.placed, np.zeros(len(moves) + 1, np.uint64))
        if played < len(moves):
            raise TrainingError(f"move {played + 1} of a position is illegal")
        return self.leaf

    def legal(self) -> np.ndarray:
        """bool [S * S + 1]: the legal moves there, including the pass."""
        legal = np.zeros(int(self.leaf["position"]["board_size"][0]) ** 2 + 1, np.uint8)
        list_legal(self.leaf, legal)
        return legal.astype(bool)


class KataInputs:
    """The inputs of networks of KataGo's form, see engine/network/katago/inputs.py. For one thread."""

    def __init__(self) -> None:
        self.leaf, self._scratch = RecordLeaf(), np.zeros(1, SCRATCH)

    def write(self, position: RecordPosition, planes: np.ndarray, numbers: np.ndarray) -> None:
        """Fill `planes` float32 [PLANES, S, S] and `numbers` float32 [GLOBALS]. Raises TrainingError if a move is illegal."""
        encode_leaf(self.leaf.put(position), self._scratch, planes, numbers)

    def batch(self, positions: Sequence[RecordPosition]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Planes [B, PLANES, S, S], numbers [B, GLOBALS] and players [B, METADATA] of positions on boards of one size.

        Players whose rank is unknown are zeros.
        """
        size = positions[0].size
        planes = np.zeros((len(positions), PLANES, size, size), np.float32)
        numbers = np.zeros((len(positions), GLOBALS), np.float32)
        players = np.zeros((len(positions), METADATA), np.float32)
        for row, position in enumerate(positions):
            self.write(position, planes[row], numbers[row])
            players[row] = players_of_rank(position.rank, size * size)
        return planes, numbers, players


class NetworkAnswer(NamedTuple):
    """A network's outputs for a position, for the side to move. Places are as in RecordPosition.moves."""

    policy: np.ndarray  # float64 [S * S + 1]: probabilities; 0 for illegal moves
    optimistic: np.ndarray  # the same by the optimistic policy; without one, the policy
    win: float  # 0 to 1
    lead: float  # points
    ownership: np.ndarray  # float32 [S * S], -1 to 1, 1: own


class NetworkJudge:
    """Runs a network of any format. For one thread."""

    def __init__(self, network: OpenNetwork, most: int = 1) -> None:
        """`most` -- the largest number of positions in a batch."""
        self._network, self._most = network, most
        self._leaves = [RecordLeaf() for _ in range(most)]
        self._lengths = [*(1 << i for i in range((most - 1).bit_length())), most]  # of batches: powers of two, and all
        self._batches: dict[int, list[Any]] = {}  # by size of the board, one for each length

    def __call__(self, positions: Sequence[RecordPosition]) -> list[NetworkAnswer]:
        """The network's outputs for each. Raises TrainingError if a move is illegal, NetworkError."""
        judgements: list[NetworkAnswer | None] = [None] * len(positions)
        by_size: dict[int, list[int]] = {}
        for i, position in enumerate(positions):
            by_size.setdefault(position.size, []).append(i)
        for places in by_size.values():
            for first in range(0, len(places), self._most):
                chosen = places[first : first + self._most]
                for i, judgement in zip(chosen, self._ask([positions[k] for k in chosen]), strict=True):
                    judgements[i] = judgement
        return [judgement for judgement in judgements if judgement is not None]

    def _ask(self, positions: list[RecordPosition]) -> list[NetworkAnswer]:
        """Run a batch of positions on boards of one size, not more than `most`."""
        length = next(length for length in self._lengths if length >= len(positions))
        batch = self._batches_on(positions[0].size)[self._lengths.index(length)]
        features = self._network.features
        for row, (leaf, position) in enumerate(zip(self._leaves, positions, strict=False)):
            leaf.put(position)
            features.encode(leaf.leaf, batch, row)
        if isinstance(batch, KataBatch) and batch.knows_players:
            batch.tell_ranks([position.rank for position in positions] + [positions[0].rank] * (length - len(positions)))
        batch.run()
        return [self._read(batch, row, leaf) for row, leaf in enumerate(self._leaves[: len(positions)])]

    def _batches_on(self, size: int) -> list[Any]:
        """Batches on this board, one for each length; made together, because a network is compiled anew for a size that it has left."""
        if size not in self._batches:
            self._batches[size] = [self._network.backend.new_batch(size, length) for length in self._lengths]
        return self._batches[size]

    def _read(self, batch: Any, row: int, leaf: RecordLeaf) -> NetworkAnswer:
        """The outputs in this row of the batch."""
        answers, legal = np.zeros(1, ANSWER), leaf.legal()
        self._network.features.decode(leaf.leaf, batch, row, answers)
        answer, position = answers[0], leaf.leaf["position"][0]
        logits = [answer["policy"][: len(legal)]] * 2
        if isinstance(batch, KataBatch):
            channels = batch.policy[row]
            logits = [channels[0], channels[-1]]
        sign = 1.0 if position["to_play"] == BLACK else -1.0
        ownership = answer["owners"][list(points_by_place(int(position["board_size"])))] * (sign / max(int(answer["votes"]), 1))
        policy, optimistic = (probabilities(row, legal) for row in logits)
        return NetworkAnswer(policy, optimistic, float(answer["win"]), float(answer["lead"]), ownership.astype(np.float32))


def probabilities(logits: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """float64 probabilities of the legal moves; 0 for the others."""
    weights = np.where(legal, np.exp(logits.astype(np.float64) - logits[legal].max()), 0.0)
    return np.asarray(weights / weights.sum())
