"""Nakade: the vital point of a small eye space, where one stone makes two eyes or takes them away."""

import numpy as np

from gtp_engine.go.points import EDGE, EMPTY, NO_POINT
from gtp_engine.go.position import ADJACENT
from gtp_engine.jit import inner

LARGEST_SPACE = 6  # points; larger spaces make two eyes anyhow


@inner
def has_vital_point(points, most_neighbors, neighbors):
    """Is a space of this many points killed or saved by its best connected one? Told from how its points touch each other.

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
def vital_point(position, start, space):
    """The vital point of the empty region around `start`, when one color's stones alone surround it; else NO_POINT.

    `space` is a scratch array for LARGEST_SPACE points.
    """
    space[0] = start
    points, border = 1, 0
    most_neighbors, all_neighbors, best = 0, 0, NO_POINT
    i = 0
    while i < points:
        beside = 0
        for d in range(4):
            neighbor = np.int64(space[i]) + ADJACENT[d]
            color = position.color[neighbor]
            if color == EMPTY:
                beside += 1
                known = False
                for k in range(points):
                    known |= space[k] == neighbor
                if not known:
                    if points == LARGEST_SPACE:
                        return NO_POINT
                    space[points] = neighbor
                    points += 1
            elif color != EDGE:
                border |= color
        all_neighbors += beside
        if beside > most_neighbors:
            most_neighbors, best = beside, np.int64(space[i])
        i += 1
    if border == EDGE or not has_vital_point(points, most_neighbors, all_neighbors):
        return NO_POINT  # BLACK | WHITE is 3, like EDGE: both colors touch it
    return best
