"""Compiled scoring: at the end of a playout, and by area as Tromp and Taylor define it."""

import numpy as np

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.go.points import BLACK, EDGE, EMPTY, POINTS, STRIDE, WHITE
from gtp_engine.go.position import ADJACENT, neighbor_count

NEITHER = 0  # owner of a dame point; BLACK and WHITE own theirs


@inner
def add_playout_owners(position, ownership):
    """Black's points minus White's at the end of a playout; adds +1 to `ownership` at Black's points and -1 at White's.

    Every stone counts, and an empty point counts for the color of all its neighbors. That is right only if both sides have no moves left
    except in their own eyes.
    """
    score = 0
    size = position.board_size
    for row in range(1, size + 1):
        for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
            color = position.color[point]
            if color == EMPTY:
                if neighbor_count(position.neighbors[point], BLACK) == 4:
                    color = BLACK
                elif neighbor_count(position.neighbors[point], WHITE) == 4:
                    color = WHITE
            owner = int(color == BLACK) - int(color == WHITE)
            ownership[point] += owner
            score += owner
    return score


@inner
def spread_reach(position, color, reached, stack):
    """Mark in `reached` every empty point that is connected to a stone of `color` through empty points."""
    bit = np.uint8(color)
    height = 0
    for point in range(POINTS):
        if position.color[point] == color:
            stack[height] = point
            height += 1
    while height > 0:
        height -= 1
        point = stack[height]
        for d in range(4):
            neighbor = point + ADJACENT[d]
            if position.color[neighbor] == EMPTY and not reached[neighbor] & bit:
                reached[neighbor] |= bit
                stack[height] = neighbor
                height += 1


@inner
def area_score(position):
    """Black's area minus White's with every stone alive: stones, and empty points that reach one color only (Tromp and Taylor)."""
    reached = np.zeros(POINTS, np.uint8)  # BLACK | WHITE
    stack = np.empty(2 * POINTS, np.int64)
    spread_reach(position, BLACK, reached, stack)
    spread_reach(position, WHITE, reached, stack)
    score = 0
    for point in range(POINTS):
        color = position.color[point]
        if color == EDGE:
            continue
        owner = color if color != EMPTY else reached[point]
        score += int(owner == BLACK) - int(owner == WHITE)
    return score


@entry
def count_area(positions, i):
    """Black's area minus White's in positions[i] with every stone alive, without komi."""
    return area_score(positions[i])
