"""The verdict on a position: what is dead, what stands in seki, the count, and whether anything is left to play for.

genmove's passing, final_score and final_status_list all ask here, so that they agree.
"""

from dataclasses import dataclass, field

import numpy as np

from gtp_engine.go.count import Count, count, empty_regions, find_seki, living_colors
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, WHITE
from gtp_engine.go.rules import Scoring
from gtp_engine.playout.status import dead_stones, estimate_ownership
from gtp_engine.search.arrays import policy_record
from gtp_engine.search.params import SearchParams

SURE = 0.7  # an ownership as sure as this is settled; a living group without two finished eyes gets about 0.8 from playouts


@dataclass(frozen=True)
class Verdict:
    """How a position is judged as if the game ended now."""

    dead: set[int]  # stones that come off; none under rules that take every stone as alive
    seki: set[int]  # stones that live without two eyes
    hopeless: set[int]  # stones that playouts find dead, whatever the rules make of it
    count: Count  # without komi
    ownership: np.ndarray = field(repr=False)  # [P] -1..1, 1 for Black
    is_settled: bool = False  # is there nothing left that could change the count?


def judge(game: Game) -> Verdict:
    """Judge the position by playouts with the standard heavy policy; the same stones always get the same verdict."""
    ownership = estimate_ownership(game, policy_record(SearchParams()))
    hopeless = dead_stones(game, ownership)
    dead = set() if game.rules.all_alive else hopeless
    seki = find_seki(game, hopeless)
    board = count(game, dead, seki)
    return Verdict(dead, seki, hopeless, board, ownership, is_settled(game, board, hopeless, seki, ownership))


def is_settled(game: Game, board: Count, hopeless: set[int], seki: set[int], ownership: np.ndarray) -> bool:
    """Is every point's owner sure, and, where area counts, no neutral point left but those of a seki?"""
    sign = {BLACK: 1, WHITE: -1}
    if game.rules.all_alive and hopeless:
        return False  # the dead stones must be captured first
    if any(owner != EMPTY and sign[owner] * ownership[point] < SURE and point not in seki for point, owner in board.owners.items()):
        return False
    if game.rules.scoring is Scoring.TERRITORY:
        return True
    colors = living_colors(game, hopeless)
    neutral = [region for region in empty_regions(colors, game.size) if region.owner(colors) == EMPTY]
    return all(not region.border.isdisjoint(seki) for region in neutral)


def leads(board_score: float, color: int, komi: float) -> bool:
    """Does `color` win with this count and all of White's points beside the board?"""
    return board_score > komi if color == BLACK else board_score < komi
