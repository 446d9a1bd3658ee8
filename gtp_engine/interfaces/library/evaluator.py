"""An evaluator written by the user: a Python function that judges a batch of positions."""

from collections.abc import Callable, Sequence

import numpy as np

from gtp_engine.engine.network.katago.input_planes import planes_of
from gtp_engine.engine.player.evaluators import Evaluators
from gtp_engine.engine.search.arrays import SearchArrays
from gtp_engine.engine.search.evaluator import AnsweringEvaluator, Evaluator
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.game import Game
from gtp_engine.go.places import points_by_place
from gtp_engine.go.points import BLACK, PASS, WHITE, is_on_board, row_and_column

KEPT_ANSWERS = 20_000  # positions whose answers are kept
HIGHEST_LOGIT = 60.0  # a limit for float32 exponentials

Answer = tuple[np.ndarray, np.ndarray] | tuple[np.ndarray, np.ndarray, np.ndarray]


class PositionBatch:
    """B positions on boards of S lines, to judge from the side of the player to move. Valid until the function returns.

    boards -- int8 [B, S, S]: 1 own stone, -1 the opponent's, 0 empty; row 0 is the top one, column 0 the left one
    to_play -- int8 [B]: 1 if Black is to move, -1 if White is
    komi -- float32 [B]: points that the player to move gets, negative if it gives them
    last_moves -- int64 [B]: row * S + column of the move before, S * S for a pass, -1 for none
    ko -- int64 [B]: row * S + column of the point that may not be retaken, -1 for none
    """

    def __init__(self, arrays: SearchArrays, slots: Sequence[int]) -> None:
        self._arrays, self._slots = arrays, slots
        self._planes: np.ndarray | None = None
        leaves = arrays.workspaces["leaf"][list(slots)]
        positions = leaves["position"]
        self.size = int(positions["board_size"][0])
        is_black = positions["to_play"] == BLACK
        self.to_play = np.where(is_black, 1, -1).astype(np.int8)
        colors = positions["color"][:, points_by_place(self.size)]
        stones = (colors == BLACK).astype(np.int8) - (colors == WHITE).astype(np.int8)
        self.boards = (stones * self.to_play[:, None]).reshape(-1, self.size, self.size)
        self.komi = (-self.to_play * leaves["komi"]).astype(np.float32)
        self.last_moves = np.array([self._place(int(moves[0])) for moves in leaves["moves"]])
        self.ko = np.array([self._place(int(point)) for point in positions["ko_point"]])

    def __len__(self) -> int:
        """The number of positions."""
        return len(self._slots)

    @property
    def planes(self) -> np.ndarray:
        """float32 [B, PLANES, S, S]: the input planes of KataGo's networks, see engine/network/katago/inputs.py. Computed at first use."""
        if self._planes is None:
            self._planes = np.array([planes_of(self._arrays.leaf(slot)) for slot in self._slots])
        return self._planes

    def _place(self, point: int) -> int:
        """A point as a place in a policy; see last_moves."""
        if point == PASS:
            return self.size * self.size
        if not is_on_board(point, self.size):
            return -1
        row, column = row_and_column(point)
        return (self.size - row) * self.size + column - 1


Evaluate = Callable[[PositionBatch], Answer]


class FunctionEvaluator(AnsweringEvaluator):
    """Judges leaves by a function, `batch` at once. Raises ValueError, during the search, for invalid answers."""

    def __init__(self, evaluate: Evaluate, batch: int) -> None:
        super().__init__(KEPT_ANSWERS)
        self._evaluate = evaluate
        self.leaves = batch
        self.first_chunk, self.largest_chunk = batch, 4 * batch
        self._board: tuple[int, float] = (0, 0.0)  # size and komi of the kept answers

    def prepare(self, arrays: SearchArrays, game: Game) -> None:
        """See Evaluator."""
        arrays.shared["params"]["symmetry"] = 0  # the function gets boards that aren't turned
        board = game.size, float(arrays.shared[0]["komi"])
        if board != self._board:
            self.forget()
            self._board = board

    def answer(self, arrays: SearchArrays, slots: Sequence[int]) -> None:
        """See AnsweringEvaluator."""
        batch = PositionBatch(arrays, slots)
        policy, win, lead = checked(self._evaluate(batch), len(slots), batch.size)
        for row, slot in enumerate(slots):
            answer = arrays.answer(slot)[0]
            answer["policy"][: policy.shape[1]] = policy[row]
            answer["win"], answer["lead"], answer["votes"] = win[row], lead[row], 0


def checked(answer: Answer, count: int, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Logits [B, S * S + 1], wins [B] from 0 to 1, leads [B]. Raises ValueError."""
    if not isinstance(answer, tuple) or len(answer) not in (2, 3):
        raise ValueError("an evaluator must return (policy, win) or (policy, win, lead)")
    policy, win = np.asarray(answer[0], np.float32), np.asarray(answer[1], np.float32)
    lead = np.asarray(answer[2], np.float32) if len(answer) == 3 else np.zeros(count, np.float32)
    for name, array, shape in (("policy", policy, (count, size * size + 1)), ("win", win, (count,)), ("lead", lead, (count,))):
        if array.shape != shape:
            raise ValueError(f"an evaluator's {name} must have the shape {shape}, not {array.shape}")
        if not np.isfinite(array).all():
            raise ValueError(f"an evaluator's {name} must be finite numbers")
    if win.min() < 0.0 or win.max() > 1.0:
        raise ValueError("an evaluator's win must be from 0 to 1")
    return np.clip(policy, -HIGHEST_LOGIT, HIGHEST_LOGIT), win, lead


class FunctionEvaluators(Evaluators):
    """Gives each search an evaluator with the same function, whatever its parameters."""

    def __init__(self, evaluate: Evaluate, batch: int, warn: Callable[[str], None]) -> None:
        super().__init__(warn)
        self._evaluate, self._batch = evaluate, batch

    def new(self, kind: str, params: SearchParams, size: int) -> Evaluator:
        """See Evaluators."""
        return FunctionEvaluator(self._evaluate, self._batch)
