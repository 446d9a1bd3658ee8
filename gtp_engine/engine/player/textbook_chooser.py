"""One of the textbook's players in place of our search, for `gtp-engine gtp --player`.

Everything else is the engine's own: rules, clocks, passing when the game is over, resignation by win rate, scores, records.
"""

import random
import time
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Self

import numpy as np

from gtp_engine.engine.player import EngineError
from gtp_engine.engine.player.game_state import Turn
from gtp_engine.engine.player.move_chooser import MoveChooser
from gtp_engine.engine.player.own_search import OwnSearch
from gtp_engine.engine.player.passing import is_mostly_empty
from gtp_engine.engine.player.statuses import SIGN
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import Candidate, SearchResult
from gtp_engine.engine.search.search import Limits, Progress
from gtp_engine.go.points import MAX_SIZE, PASS, POINTS, from_vertex, to_vertex
from gtp_engine.textbook.go_game import stone_difference
from gtp_engine.textbook.go_rollouts import SensibleGo, light_go_rollout
from gtp_engine.textbook.players import Choice, ShouldStop, Table, make_player
from gtp_engine.textbook.submission import PlayerFailedError, load_player

NO_IDEA = 0.5  # the win rate when the player gives none
NODE_BYTES = 32_000  # of memory for a node of the textbook's tree of Go, measured


class TextbookChooser(MoveChooser):
    """The player called `name`, or the one in a person's `file`.

    Raises ValueError for a name that is none of the textbook's, and EngineError for a file that is no player.
    With a seed and `playouts` the same moves every time; otherwise the time decides how far it looks. Live analysis is still that of our
    own search.
    """

    level = None

    def __init__(self, name: str, params: SearchParams | None = None, seed: int = 0, file: str = "") -> None:
        self.name, self.file = name, file
        if file:
            try:
                self.player = load_player(Path(file), random.Random(seed))
            except PlayerFailedError as error:
                raise EngineError(str(error)) from error
            return
        params = params or SearchParams()
        most = params.memory * 2**20 // NODE_BYTES
        start = SensibleGo.start(MAX_SIZE, 0.0)  # only for the record: the player is given each position
        table = Table(start, stone_difference, light_go_rollout, is_small=False)
        self.player = make_player(name, table, random.Random(seed), min(params.playouts or most, most))

    def search_params(self, params: SearchParams) -> SearchParams:
        """The players have no use for the opponent's time."""
        return replace(params, ponder=False)

    def restarted(self, params: SearchParams, seed: int) -> Self:
        """See MoveChooser."""
        return type(self)(self.name, params, seed, self.file)

    def choose(self, turn: Turn, limits: Limits, progress: Progress | None, search: OwnSearch) -> SearchResult:
        """Ask the player instead of our search. A move that is to be avoided at any depth is barred for this move."""
        started = time.monotonic()
        position = SensibleGo.from_game(turn.game, turn.color, turn.komi)
        if position.is_over():  # by two passes; the answer to another genmove is a pass
            return to_result(turn, Choice(to_vertex(PASS)), 0.0, search)
        barred = [to_vertex(point) for avoided, point in (turn.avoid or {}) if avoided == turn.color]
        choice = self.player(position.without(barred) if barred else position, stopper(limits, started, turn.cancelled))
        return to_result(turn, choice, time.monotonic() - started, search)


def stopper(limits: Limits, started: float, cancelled: Event) -> ShouldStop:
    """Is the time up, or is the search cancelled?"""
    seconds = limits.seconds
    return lambda: cancelled.is_set() or (seconds is not None and time.monotonic() - started >= seconds)


def to_result(turn: Turn, choice: Choice, seconds: float, search: OwnSearch) -> SearchResult:
    """The choice as a search's result. Who owns what is our verdict's business: the players have no idea when a game is over."""
    point = from_vertex(choice.move, turn.game.size)
    win_rate = NO_IDEA if choice.win_rate is None else choice.win_rate
    ownership, score = np.zeros(POINTS), 0.0
    if not is_mostly_empty(turn.game):
        verdict = search.verdict(turn.game)
        ownership, score = SIGN[turn.color] * verdict.ownership, SIGN[turn.color] * (verdict.count.score - turn.komi)
    candidate = Candidate(point, choice.visits, win_rate, score, [point], [choice.visits], 1.0, win_rate)
    return SearchResult([candidate], choice.visits, choice.visits, seconds, win_rate, score, ownership)
