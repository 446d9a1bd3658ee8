"""NetworkEvaluator: policy and value from a network at each leaf, for PUCT in the search's tree.

Each thread takes one leaf at a time through the network: on processors a batch is hardly faster (19x19: not at all), and a tree that
learns from each result before it picks the next leaf plays better.
"""

import numpy as np

from gtp_engine.go.game import Game
from gtp_engine.go.points import NO_POINT
from gtp_engine.network.cache import new_cache
from gtp_engine.network.features import HISTORY
from gtp_engine.network.leaf import DESK, advance
from gtp_engine.network.session import Backend, Question
from gtp_engine.search.arrays import SearchArrays
from gtp_engine.search.evaluator import FIRST_CHUNK, LARGEST_CHUNK
from gtp_engine.search.params import SearchParams


def recent_moves(game: Game) -> list[int]:
    """The last HISTORY moves, points or PASS, the last one first; NO_POINT where there is none."""
    recent = [point for _, point in game.moves[: -HISTORY - 1 : -1]]
    return recent + [NO_POINT] * (HISTORY - len(recent))


class NetworkEvaluator:
    """Evaluates leaves by a network, which sees what playouts make of them; mixes their results in when `playout_share` is not 0.

    For one Search.
    """

    first_chunk, largest_chunk = 1, 4  # an evaluation takes milliseconds
    memory = 128  # what onnxruntime, its session and the cache took for 6x48 on 19x19, two threads; 6x64 takes no more
    puct = True

    def __init__(self, backend: Backend, params: SearchParams, playout_share: float = 0.0) -> None:
        self.backend = backend
        self._params = params
        self._playout_share = playout_share
        self._cache = new_cache(params.cached_positions)
        self._board: tuple[int, float] = (0, 0.0)  # size and komi that the cache belongs to
        self._arrays: tuple[np.ndarray, ...] = ()
        self._desks = np.zeros(0, DESK)
        self._questions: list[Question] = []

    def _set_board(self, size: int, threads: int) -> None:
        """Make what the threads need on a board of `size` lines."""
        self._desks = np.zeros(threads, DESK)
        self._desks["uses_symmetry"] = self._params.symmetry
        self._questions = [self.backend.new_question(size) for _ in range(threads)]

    def prepare(self, arrays: SearchArrays, game: Game) -> None:
        """See Evaluator."""
        arrays.params["playout_share"] = self._playout_share
        self._arrays = arrays.all()
        board = game.size, float(arrays.params[0]["komi"])
        if board != self._board:
            self.forget()
            self._board = board
            self._set_board(game.size, len(arrays.workers))
        self._desks["root_moves"] = recent_moves(game)
        self._desks["komi"] = board[1]

    def forget(self) -> None:
        """See Evaluator."""
        self._cache = new_cache(self._params.cached_positions)

    def asked(self) -> int:
        """Questions to the network on this board."""
        return int(self._desks["asked"].sum())

    def cache_hits(self) -> int:
        """Leaves on this board that the cache knew."""
        return int(self._desks["hits"].sum())

    def simulate(self, arrays: SearchArrays, thread: int, count: int) -> int:
        """See Evaluator. `arrays` are those of the last `prepare`."""
        question = self._questions[thread]
        own = self._desks, self._cache, question.planes, *question.answer()
        while advance(*self._arrays, thread, count, *own):
            question.ask()
            count = 0
        return int(self._desks[thread]["done"])


class GuidedEvaluator(NetworkEvaluator):
    """Judges leaves by playouts; the network says which moves to look at where the tree is visited often. For one Search."""

    first_chunk, largest_chunk = FIRST_CHUNK, LARGEST_CHUNK
    puct = False

    def prepare(self, arrays: SearchArrays, game: Game) -> None:
        """See Evaluator."""
        super().prepare(arrays, game)
        arrays.params["asks_from"] = self._params.guided_visits
        arrays.params["widening"] = self._params.guided_widening
        arrays.params["model_bonus"] = self._params.guided_bonus
