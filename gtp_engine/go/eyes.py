"""Eyes for playouts and the tree: a local test of one empty point, and the test for playable points."""

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.go.points import BLACK, EDGE, WHITE
from gtp_engine.go.position import DIAGONAL, EMPTY_NEIGHBOR, neighbor_count, would_be_suicide


@inner
def is_eye(position, point, color):
    """True if this empty point is an own eye that `color` should not fill.

    All four neighbors must be own stones or EDGE, and the opponent may have at most one diagonal point, none at the edge: with more, the
    eye is false and the stones around it are not connected.
    """
    if neighbor_count(position.neighbors[point], color) != 4:
        return False
    opponent_diagonals, edge = 0, 0
    for d in range(4):
        diagonal_color = position.color[point + DIAGONAL[d]]
        opponent_diagonals += diagonal_color == WHITE + BLACK - color
        edge |= diagonal_color == EDGE
    return opponent_diagonals + edge < 2


@inner
def is_playable(position, point, color):
    """True if a playout or the tree may play on this empty point: legal apart from superko, no suicide, and no own eye."""
    if position.neighbors[point] >= EMPTY_NEIGHBOR:
        return True  # an empty neighbor is a liberty, so this is no suicide, no eye, and no ko
    return point != position.ko_point and not is_eye(position, point, color) and not would_be_suicide(position, point, color)


@entry
def is_eye_of(positions, i, point, color):
    """is_eye for an empty point of positions[i]."""
    return is_eye(positions[i], point, color)
