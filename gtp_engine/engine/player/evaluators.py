"""From settings to evaluators: the one place where a player meets networks."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.formats import NetworkSummary, OpenNetwork, format_of
from gtp_engine.engine.network.human_profile import LEARNED_SIZE, OFF_LEARNED_SIZE, HumanProfile, at_own_rank
from gtp_engine.engine.network.loading import NetworkLoader, kind_for, network_path
from gtp_engine.engine.network.look import Angle, Look, look
from gtp_engine.engine.player import EngineError
from gtp_engine.engine.player.game_state import Turn
from gtp_engine.engine.player.warm_up import WarmUpPlan, warm_up
from gtp_engine.engine.search.evaluator import Evaluator, PlayoutEvaluator
from gtp_engine.engine.search.params import AUTO, SMALL_BOARD, SearchParams, evaluator_for, evaluators_for, needs_network
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, MAX_SIZE, POINTS
from gtp_engine.go.rules import Rules

FAIR_KOMI = 7.0  # the komi in the network's input when only ownership is needed


class Evaluators:
    """Makes the evaluators of one engine and keeps its network open. `warn` gets one sentence, once, when a network can't be used."""

    def __init__(self, warn: Callable[[str], None], networks: NetworkLoader | None = None) -> None:
        """`networks`: opens network files; pass the same one to engines that share networks. None: a new one."""
        self._warn = warn
        self.human_network = ""  # the file of a human network beside the one that judges; empty: that one, if it is a human one
        self._networks = networks or NetworkLoader()
        self._refusals: set[str] = set()  # what was said about networks that can't be used
        self._told: set[str] = set()  # other warnings

    def new(self, kind: str, params: SearchParams, size: int) -> Evaluator:
        """A new evaluator of this kind for boards like this one, or playouts, with a warning, when its network can't be used."""
        if not needs_network(kind) and not params.network:
            return PlayoutEvaluator()
        kind = kind_for(kind, params)
        if not needs_network(kind):
            return PlayoutEvaluator()
        try:
            return self._networks.evaluator(kind, params, size)
        except NetworkError as error:
            if str(error) not in self._refusals:
                self._warn(f"{error}; playing with playouts instead")
            self._refusals.add(str(error))
            return PlayoutEvaluator()

    def warn_once(self, text: str) -> None:
        """Warn, unless this was said before."""
        if text not in self._told:
            self._told.add(text)
            self._warn(text)

    def has_refused(self) -> bool:
        """Has a network been requested that can't be used?"""
        return bool(self._refusals)

    def network_look(self, turn: Turn, params: SearchParams, symmetry: int = 0, optimism: float | None = None) -> Look:
        """The network's evaluation of the position for the turn's color, see look. Raises EngineError if no network can be used."""
        return self._look(turn, Angle(symmetry, optimism=optimism), lambda: self._networks.network(params, turn.game.size))

    def searches_with_network(self, params: SearchParams, size: int) -> bool:
        """Do searches with these settings evaluate positions on boards like this one by a network?"""
        return not self.has_refused() and needs_network(kind_for(evaluator_for(params.evaluator, size), params))

    def network_owners(self, game: Game, params: SearchParams) -> np.ndarray | None:
        """[P] -1..1, 1 for Black: the ownership by the network that the search uses on this board; None if there is none."""
        if not self.searches_with_network(params, game.size):
            return None
        try:
            owned = self.network_look(Turn(game, game.to_play, FAIR_KOMI), params).ownership
        except EngineError:
            return None  # the search warns of it
        owners = np.zeros(POINTS)
        owners[list(owned)] = list(owned.values())
        return (owners if game.to_play == BLACK else -owners) if owned else None

    def rank_look(self, turn: Turn, params: SearchParams, symmetry: int, players: HumanProfile) -> Look:
        """The included network's prediction for these people, see look. Raises EngineError if there is none."""
        return self._look(turn, Angle(symmetry, players), lambda: self._networks.ranks_network(params))

    def human_look(self, turn: Turn, params: SearchParams, symmetry: int, players: HumanProfile) -> Look:
        """Like rank_look, by the configured human network. Raises EngineError if there is none."""
        return self._look(turn, Angle(symmetry, players), lambda: self._networks.network(self._human_params(params), turn.game.size))

    def _look(self, turn: Turn, angle: Angle, network: Callable[[], OpenNetwork]) -> Look:
        """See look. Raises EngineError if there is no such network."""
        try:
            return look(turn.game, turn.komi, network(), turn.color, angle)
        except NetworkError as error:
            raise EngineError(str(error)) from error

    def _human_params(self, params: SearchParams) -> SearchParams:
        """Settings whose network is the human one. Raises EngineError when none is named."""
        file = self.human_network or params.network
        if not file:
            raise EngineError("--human-rank needs one of KataGo's human networks: name one with --network or --human-network")
        return replace(params, network=file)

    def has_human_network(self, params: SearchParams) -> bool:
        """Is a human network of KataGo's named, beside the one that judges or as it?"""
        try:
            path = network_path(self._human_params(params), MAX_SIZE)
            return format_of(path).summarize(path).knows_players
        except (EngineError, NetworkError):
            return False

    def profile_look(self, turn: Turn, params: SearchParams, players: HumanProfile) -> Look:
        """The prediction for these people by the configured human network, or by our own ranks, see at_own_rank. Raises EngineError."""
        if self.has_human_network(params):
            return self.human_look(turn, params, 0, players)
        try:
            return self.rank_look(turn, params, 0, at_own_rank(players, turn.color))
        except ValueError as error:
            raise EngineError(str(error)) from error

    def profile_warning(self, params: SearchParams, size: int) -> str:
        """A restriction of profile_look on boards like this one, a sentence; empty if there is none."""
        return OFF_LEARNED_SIZE if size != LEARNED_SIZE and not self.has_human_network(params) else ""

    def models(self, params: SearchParams) -> list[dict[str, Any]]:
        """The networks that these settings use on small and large boards, if any, under the names of KataGo's list of models.

        A human network is used as well if one is named: it predicts people's moves and doesn't evaluate positions.
        """
        is_used = any(needs_network(kind) for kind in evaluators_for(params.evaluator))
        if not is_used and not params.network and not self.human_network:
            return []
        files = [params.network]
        if self.human_network and self.has_human_network(params):
            files.append(self.human_network)
        try:
            sizes = (SMALL_BOARD, MAX_SIZE)
            paths = dict.fromkeys(network_path(replace(params, network=file), size) for file in files for size in sizes)
            models = [self._model(path, format_of(path).summarize(path)) for path in paths]
        except NetworkError:
            return []
        uses_f16 = "auto" if params.precision == AUTO else str(params.precision != "f32").lower()
        return [model | {"usingFP16": uses_f16} for model in models if is_used or model["usesHumanSLProfile"]]

    def _model(self, path: Path, summary: NetworkSummary) -> dict[str, Any]:
        """One network under KataGo's keys."""
        return {
            "name": path.name,
            "internalName": summary.name or path.stem,
            "maxBatchSize": 1,
            "usesHumanSLProfile": summary.knows_players,
            "version": summary.version,
        }

    def warm_up(self, params: SearchParams, rules: Rules, komi: float, look: Callable[[], object] | None = None) -> None:
        """Compile every kernel that a game with these settings needs, or load it from the cache; tells on stderr what is compiled.

        `look`: see WarmUpPlan.
        """
        warm_up(WarmUpPlan(params, rules, komi, look), self.new)
