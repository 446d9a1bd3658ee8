"""How simple players see a position: at random, greedy for captures, and by flat Monte Carlo with light or heavy playouts."""

from collections.abc import Iterable

import numpy as np

from gtp_engine.go.count import liberties_of
from gtp_engine.go.eyes import is_eye_of
from gtp_engine.go.game import Game
from gtp_engine.go.life import chains_of
from gtp_engine.go.points import BLACK, PASS, opponent
from gtp_engine.playout.playout import PLAYOUT_SCRATCH, TALLY, run_playouts
from gtp_engine.playout.policy import playout_policy
from gtp_engine.search.params import SearchParams

Shares = dict[int, float]  # point -> how likely it is chosen


def sensible_moves(game: Game, color: int) -> list[int]:
    """Every legal point that is no own eye, as playouts choose them; PASS when there is none."""
    return [point for point in game.legal_points(color) if not is_eye_of(game.positions, 0, point, color)] or [PASS]


def random_shares(moves: list[int]) -> Shares:
    """Any of the moves."""
    return dict.fromkeys(moves, 1.0 / len(moves))


def greedy_shares(game: Game, color: int, moves: list[int]) -> Shares:
    """The largest capture; else what saves the largest chain in atari; else any of the moves. By lot among equals."""
    best: list[int] = []
    for gains in (capture_sizes(game, color, moves), saved_sizes(game, color, moves)):
        most = max(gains.values(), default=0)
        if most and not best:
            best = [point for point, stones in gains.items() if stones == most]
    return random_shares(best or moves)


def capture_sizes(game: Game, color: int, moves: list[int]) -> dict[int, int]:
    """How many stones each move takes; only moves that take any."""
    sizes: dict[int, int] = {}
    for chain, liberties in chains_with_liberties(game, opponent(color)):
        for point in liberties & set(moves) if len(liberties) == 1 else ():
            sizes[point] = sizes.get(point, 0) + len(chain)
    return sizes


def saved_sizes(game: Game, color: int, moves: list[int]) -> dict[int, int]:
    """How many stones in atari each move gives a second liberty by extending; only moves that save any."""
    sizes: dict[int, int] = {}
    for chain, liberties in chains_with_liberties(game, color):
        for point in liberties & set(moves) if len(liberties) == 1 else ():
            after = game.copy()
            after.play(color, point)
            if len(liberties_of(after, after.chain_at(point))) >= 2:
                sizes[point] = sizes.get(point, 0) + len(chain)
    return sizes


def chains_with_liberties(game: Game, color: int) -> Iterable[tuple[list[int], set[int]]]:
    """Every chain of a color and its liberties."""
    return [(chain, liberties_of(game, chain)) for chain in sorted(map(sorted, chains_of(game, color)))]


class Rollouts:
    """Playouts after one move, as many as are asked for, and what came out: flat Monte Carlo for one of its arms."""

    def __init__(self, game: Game, color: int, point: int, policy: str, seed: int) -> None:
        """`policy` is `light` or `heavy`."""
        after = game.copy()
        after.play(color, point)
        self._positions = after.positions
        self._positions[0]["random"] = seed
        self._policies = playout_policy(SearchParams(policy=policy))
        self._tallies, self._scratches = np.zeros(1, TALLY), np.zeros(1, PLAYOUT_SCRATCH)
        self._sign = 1 if color == BLACK else -1
        self.wins = 0.0
        self.score_sum = 0.0
        self.count = 0

    def run(self, count: int, komi: float) -> None:
        """`count` more playouts; `komi` is all that White gets."""
        for _ in range(count):
            before = float(self._tallies[0]["score_sum"])
            run_playouts(self._positions, self._policies, self._tallies, self._scratches, 1)
            lead = self._sign * (float(self._tallies[0]["score_sum"]) - before - komi)
            self.wins += 0.5 if lead == 0.0 else float(lead > 0.0)
            self.score_sum += lead
            self.count += 1

    @property
    def win_rate(self) -> float:
        """0..1, of the player who made the move."""
        return self.wins / max(self.count, 1)

    @property
    def lead(self) -> float:
        """Mean points, of the same player."""
        return self.score_sum / max(self.count, 1)
