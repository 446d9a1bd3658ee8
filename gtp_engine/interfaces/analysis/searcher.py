"""Searches one position after the other, each with its own tree, and sends the requested messages."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event
from typing import Any

from gtp_engine.engine.player import EngineError
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import SearchResult
from gtp_engine.engine.search.search import Limits, Progress
from gtp_engine.go.game import Game, IllegalMove
from gtp_engine.go.points import BLACK, WHITE, to_vertex
from gtp_engine.interfaces.analysis.output import Describer, priors_of
from gtp_engine.interfaces.analysis.overrides import FIELD as OVERRIDES
from gtp_engine.interfaces.analysis.protocol import Refusal, warning_message
from gtp_engine.interfaces.analysis.query import Query
from gtp_engine.interfaces.analysis.raw_network import HumanLook, Policy, human_look, raw_fields

Send = Callable[[dict[str, Any]], None]

LIMITS = ("playouts", "seconds")  # settings that don't change the search itself
FEWEST_HANDICAP = 2


@dataclass(frozen=True)
class QueriedPosition:
    """One position to analyze: a turn of a query's game. It holds no board; the game is replayed for the search."""

    query: Query
    turn: int


def positions_of(query: Query) -> list[QueriedPosition]:
    """The positions of a query. Raises Refusal for invalid stones and illegal moves."""
    Replay().game_at(query, len(query.moves))
    return [QueriedPosition(query, turn) for turn in query.turns]


class Replay:
    """Games of queries at any turn. It continues from the last one if possible, so that all turns of a game in order take one replay."""

    def __init__(self) -> None:
        self._query: Query | None = None
        self._game: Game | None = None
        self._turn = 0

    def game_at(self, query: Query, turn: int) -> Game:
        """A copy of the query's game before the move with this number, from 0. Raises Refusal like positions_of."""
        if self._game is None or query is not self._query or turn < self._turn:
            self._query, self._game, self._turn = query, start_of(query), 0
        for move in query.moves[self._turn : turn]:
            try:
                self._game.play(*move)
            except IllegalMove as error:
                raise Refusal(f"Illegal move {self._turn}: {to_vertex(move[1])}: {error}", "moves") from error
            self._turn += 1
        return self._game.copy()


def start_of(query: Query) -> Game:
    """The game before its first move. Black stones alone are a handicap if possible. Raises Refusal."""
    game = Game(query.size, query.rules)
    is_handicap = len(query.stones) >= FEWEST_HANDICAP and set(query.stones.values()) == {BLACK}
    first = query.first_player
    if first is None:
        first = query.moves[0][0] if query.moves else (WHITE if is_handicap else BLACK)
    try:
        game.set_up([(color, point) for point, color in sorted(query.stones.items())], first)
    except ValueError as error:
        raise Refusal(str(error), "initialStones") from error
    game.handicap = len(query.stones) if is_handicap else 0
    return game


class Searcher:
    """Searches positions with one engine. For one thread.

    engine -- used only here; its parameters are the defaults. Its limits: `playouts`, if not 0; `seconds`, with `is_timed` or if neither
    playouts nor a query's visits limit the search
    """

    def __init__(self, engine: Engine, is_timed: bool = False) -> None:
        self._engine = engine
        self._defaults = engine.params
        self._is_timed = is_timed
        self._replay = Replay()

    def clear_cache(self) -> None:
        """Forget all results about positions."""
        self._engine.clear_search()

    def search(self, position: QueriedPosition, send: Send, cancelled: Event) -> None:
        """Search the position and send its messages, the last one with isDuringSearch false. Setting `cancelled` ends the search."""
        query, report = position.query, position.query.report
        game = self._replay.game_at(query, position.turn)
        self._set_up(query, game)
        describer = Describer(query, position.turn, game)
        root, policy = self._first_look(describer, query)
        human = self._human_look(describer, query)
        is_first = position.turn == min(query.turns)  # of the query, which has one warning
        if human is not None and is_first and (warning := self._engine.evaluators.profile_warning(self._engine.params, game.size)):
            send(warning_message(warning, OVERRIDES, query.id))
        asks_policy = "includePolicy" in report.flags

        def message(result: SearchResult, is_during_search: bool) -> dict[str, Any]:
            """See Describer.message."""
            priors = (policy or priors_of(result)) if asks_policy else None
            return describer.message(result, is_during_search, root, priors, human)

        progress = None
        if report.every is not None:
            progress = Progress(lambda result: send(message(result, True)), report.every, report.first)
        send(message(self._engine.examine(game.to_play, self._limits(query), query.avoid, progress, cancelled), False))

    def _human_look(self, describer: Describer, query: Query) -> HumanLook | None:
        """The moves of the people that the query names, or None. Raises Refusal if no network predicts them."""
        if query.report.players is None:
            return None
        try:
            look = self._engine.profile_look(query.report.players)
        except EngineError as error:
            raise Refusal(str(error), OVERRIDES) from error
        return human_look(look, describer.is_turned)

    def _set_up(self, query: Query, game: Game) -> None:
        """Set the engine to the position, with an empty tree."""
        engine = self._engine
        settings = {name: value for name, value in query.settings.items() if name not in LIMITS}
        params: SearchParams = replace(self._defaults, **settings)
        if params != engine.params:
            engine.set_params(params)
        engine.state.rules, engine.state.komi = query.rules, query.komi
        engine.state.set_game(game)
        engine.forget_tree()

    def _limits(self, query: Query) -> Limits:
        """The limits of the search: the visits of the query, otherwise of the settings; the time likewise."""
        visits = query.settings.get("playouts", self._defaults.playouts) or None
        seconds = query.settings.get("seconds", self._defaults.seconds if self._is_timed or visits is None else None)
        return Limits(simulations=visits, seconds=seconds, early_stop=False)

    def _first_look(self, describer: Describer, query: Query) -> tuple[dict[str, Any], Policy | None]:
        """The network's evaluation without a search: fields of rootInfo, and the policy, if it is requested.

        Without a network in the search, and without the policy in the query, both are empty.
        """
        asks_policy = "includePolicy" in query.report.flags
        if not asks_policy and not self._engine.searches_with_network():
            return {}, None
        try:
            looks = [self._engine.network_look(symmetry=symmetry) for symmetry in range(query.report.symmetries)]
        except EngineError:
            return {}, None
        policy = {point: sum(look.policy[point] for look in looks) / len(looks) for point in looks[0].policy} if asks_policy else None
        return raw_fields(looks, describer.is_turned), policy
