"""NetworkEvaluator: answers of a network of any format, for the search's tree.

On processors each thread takes one leaf at a time through the network: a batch is hardly faster (19x19: not at all), and a tree that
learns from each answer before it picks the next leaf plays better.
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

LARGEST_CHUNK = 16  # batches; a slow network is asked fewer, as a chunk should take no longer than CHUNK_SECONDS


class NetworkEvaluator(AnsweringEvaluator):
    """Evaluates leaves by a network; playouts from them have `playout_share` of win and lead. For one Search."""

    first_chunk = 1
    memory = 128  # what onnxruntime, its session and the answers took for 6x48 on 19x19, two threads; 6x64 takes no more

    def __init__(self, network: OpenNetwork, params: SearchParams, playout_share: float = 0.0) -> None:
        super().__init__(params.cached_positions)
        self.network = network
        self.leaves = network.backend.leaves
        self.largest_chunk = LARGEST_CHUNK * self.leaves
        self._playout_share, self._surveyor = playout_share, Surveyor(params)
        self._board: tuple[int, float, Rules | None] = (0, 0.0, None)  # size, komi and rules that the answers belong to
        self._workspaces = np.zeros(0, WORKSPACE)
        self._batches: dict[tuple[int, int], Any] = {}  # by thread and number of leaves

    def prepare(self, arrays: SearchArrays, game: Game) -> None:
        """See Evaluator."""
        arrays.shared["params"]["playout_share"] = self._playout_share
        board = game.size, float(arrays.shared[0]["komi"]), game.rules  # KataGo's networks see the rules, too
        if board != self._board:
            self.forget()
            self._board, self._workspaces = board, arrays.workspaces
            self._batches = {}
            arrays.workspaces["asked"] = arrays.workspaces["hits"] = 0

    def asked(self) -> int:
        """Leaves on this board that the network was asked about."""
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
