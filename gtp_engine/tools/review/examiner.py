"""Search positions of one game in parallel, each in one thread with a new tree. The number of threads doesn't change the answers."""

import queue
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from threading import Event

import numpy as np

from gtp_engine.base.processors import processors
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.evaluators import Evaluators
from gtp_engine.engine.player.factory import engines_side_by_side
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import SearchResult
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK
from gtp_engine.tools.review.judged_by import JudgedBy, judged_by, without_network
from gtp_engine.tools.review.model import Evaluation
from gtp_engine.tools.review.records import GameRecord

SEED = 1  # if the user gives none, so that a review can be repeated
OnAnswer = Callable[["SearchedPosition", Evaluation], None]  # called with each answer as it comes, in the thread that called examine


@dataclass(frozen=True, order=True)
class SearchedPosition:
    """A position to search: after `number` moves of the game, then a move on `point`, then a move on `reply`, as far as these are given."""

    number: int
    visits: int  # simulations; 0: the settings' seconds limit the search
    point: int | None = None
    reply: int | None = None  # the opponent's move after `point`
    trial: int = 0  # searches with different trials have different random numbers


class Examiner:
    """Searches as many positions at once as there are threads. It is not thread-safe itself."""

    def __init__(self, params: SearchParams, evaluators: Evaluators, seconds: float = 0.0) -> None:
        """`evaluators`: creates the evaluators, and several examiners may share it; `seconds`: the limit of a search without visits."""
        threads = params.threads or processors()
        self._engines = engines_side_by_side(threads, replace(params, threads=1, seed=params.seed or SEED), evaluators)
        self._params, self._evaluators = self._engines[0].full_params, evaluators
        self._seed, self._seconds = self._params.seed, seconds

    def warm_up(self) -> None:
        """Compile the search and open the network."""
        self._engines[0].warm_up()

    def judged_by(self, board_size: int) -> JudgedBy:
        """Return what judges on a board of this size. A network that can't be opened is noticed in the first search or in warm_up."""
        return without_network(board_size) if self._evaluators.has_refused() else judged_by(self._params, board_size)

    def examine(self, record: GameRecord, positions: Sequence[SearchedPosition], on_answer: OnAnswer) -> None:
        """Search every position and pass each answer to `on_answer` as it comes. Ctrl-C drops the searches that are not finished."""
        idle: queue.Queue[Engine] = queue.Queue()
        cancelled = Event()
        for engine in self._engines:
            engine.state.set_rules(record.rules)
            engine.state.komi = record.komi
            idle.put(engine)
        games = positions_of(record, positions)
        with ThreadPoolExecutor(len(self._engines)) as pool:
            try:
                waiting = {
                    pool.submit(self._answer, idle, cancelled, game, color, position): position
                    for position, (game, color) in zip(positions, games, strict=True)
                }
                for future in as_completed(waiting):
                    on_answer(waiting[future], future.result())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                cancelled.set()
                raise

    def _answer(self, idle: "queue.Queue[Engine]", cancelled: Event, game: Game, color: int, position: SearchedPosition) -> Evaluation:
        """Search one position with an idle engine."""
        engine = idle.get()
        try:
            engine.state.set_game(game)
            if game.passes() >= 2:
                return count_up(engine, color)
            engine.seed = self._seed + position.trial  # the tree is new as well: earlier searches must not change the answer
            limits = Limits(position.visits) if position.visits else Limits(seconds=self._seconds, early_stop=False)
            return to_evaluation(engine.examine(color, limits, cancelled=cancelled), color)
        finally:
            idle.put(engine)


def positions_of(record: GameRecord, positions: Sequence[SearchedPosition]) -> Iterator[tuple[Game, int]]:
    """Yield the game and the color to play for each position."""
    numbers = {position.number for position in positions}
    games = {number: game.copy() for number, game in enumerate(record.positions()) if number in numbers}
    for position in positions:
        game = games[position.number].copy()
        color = record.moves[position.number][0] if position.number < len(record.moves) else game.to_play
        for point in (position.point, position.reply):
            if point is not None:
                game.play(color, point)
                color = game.to_play
        yield game, color


def to_evaluation(result: SearchResult, color: int) -> Evaluation:
    """Return the result of a search for `color` as an evaluation from Black's side."""
    black = result if color == BLACK else result.for_opponent()
    ownership = black.ownership.astype(np.float32)
    return Evaluation(color, black.win_rate, black.score, ownership, result.candidates, result.unvisited, result.simulations)


def count_up(engine: Engine, color: int) -> Evaluation:
    """Return the final count of a finished game as an evaluation."""
    verdict = engine.verdict()
    lead = verdict.count.score - engine.state.white_points()
    return Evaluation(color, 0.5 if lead == 0 else float(lead > 0), lead, verdict.ownership)
