"""Searches of positions: a student's, whose trees hold what it must learn (DAgger, Ross et al. 2011), and a teacher's, for labels."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gtp_engine.engine.network.formats import OpenNetwork, format_of
from gtp_engine.engine.network.network_evaluator import NetworkEvaluator
from gtp_engine.engine.search.params import NETWORK, SearchParams
from gtp_engine.engine.search.result import SearchResult
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.go.game import Game
from gtp_engine.go.places import place_of, point_of
from gtp_engine.go.points import PASS
from gtp_engine.learning.training.katago.positions import NetworkAnswer, RecordPosition

LEAST_MEMORY = 32  # megabytes of a tree
VISITS_OF_MEGABYTE = 30  # each makes at most 362 nodes on 19x19


@dataclass(frozen=True)
class Student:
    """The network whose searches ask for positions."""

    path: str
    visits: int = 50  # of each search


class PositionSearch:
    """Searches positions as a player with this network does, with one thread. For one thread."""

    def __init__(self, network: OpenNetwork, visits: int) -> None:
        memory = max(LEAST_MEMORY, visits // VISITS_OF_MEGABYTE)
        params = SearchParams(evaluator=NETWORK, threads=1, memory=memory, cached_positions=visits, seed=1)
        self._search, self._visits = Search(params, NetworkEvaluator(network, params)), visits

    def run(self, game: Game, komi: float, seed: int) -> SearchResult:
        """The result of a search, which depends on the game, komi and seed only."""
        self._search.seed(seed)
        self._search.prepare(game, game.to_play, komi)
        return self._search.run(Limits(simulations=self._visits))

    def siblings(self, position: RecordPosition, seed: int) -> list[list[RecordPosition]]:
        """The positions that a search from `position` evaluates, without it: lists of children of one position. Raises IllegalMove.

        Finished games are left out, because no network is asked about them.
        """
        game = game_of(position)
        self.run(game, position.komi, seed)
        return [
            [after(position, [*line, point]) for point in points if point != PASS or not ends_in_pass(game, line)]
            for line, points in self._search.tried_moves().items()
        ]

    def deepened(self, position: RecordPosition, answer: NetworkAnswer, seed: int) -> NetworkAnswer:
        """The network's `answer` with the shares of a search's visits as policy, and the win and lead of its root. Raises IllegalMove."""
        result = self.run(game_of(position), position.komi, seed)
        policy = np.zeros(position.size**2 + 1)
        for candidate in result.candidates:
            policy[place_of(candidate.point, position.size)] = candidate.visits
        policy /= policy.sum()
        return answer._replace(policy=policy, optimistic=policy, win=result.win_rate, lead=result.score)


def open_student(student: Student) -> PositionSearch:
    """Its search. Raises NetworkError."""
    path = Path(student.path)
    return PositionSearch(format_of(path).load(path, SearchParams(threads=1)), student.visits)


def game_of(position: RecordPosition) -> Game:
    """The position as a game. Raises IllegalMove."""
    game = Game(position.size, position.rules)
    for number, place in enumerate(position.moves.tolist()):
        if number == position.placed > 0:
            game = game.with_set_up(number)
        game.play(game.to_play, point_of(place, position.size))
    return game.with_set_up(position.placed) if position.placed == len(position.moves) > 0 else game


def ends_in_pass(game: Game, line: tuple[int, ...]) -> bool:
    """True if the last move of this line from the game's position is a pass."""
    return line[-1] == PASS if line else game.passes() > 0


def after(position: RecordPosition, points: list[int]) -> RecordPosition:
    """The position after these moves."""
    places = np.array([place_of(point, position.size) for point in points], np.uint16)
    return replace(position, moves=np.concatenate((position.moves, places)))


def drawn_siblings(random: np.random.Generator, families: list[list[RecordPosition]], count: int) -> list[list[RecordPosition]]:
    """Families with `count` positions in all, or with all there are.

    One position after the other is drawn, all equally likely, and its siblings come with it, because a search compares them.
    """
    order = random.permutation([number for number, family in enumerate(families) for _ in family])
    drawn: list[list[RecordPosition]] = []
    for number in dict.fromkeys(order.tolist()):
        family = families[number]
        kept = sorted(random.permutation(len(family))[:count].tolist())
        drawn.append([family[i] for i in kept])
        count -= len(kept)
        if not count:
            break
    return drawn
