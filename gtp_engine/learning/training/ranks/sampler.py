"""Training positions: games replayed by compiled code, each position as planes and what the network should say of it.

Batch number `step` of `seed` is always the same: what has been learned from is known by counting.
"""

from dataclasses import dataclass

import numpy as np

from gtp_engine.engine.move_model.model_file import load_model
from gtp_engine.engine.network.features import LEAF_SCRATCH, PLANES
from gtp_engine.engine.playout.params import PlayoutParams
from gtp_engine.engine.playout.policy import playout_policy
from gtp_engine.engine.search.leaf import LEAF
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.ranks.sampler_kernels import DRAW, GAME, NOTHING, ROW, SEARCHED, VISITS, RecordArrays, write_batch
from gtp_engine.learning.training.records import OWNER_UNKNOWN, Records

COLUMNS = ("move", "reply", "value", "score", "number", "left", "rank")  # of ROW, in the order of Batch


@dataclass(frozen=True)
class Batch:
    """B positions and their answers, from the side of the one to move."""

    planes: np.ndarray  # [B, PLANES, S, S] float32
    moves: np.ndarray  # [B] int64: the move played, row * S + column or S * S for a pass, moved by the same symmetry as the planes
    replies: np.ndarray  # [B] int64: the move after it, or NOTHING
    values: np.ndarray  # [B] float32: 1 won, 0 lost, 0.5 drawn or unknown
    scores: np.ndarray  # [B] float32: points that the side to move won by, NaN when the game was not counted
    numbers: np.ndarray  # [B] int64: moves before the position
    left: np.ndarray  # [B] int64: moves still played, the one from here included; 0 at the end of the game
    ranks: np.ndarray  # [B] int64: rank of the side to move, 30k = 0 ... 9d = 38, or UNKNOWN_RANK
    policies: (
        np.ndarray
    )  # [B, S * S + 1] float32: share of each move, turned as the planes are: all for the one played, or a search's visits
    owners: np.ndarray  # [B, S * S] int8: whose each point is at the end, 1 own, -1 the opponent's, 0 nobody's, or OWNER_UNKNOWN


class Sampler:
    """Draws batches from records."""

    def __init__(self, records: Records, batch_size: int, seed: int, augment: bool = True) -> None:
        self.records = records
        self.source = source_of(records)
        self.batch_size = batch_size
        self.seed = seed
        self.augment = augment
        self.models = load_model()
        self.policies = playout_policy(PlayoutParams())

    def batch(self, step: int) -> Batch:
        """Batch number `step`; the same one every time. Threads may call it at once. Raises TrainingError for games of illegal moves."""
        count, size = self.batch_size, self.records.size
        planes, rows = np.empty((count, PLANES, size, size), np.float32), np.zeros(count, ROW)
        random = np.random.SeedSequence((self.seed, step)).generate_state(1, np.uint64)[0]
        draws, work = np.array([(random, size, self.augment)], DRAW), (np.zeros(1, LEAF), np.zeros(1, LEAF_SCRATCH))
        if write_batch(self.source, draws, work, self.policies, self.models, planes, rows) < 0:
            raise TrainingError("hardly any position of the records can be reached by legal moves: they are damaged")
        move, reply, value, score, number, left, rank = (np.ascontiguousarray(rows[name]) for name in COLUMNS)
        policies, owners = rows["policy"][:, : size * size + 1].copy(), rows["owners"][:, : size * size].copy()
        return Batch(planes, move, reply, value, score, number, left, rank, policies, owners)


def source_of(records: Records) -> RecordArrays:
    """The records as compiled code reads them."""
    games, searches = games_of(records), records.searches
    owners = np.zeros((1, records.size**2), np.int8) if records.owners is None else records.owners
    searched, visits = np.zeros(len(searches or ()), SEARCHED), np.zeros(0 if searches is None else len(searches.moves), VISITS)
    if searches is not None:
        searched["place"], searched["first"], searched["count"] = searches.positions, searches.starts[:-1], np.diff(searches.starts)
        searched["chance"], visits["move"], visits["visits"] = searches.chances, searches.moves, searches.visits
    return RecordArrays(records.moves, games, owners, searched, visits)


def games_of(records: Records) -> np.ndarray:
    """[G] GAME."""
    games = np.zeros(len(records.lengths), GAME)
    games["start"], games["length"] = records.starts, records.lengths
    games["winner"], games["margin"], games["komi"] = records.winner, records.margin, records.komi
    games["ranks"] = records.ranks_of_persons()
    games["accepted"] = accepted_shares(records)
    games["owners"] = NOTHING
    if records.owners is not None:
        games["owners"] = np.where(np.asarray(records.owners[:, 0]) == OWNER_UNKNOWN, NOTHING, np.arange(len(records)))
    return games


def accepted_shares(records: Records) -> np.ndarray:
    """[G] float64: 1 without ranks; with them less for games of common ranks, so that there are enough positions of the rare ones.

    A rank that is four times as common as the one in the middle is drawn only twice as often.
    """
    if records.ranks is None:
        return np.ones(len(records))
    weaker = np.minimum(records.ranks[:, 0], records.ranks[:, 1]).astype(np.int64)  # an unknown one, 127, is never the weaker of two
    _, places, counts = np.unique(weaker, return_inverse=True, return_counts=True)
    return np.minimum(1.0, np.sqrt(np.median(counts) / counts))[places]
