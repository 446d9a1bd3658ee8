"""The end of a game of self-play, and the owners of points.

A game ends by two passes, or as soon as it is settled: every point has a sure owner, and no neutral point is open. The player's verdict
decides this by playouts, proofs of life and small solved fights. It takes some hundredths of a second, so it is used only if a few playouts
find every point sure. Capturing all dead stones, as programs do under Tromp-Taylor rules, would lengthen games by moves that teach nothing.
"""

import numpy as np

from gtp_engine.engine.player.verdict import judge
from gtp_engine.engine.playout.status import dead_stones, estimate_ownership
from gtp_engine.go.count import Count, empty_regions, find_seki, living_colors
from gtp_engine.go.game import Game
from gtp_engine.go.places import place_of
from gtp_engine.go.points import BLACK, EMPTY, WHITE, board_points

GLANCE = 12  # playouts with each player to move first, which take about as long as a fast search
SURE = 0.8  # ownership from which a point's owner is sure, by these playouts
NOT_SURE = 0.05  # share of the points that may be unsure: those of a seki, or of a capturing race that the verdict reads
ALMOST = 0.15  # share of the points that may be unsure for a pass to be allowed
PATIENCE = 4  # moves until the verdict is tried again


class End:
    """Watches one game for its end. `policies`: [1] PLAYOUT_POLICY."""

    def __init__(self, game: Game, policies: np.ndarray) -> None:
        self._game = game
        self._policies = policies
        self._next = 0  # the move number before which the verdict isn't tried
        self._glance: tuple[int, np.ndarray] | None = None

    def settled(self) -> Count | None:
        """The count if the game is settled, otherwise None."""
        if len(self._game.moves) < self._next or self._unsure() > NOT_SURE or self._has_open_border():
            return None
        verdict = judge(self._game)
        self._next = len(self._game.moves) + PATIENCE
        return verdict.count if verdict.is_settled else None

    def may_pass(self) -> bool:
        """True if a pass is allowed. While much is open it would only spoil the game."""
        return self._game.passes() > 0 or self._unsure() <= ALMOST

    def count(self) -> Count:
        """The count of the current position without the dead stones."""
        return judge(self._game).count

    def _ownership(self) -> np.ndarray:
        """The ownership by the playouts of a glance, computed once for each position."""
        number = len(self._game.moves)
        if self._glance is None or self._glance[0] != number:
            self._glance = number, estimate_ownership(self._game, self._policies, GLANCE)
        return self._glance[1]

    def _unsure(self) -> float:
        """The share of the points whose owner isn't sure."""
        points = list(board_points(self._game.size))
        return float((np.abs(self._ownership()[points]) < SURE).mean())

    def _has_open_border(self) -> bool:
        """True if a neutral point is left that isn't part of a seki, given the stones that the glance finds dead."""
        game = self._game
        dead = dead_stones(game, self._ownership())
        colors, seki = living_colors(game, dead), find_seki(game, dead)
        neutral = [region for region in empty_regions(colors, game.size) if region.owner(colors) == EMPTY]
        return any(region.border.isdisjoint(seki) for region in neutral)


def owners_of(count: Count, size: int) -> list[int]:
    """[S * S]: +1 for Black's points, -1 for White's, 0 for neutral ones; row 0 at the top."""
    owners = [0] * (size * size)
    for point, color in count.owners.items():
        owners[place_of(point, size)] = 1 if color == BLACK else -1 if color == WHITE else 0
    return owners
