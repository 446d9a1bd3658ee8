"""Training positions: games replayed by compiled code, each position as planes and what the network should say of it.

Batch number `step` of `seed` is always the same: what has been learned from is known by counting.
"""

from dataclasses import dataclass

import numpy as np

from gtp_engine.go.position import POSITION
from gtp_engine.move_model.model import LOOKS
from gtp_engine.move_model.model_file import load_model
from gtp_engine.network.features import HISTORY, PLANES
from gtp_engine.playout.playout import TALLY
from gtp_engine.playout.policy import SUGGESTIONS
from gtp_engine.playout.survey import SURVEY
from gtp_engine.search.arrays import policy_record
from gtp_engine.search.params import SearchParams
from gtp_engine.training.records import Records
from gtp_engine.training.sampler_kernels import write_batch

WORKSPACE_POSITIONS = 3


@dataclass(frozen=True)
class Batch:
    """B positions and their answers, from the side of the one to move."""

    planes: np.ndarray  # [B, PLANES, S, S] float32
    moves: np.ndarray  # [B] int64: the move played, row * S + column or S * S for a pass, moved by the same symmetry as the planes
    replies: np.ndarray  # [B] int64: the move after it, or NOTHING
    values: np.ndarray  # [B] float32: 1 won, 0 lost, 0.5 drawn or unknown
    scores: np.ndarray  # [B] float32: points that the side to move won by, NaN when the game was not counted
    numbers: np.ndarray  # [B] int64: moves before the position


class Sampler:
    """Draws batches from records. `vain` counts the draws that met an illegal move."""

    def __init__(self, records: Records, batch_size: int, seed: int, augment: bool = True) -> None:
        self.records = records
        self.starts = records.starts
        self.batch_size = batch_size
        self.seed = seed
        self.augment = augment
        self.models = load_model()
        self.policies = policy_record(SearchParams())
        self.vain = 0

    def batch(self, step: int) -> Batch:
        """Batch number `step`; the same one every time. Threads may call it at once."""
        records, count, size = self.records, self.batch_size, self.records.size
        batch = Batch(
            np.empty((count, PLANES, size, size), np.float32),
            np.empty(count, np.int64),
            np.empty(count, np.int64),
            np.empty(count, np.float32),
            np.empty(count, np.float32),
            np.empty(count, np.int64),
        )
        random = np.random.SeedSequence((self.seed, step)).generate_state(1, np.uint64)
        self.vain += write_batch(
            records.moves, self.starts, records.lengths, records.winner, records.margin, records.komi, size, random, self.augment,
            np.zeros(WORKSPACE_POSITIONS, POSITION), self.policies, np.zeros(1, TALLY), np.zeros(1, SUGGESTIONS), np.zeros(1, SURVEY),
            self.models, np.zeros(1, LOOKS),
            np.zeros(HISTORY, np.int64),
            batch.planes, batch.moves, batch.replies, batch.values, batch.scores, batch.numbers,
        )  # fmt: skip
        return batch
