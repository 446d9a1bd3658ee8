"""Gives the same numbers to moves that are the same by symmetry, such as 4-4 in all corners of an empty board.

A search finds slightly different values for them, because it searches each by itself and a network's answer changes when the board is
turned.
"""

from dataclasses import replace

import numpy as np

from gtp_engine.engine.search.result import Candidate, SearchResult, lower_bound
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, NO_POINT, PASS, WHITE, board_points, point_at, row_and_column

SYMMETRIES = 8


def turned_point(point: int, size: int, symmetry: int) -> int:
    """The place of this point, or PASS, on the turned board: bit 0 mirrors the rows, bit 1 the columns, then bit 2 swaps the two.

    Raises ValueError for a symmetry that isn't 0..7.
    """
    if not 0 <= symmetry < SYMMETRIES:
        raise ValueError(f"a symmetry is a number from 0 to {SYMMETRIES - 1}, not {symmetry}")
    if point == PASS:
        return PASS
    row, column = row_and_column(point)
    row = size + 1 - row if symmetry & 1 else row
    column = size + 1 - column if symmetry & 2 else column
    return point_at(column, row) if symmetry & 4 else point_at(row, column)


def board_symmetries(game: Game) -> list[int]:
    """The symmetries that leave the position unchanged, always including 0. After a ko was taken there is no other."""
    if game.ko_point() != NO_POINT:
        return [0]
    stones = {color: set(game.stones(color)) for color in (BLACK, WHITE)}
    return [
        symmetry
        for symmetry in range(SYMMETRIES)
        if all(turned_point(point, game.size, symmetry) in own for own in stones.values() for point in own)
    ]


def evened(result: SearchResult, game: Game) -> SearchResult:
    """The result with the same numbers for all moves that are the same by symmetry: the mean of their numbers.

    Each gets the variation of the one with most visits, turned. The search must not have avoided any first move.
    """
    symmetries = board_symmetries(game)
    if len(symmetries) == 1:
        return result
    candidates: list[Candidate] = []
    covered: set[int] = set()
    for candidate in result.candidates:
        if candidate.point not in covered:
            twins = {turned_point(candidate.point, game.size, symmetry) for symmetry in symmetries}
            alike = [other for other in result.candidates if other.point in twins]
            candidates += turned_candidates(alike, symmetries, game.size)
            covered |= {other.point for other in candidates}
    return replace(result, candidates=candidates, unvisited=[move for move in result.unvisited if move[0] not in covered])


def turned_candidates(alike: list[Candidate], symmetries: list[int], size: int) -> list[Candidate]:
    """The candidate with most visits and its images under the symmetries, with the mean of their numbers.

    If it has fewer visits than there are such moves, only those of `alike` are included, so that all together have no more visits than
    before.
    """
    best, visits = max(alike, key=lambda candidate: candidate.visits), sum(candidate.visits for candidate in alike)
    ways = {turned_point(best.point, size, symmetry): symmetry for symmetry in reversed(symmetries)}
    if visits < len(ways):
        ways = {candidate.point: ways[candidate.point] for candidate in alike}
    win_rate, score = (sum(candidate.visits * getattr(candidate, name) for candidate in alike) / visits for name in ("win_rate", "score"))
    share, prior = visits // len(ways), sum(candidate.prior for candidate in alike) / len(alike)
    mean = replace(best, visits=share, win_rate=win_rate, score=score, prior=prior, lower_bound=lower_bound(win_rate, share))
    return [turned_candidate(mean, symmetry, size) for symmetry in sorted(ways.values())]


def turned_candidate(candidate: Candidate, symmetry: int, size: int) -> Candidate:
    """The candidate on the turned board."""
    if not symmetry:
        return candidate
    variation = [turned_point(point, size, symmetry) for point in candidate.variation]
    before, after = candidate.ownership, None
    if before is not None:
        after = np.zeros_like(before)
        for point in board_points(size):
            after[turned_point(point, size, symmetry)] = before[point]
    return replace(candidate, point=variation[0], variation=variation, ownership=after)
