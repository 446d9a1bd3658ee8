"""Positions as compiled records: stones, chains, liberties, captures, simple ko.

One record holds everything about one position, updated stone by stone. The liberties of a chain are kept as one packed number:
each time a stone of the chain touches an empty point, that point's LIBERTY constant is added, so that 64 bits hold how many such
contacts there are, the sum of their points and the sum of the squares of their points. Three facts follow without a loop:
no contacts means captured; count * squares == sum * sum holds exactly when all contacts are one point (the equality case of
Cauchy and Schwarz), that is, when the chain is in atari; and sum / count is then that point.

Colors are passed as BLACK or WHITE, points as in points.py. Functions that change a position don't check legality unless they say so.
"""

import numpy as np

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.go.points import BLACK, EDGE, EMPTY, MAX_SIZE, NO_POINT, PASS, POINTS, STRIDE, WHITE

POSITION = np.dtype(
    [
        ("liberties", np.uint64, (POINTS,)),  # [P] by chain: packed count, sum and squares of its contacts with empty points
        ("hash", np.uint64),  # exclusive or of ZOBRIST over the stones; says nothing about ko or who is to play
        ("random", np.uint64),  # state of the xorshift generator; never 0
        ("chain", np.uint16, (POINTS,)),  # [P] the chain of the stone here, named by one of its points; stale where there is no stone
        ("next_stone", np.uint16, (POINTS,)),  # [P] the chain's stones as a ring
        ("chain_size", np.uint16, (POINTS,)),  # [P] by chain: number of stones
        (
            "neighbors",
            np.uint16,
            (POINTS,),
        ),  # [P] counts of the four neighbors: BLACK | WHITE << 4 | EMPTY << 8; EDGE counts as both colors
        ("empty_points", np.uint16, (MAX_SIZE * MAX_SIZE,)),  # the empty points in any order; the first empty_count are valid
        ("empty_index", np.uint16, (POINTS,)),  # [P] the index of an empty point in empty_points; stale for others
        ("empty_count", np.int32),
        ("board_size", np.int32),  # lines
        ("ko_point", np.int32),  # where to_play may not retake at once, or NO_POINT
        ("to_play", np.int32),  # BLACK or WHITE
        ("last_move", np.int32),  # point or PASS; NO_POINT before the first
        ("previous_move", np.int32),  # the one before last_move
        ("passes", np.int32),  # passes in a row just now
        ("move_count", np.int32),  # moves and passes so far
        ("captures", np.int32, (4,)),  # by color: prisoners taken by that player
        ("color", np.uint8, (POINTS,)),  # [P] EMPTY, BLACK, WHITE or EDGE
    ],
    align=True,
)

# Constants for compiled code: steps to the four neighbors and to the four diagonal points.
ADJACENT = np.array([1, -1, STRIDE, -STRIDE])
DIAGONAL = np.array([STRIDE + 1, STRIDE - 1, -STRIDE + 1, -STRIDE - 1])

COUNT_BITS, SUM_BITS = 12, 20  # 4 * 361 contacts < 2**12; their points sum to < 2**20 and the squares to < 2**28
SUM_SHIFT, SQUARES_SHIFT = np.uint64(COUNT_BITS), np.uint64(COUNT_BITS + SUM_BITS)
COUNT_MASK, SUM_MASK = np.uint64(2**COUNT_BITS - 1), np.uint64(2**SUM_BITS - 1)
LIBERTY = np.array([1 | point << COUNT_BITS | point * point << (COUNT_BITS + SUM_BITS) for point in range(POINTS)], np.uint64)
ZOBRIST = np.random.default_rng(19).integers(1, 2**63, (4, POINTS), dtype=np.uint64)  # [color, P]
NO_LIBERTIES = np.uint64(0)

EMPTY_NEIGHBOR = 256  # one EMPTY in `neighbors`
EDGE_NEIGHBOR = 17  # one EDGE in `neighbors`
LEGAL, OFF_BOARD, OCCUPIED, KO, SUICIDE = range(5)  # answers of legality()


def new_positions(count: int, size: int) -> np.ndarray:
    """`count` empty positions of `size` lines."""
    positions = np.zeros(count, POSITION)
    for i in range(count):
        clear(positions, i, size)
    return positions


@inner
def neighbor_unit(color):
    """The amount that one stone of `color` adds to `neighbors`."""
    return 1 if color == BLACK else 16


@inner
def neighbor_count(neighbors, color):
    """The number of the four neighbors that have `color` (BLACK or WHITE) or are EDGE."""
    return neighbors & 15 if color == BLACK else (neighbors >> 4) & 15


@inner
def is_single_liberty(liberties):
    """True if these packed liberties are a single one. Also true without any liberty."""
    count = liberties & COUNT_MASK
    points = (liberties >> SUM_SHIFT) & SUM_MASK
    return count * (liberties >> SQUARES_SHIFT) == points * points


@inner
def single_liberty(liberties):
    """The liberty of a chain in atari; the chain must have one."""
    return np.int64(((liberties >> SUM_SHIFT) & SUM_MASK) // (liberties & COUNT_MASK))


@inner
def in_atari(position, point):
    """True if the chain of the stone on `point` has exactly one liberty."""
    return is_single_liberty(position.liberties[position.chain[point]])


@inner
def clear_position(position, size):
    """An empty board of `size` lines with Black to play."""
    position.color[:] = EDGE
    position.liberties[:] = NO_LIBERTIES
    position.chain[:] = NO_POINT
    position.neighbors[:] = 0
    position.captures[:] = 0
    position.hash = np.uint64(0)
    position.random = np.uint64(88172645463325252)
    position.board_size = size
    position.ko_point = NO_POINT
    position.to_play = BLACK
    position.last_move = NO_POINT
    position.previous_move = NO_POINT
    position.passes = 0
    position.move_count = 0
    position.empty_count = 0
    for row in range(1, size + 1):
        for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
            position.color[point] = EMPTY
            add_empty_point(position, point)
    for i in range(position.empty_count):
        point = np.int64(position.empty_points[i])
        for d in range(4):
            is_edge = position.color[point + ADJACENT[d]] == EDGE
            position.neighbors[point] += EDGE_NEIGHBOR if is_edge else EMPTY_NEIGHBOR


@inner
def add_empty_point(position, point):
    """Append to empty_points."""
    position.empty_index[point] = position.empty_count
    position.empty_points[position.empty_count] = point
    position.empty_count += 1


@inner
def remove_empty_point(position, point):
    """Remove from empty_points; the last one takes its place."""
    i = position.empty_index[point]
    position.empty_count -= 1
    last = position.empty_points[position.empty_count]
    position.empty_points[i] = last
    position.empty_index[last] = i


@inner
def would_be_suicide(position, point, color):
    """True if a stone on this empty point has no liberties after captures. Ignores ko."""
    if position.neighbors[point] >= EMPTY_NEIGHBOR:
        return False
    for d in range(4):
        neighbor = point + ADJACENT[d]
        neighbor_color = position.color[neighbor]
        if neighbor_color == EDGE:
            continue
        # an own chain must keep another liberty; an opponent's chain in atari is captured
        if (neighbor_color == color) != in_atari(position, neighbor):
            return False
    return True


@inner
def legality(position, point, color, suicide_allowed):
    """LEGAL, or why `color` may not play on `point`. Simple ko forbids only to_play. Ignores superko."""
    if point == PASS:
        return LEGAL
    if point < 0 or point >= POINTS or position.color[point] == EDGE:
        return OFF_BOARD
    if position.color[point] != EMPTY:
        return OCCUPIED
    if point == position.ko_point and color == position.to_play:
        return KO
    if would_be_suicide(position, point, color):
        # suicide of a single stone would be like a pass: forbidden under every rule set
        if not suicide_allowed or not touches(position, point, color):
            return SUICIDE
    return LEGAL


@inner
def touches(position, point, color):
    """True if `point` has a neighbor of `color`."""
    for d in range(4):
        if position.color[point + ADJACENT[d]] == color:
            return True
    return False


@inner
def connect(position, point, other):
    """Join the chains of the own stones on `point` and `other`, if they are two: the smaller takes the larger one's name."""
    larger, smaller = position.chain[other], position.chain[point]
    if larger == smaller:
        return
    if position.chain_size[larger] < position.chain_size[smaller]:
        larger, smaller = smaller, larger
    position.liberties[larger] += position.liberties[smaller]
    position.chain_size[larger] += position.chain_size[smaller]
    stone = smaller
    while True:
        position.chain[stone] = larger
        stone = position.next_stone[stone]
        if stone == smaller:
            break
    after_larger = position.next_stone[larger]
    position.next_stone[larger] = position.next_stone[smaller]
    position.next_stone[smaller] = after_larger


@inner
def remove_chain(position, point, color):
    """Remove the chain of `color` on `point`; returns its number of stones."""
    unit = neighbor_unit(color)
    removed = 0
    stone = np.int64(point)
    while True:
        position.color[stone] = EMPTY
        add_empty_point(position, stone)
        position.hash ^= ZOBRIST[color, stone]
        for d in range(4):
            neighbor = stone + ADJACENT[d]
            position.neighbors[neighbor] += EMPTY_NEIGHBOR - unit
            if position.color[neighbor] == WHITE + BLACK - color:
                position.liberties[position.chain[neighbor]] += LIBERTY[stone]
        removed += 1
        stone = np.int64(position.next_stone[stone])
        if stone == point:
            break
    return removed


@inner
def put_stone(position, point, color):
    """Add a single stone as a chain of its own, not yet connected; removes this liberty from all chains around."""
    remove_empty_point(position, point)
    position.color[point] = color
    position.chain[point] = point
    position.next_stone[point] = point
    position.chain_size[point] = 1
    position.hash ^= ZOBRIST[color, point]
    unit = neighbor_unit(color)
    liberties = NO_LIBERTIES
    for d in range(4):
        neighbor = point + ADJACENT[d]
        position.neighbors[neighbor] -= EMPTY_NEIGHBOR - unit
        if position.color[neighbor] == EMPTY:
            liberties += LIBERTY[neighbor]
        else:
            position.liberties[position.chain[neighbor]] -= LIBERTY[point]
    position.liberties[point] = liberties


@inner
def play_stone(position, point, color):
    """Put a stone, connect it and capture; sets ko_point; returns the number of captured stones.

    `point` must be empty and the move no suicide. Doesn't touch to_play and the record of moves.
    """
    put_stone(position, point, color)
    captured, captured_point = 0, NO_POINT
    for d in range(4):
        neighbor = point + ADJACENT[d]
        neighbor_color = position.color[neighbor]
        if neighbor_color == color:
            connect(position, point, neighbor)
        elif neighbor_color == WHITE + BLACK - color and position.liberties[position.chain[neighbor]] == NO_LIBERTIES:
            captured += remove_chain(position, neighbor, neighbor_color)
            captured_point = neighbor
    position.captures[color] += captured
    # a single stone that took one stone and has that point as its only liberty can be retaken: ko
    is_ko = captured == 1 and position.chain_size[position.chain[point]] == 1 and in_atari(position, point)
    position.ko_point = captured_point if is_ko else NO_POINT
    return captured


@inner
def record_move(position, point, color):
    """Record the move that was just made and give the turn to the opponent."""
    position.previous_move = position.last_move
    position.last_move = point
    position.passes = position.passes + 1 if point == PASS else 0
    position.move_count += 1
    position.to_play = WHITE + BLACK - color


@inner
def play_move(position, point, color):
    """Play a stone or PASS for `color`; returns the number of captured stones. Must be legal and no suicide."""
    captured = 0
    if point == PASS:
        position.ko_point = NO_POINT
    else:
        captured = play_stone(position, point, color)
    record_move(position, point, color)
    return captured


@inner
def play_any_move(position, point, color):
    """play_move for rules that allow suicide: the move's own chain is removed if it has no liberty. Must be legal."""
    is_suicide = point != PASS and would_be_suicide(position, point, color)
    captured = play_move(position, point, color)
    if is_suicide:
        position.captures[WHITE + BLACK - color] += remove_chain(position, point, color)
    return captured


@entry
def clear(positions, i, size):
    """An empty board of `size` lines with Black to play in positions[i]."""
    clear_position(positions[i], size)


@entry
def check_move(positions, i, point, color, suicide_allowed):
    """LEGAL, OFF_BOARD, OCCUPIED, KO or SUICIDE for `color` on `point` in positions[i]. Ignores superko."""
    return legality(positions[i], point, color, suicide_allowed)


@entry
def play(positions, i, point, color):
    """Play a stone or PASS in positions[i], including suicide; returns the number of captured opponent stones. Must be legal."""
    return play_any_move(positions[i], point, color)


@entry
def set_stone(positions, i, point, color):
    """Put a stone of `color` on an empty point of positions[i] as set-up: nothing is captured, no move is recorded."""
    position = positions[i]
    put_stone(position, point, color)
    for d in range(4):
        if position.color[point + ADJACENT[d]] == color:
            connect(position, point, point + ADJACENT[d])
