"""NetworkEvaluator: judges the leaves of a search by a network of any format.

On processors each thread runs the network for one leaf at a time: larger batches are hardly faster (not at all on 19x19), and a search that
uses each answer before it chooses the next leaf plays better.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gtp_engine.engine.network.formats import OpenNetwork
from gtp_engine.engine.network.surveyor import Surveyor
from gtp_engine.engine.search.arrays import SearchArrays
from gtp_engine.engine.search.evaluator import AnsweringEvaluator
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.workspace import WORKSPACE
from gtp_engine.go.game import Game
from gtp_engine.go.rules import Rules

LARGEST_CHUNK = 16  # batches; fewer for a slow network, because a chunk should take at most CHUNK_SECONDS


class NetworkEvaluator(AnsweringEvaluator):
    """Judges leaves by a network. Playouts from the leaves have the share `playout_share` of win and lead. For one Search."""

    first_chunk = 1
    memory = 128  # megabytes that onnxruntime, its session and the answers took for 6x48 on 19x19, two threads; 6x64 takes no more

    def __init__(self, network: OpenNetwork, params: SearchParams, playout_share: float = 0.0) -> None:
        super().__init__(params.cached_positions)
        self.network = network
        self.leaves = network.backend.leaves
        self.largest_chunk = LARGEST_CHUNK * self.leaves
        self._playout_share, self._surveyor = playout_share, Surveyor(params)
        self._board: tuple[int, float, Rules | None] = (0, 0.0, None)  # size, komi and rules of the kept answers
        self._workspaces = np.zeros(0, WORKSPACE)
        self._batches: dict[tuple[int, int], Any] = {}  # by thread and number of leaves

    def prepare(self, arrays: SearchArrays, game: Game) -> None:
        """See Evaluator."""
        arrays.shared["params"]["playout_share"] = self._playout_share
        board = game.size, float(arrays.shared[0]["komi"]), game.rules  # KataGo's networks also see the rules
        if board != self._board:
            self.forget()
            self._board, self._workspaces = board, arrays.workspaces
            self._batches = {}
            arrays.workspaces["asked"] = arrays.workspaces["hits"] = 0

    def asked(self) -> int:
        """The number of leaves on this board that the network judged."""
        return int(self._workspaces["asked"].sum())

    def answer(self, arrays: SearchArrays, slots: Sequence[int]) -> None:
        """See AnsweringEvaluator."""
        key = slots[0] // self.leaves, len(slots)
        batch = self._batches.get(key)
        if batch is None:
            batch = self._batches[key] = self.network.backend.new_batch(self._board[0], len(slots))
        features, leaves = self.network.features, [arrays.leaf(slot) for slot in slots]
        for row, leaf in enumerate(leaves):
            if self._playout_share:
                self._surveyor.survey(leaf)
            features.encode(leaf, batch, row)
        batch.run()
        for row, (leaf, slot) in enumerate(zip(leaves, slots, strict=True)):
            features.decode(leaf, batch, row, arrays.answer(slot))
