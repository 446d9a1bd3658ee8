"""Nakade: the vital point of a small eye space, where one stone makes two eyes or takes them away."""

import numpy as np

from gtp_engine.compiled.jit import inner
from gtp_engine.go.eyes import is_playable
from gtp_engine.go.points import BLACK, EDGE, EMPTY, NO_POINT, WHITE
from gtp_engine.go.position import ADJACENT, EMPTY_NEIGHBOR

BOTH_COLORS = BLACK | WHITE
LARGEST_SPACE = 6  # points; larger spaces always have two eyes


@inner
def has_vital_point(points, most_neighbors, neighbors):
    """True if a space of so many points is killed or saved by its best connected point, judged by how the points touch each other.

    `most_neighbors` is the highest number of points of the space beside one of its points, `neighbors` the sum over all points:
    three in any shape; pyramid four; crossed five and bulky five; rabbity six.
    """
    if points == 3:
        return True
    if points == 4:
        return most_neighbors == 3
    if points == 5:
        return most_neighbors == 4 or (most_neighbors == 3 and neighbors == 10)
    return points == 6 and most_neighbors == 4 and neighbors == 12


@inner
def is_straight_four(points, most_neighbors, neighbors):
    """True if the space is four points in a row, straight or bent. It is alive unless the opponent gets both middle points."""
    return points == 4 and most_neighbors == 2 and neighbors == 6


@inner
def is_killing_shape(points, most_neighbors, neighbors):
    """True if the owner of a space of this shape gets fewer than two eyes when the opponent plays in it first."""
    return points <= 2 or (points == 4 and neighbors == 8) or has_vital_point(points, most_neighbors, neighbors)


@inner
def is_listed(space, points, point):
    """True if `point` is among the first `points` of `space`."""
    is_found = False
    for i in range(points):
        is_found |= space[i] == point
    return is_found


@inner
def vital_point_around(position, start, invader, space):
    """The vital point of the region around `start` if one color alone surrounds it and the point is still empty; otherwise NO_POINT.

    The region: empty points and the stone on `invader`, which may be NO_POINT. With an invader the second middle point of a straight four
    is vital too. `space` is a scratch array for LARGEST_SPACE points.
    """
    space[0] = start
    points, border = 1, 0
    most_neighbors, all_neighbors, best, most_at_best = 0, 0, NO_POINT, 0
    i = 0
    while i < points:
        beside = 0
        for d in range(4):
            neighbor = np.int64(space[i]) + ADJACENT[d]
            color = position.color[neighbor]
            if color == EMPTY or neighbor == invader:
                beside += 1
                if not is_listed(space, points, neighbor):
                    if points == LARGEST_SPACE:
                        return NO_POINT
                    space[points] = neighbor
                    points += 1
            elif color != EDGE:
                border |= color
                if border == BOTH_COLORS:
                    return NO_POINT
        all_neighbors += beside
        most_neighbors = max(most_neighbors, beside)
        if beside > most_at_best and space[i] != invader:
            most_at_best, best = beside, np.int64(space[i])
        i += 1
    is_vital = has_vital_point(points, most_neighbors, all_neighbors)
    is_vital |= invader != NO_POINT and is_straight_four(points, most_neighbors, all_neighbors)
    return best if is_vital and most_at_best == most_neighbors else NO_POINT


@inner
def vital_point(position, start, space):
    """The vital point of the empty region around `start` if one color alone surrounds it; otherwise NO_POINT."""
    return vital_point_around(position, start, NO_POINT, space)


@inner
def vital_answer(position, space):
    """The move that saves the eye space that the last move entered as a single stone; NO_POINT if there is nothing to save."""
    last = np.int64(position.last_move)
    # with more than two liberties it took the vital point itself, or the space is large; this is so for most moves
    if position.neighbors[last] >= 3 * EMPTY_NEIGHBOR or position.chain_size[position.chain[last]] != 1:
        return NO_POINT
    return vital_point_around(position, last, last, space)


@inner
def vital_move(position, color, space):
    """The vital point for `color` if the last move, a stone, made a small eye space or entered one of ours; otherwise NO_POINT.

    `space` is a scratch array for LARGEST_SPACE points.
    """
    answer = vital_answer(position, space)
    if answer != NO_POINT and is_playable(position, answer, color):
        return answer
    for d in range(4):
        neighbor = position.last_move + ADJACENT[d]
        if position.color[neighbor] == EMPTY:
            point = vital_point(position, neighbor, space)
            if point != NO_POINT and is_playable(position, point, color):
                return point
    return NO_POINT


@inner
def is_nakade_filling(position, point, color, space):
    """True if a stone of `color` here fills all but one point of an opponent's eye space, which is then too small after the capture.

    Such a self-atari is no mistake: it threatens to take all stones around. Also True for a single stone with no empty point beside it,
    such as one that takes a ko: a capture is no mistake either. `space` is a scratch array for LARGEST_SPACE points.
    """
    space[0] = point
    points, liberty = 1, NO_POINT
    most_neighbors, all_neighbors = 0, 0
    i = 0
    while i < points:
        beside = 0
        for d in range(4):
            neighbor = np.int64(space[i]) + ADJACENT[d]
            if position.color[neighbor] == color or neighbor == point:
                beside += 1
                if not is_listed(space, points, neighbor):
                    if points == LARGEST_SPACE:
                        return False
                    space[points] = neighbor
                    points += 1
            elif position.color[neighbor] == EMPTY:
                if liberty != NO_POINT and liberty != neighbor:
                    return False
                liberty = neighbor
        all_neighbors += beside
        most_neighbors = max(most_neighbors, beside)
        i += 1
    return is_killing_shape(points, most_neighbors, all_neighbors) and is_last_liberty(position, liberty, color, space, points)


@inner
def is_last_liberty(position, liberty, color, space, points):
    """True if `liberty` has only the opponent, the edge and the first `points` of `space` beside it."""
    for d in range(4):
        neighbor = liberty + ADJACENT[d]
        if (position.color[neighbor] == EMPTY or position.color[neighbor] == color) and not is_listed(space, points, neighbor):
            return False
    return True
