"""Tactics for playouts and the tree: liberties up to three, self-atari, ladders.

Liberties are counted only as 1, 2, or "3 or more".
"""

import numpy as np

from gtp_engine.compiled.copying import copy_record
from gtp_engine.compiled.jit import inner
from gtp_engine.go.points import BLACK, EDGE, EMPTY, MAX_SIZE, NO_POINT, WHITE
from gtp_engine.go.position import ADJACENT, EMPTY_NEIGHBOR, in_atari, play_stone, single_liberty, would_be_suicide

MANY = 3  # liberties: three or more
LADDER_LENGTH = 4 * MAX_SIZE  # moves of one side; a longer ladder counts as an escape


@inner
def liberties_of(position, point):
    """(count, first, second): the liberties of the chain on `point`, counted up to MANY; NO_POINT for missing ones."""
    first, second = NO_POINT, NO_POINT
    stone = np.int64(point)
    while True:
        for d in range(4):
            neighbor = stone + ADJACENT[d]
            if position.color[neighbor] == EMPTY and neighbor != first and neighbor != second:
                if first == NO_POINT:
                    first = neighbor
                elif second == NO_POINT:
                    second = neighbor
                else:
                    return MANY, first, second
        stone = np.int64(position.next_stone[stone])
        if stone == point:
            break
    return int(first != NO_POINT) + int(second != NO_POINT), first, second


@inner
def is_new_liberty(position, liberty, point, first, second):
    """True if `liberty` is an empty point other than these three."""
    return position.color[liberty] == EMPTY and liberty != point and liberty != first and liberty != second


@inner
def liberties_after(position, point, color, most):
    """The number of liberties, up to `most` (2 or 3), that a stone of `color` on this empty point would have with the chains it joins.

    Of captured chains only the stones beside `point` are counted as liberties: enough to tell self-atari, except for chains joined
    far away from the captured stones.
    """
    first, second = NO_POINT, NO_POINT
    for d in range(4):
        neighbor = point + ADJACENT[d]
        neighbor_color = position.color[neighbor]
        if neighbor_color == EDGE:
            continue
        if neighbor_color == color:
            stone = neighbor
            while True:
                for e in range(4):
                    liberty = stone + ADJACENT[e]
                    if is_new_liberty(position, liberty, point, first, second):
                        if second != NO_POINT or (first != NO_POINT and most == 2):
                            return most
                        if first == NO_POINT:
                            first = liberty
                        else:
                            second = liberty
                stone = np.int64(position.next_stone[stone])
                if stone == neighbor:
                    break
        elif (neighbor_color == EMPTY or in_atari(position, neighbor)) and neighbor != first and neighbor != second:
            if second != NO_POINT or (first != NO_POINT and most == 2):
                return most
            if first == NO_POINT:
                first = neighbor
            else:
                second = neighbor
    return int(first != NO_POINT) + int(second != NO_POINT)


@inner
def is_self_atari(position, point, color):
    """True if the chain of a stone of `color` on this empty point would have one liberty or none."""
    # two empty neighbors are two liberties: the usual case, without a walk along chains
    return position.neighbors[point] < 2 * EMPTY_NEIGHBOR and liberties_after(position, point, color, 2) < 2


@inner
def size_after(position, point, color):
    """The size of the chain that a stone of `color` on this empty point would form; a chain that it touches twice counts twice."""
    stones = 1
    for d in range(4):
        neighbor = point + ADJACENT[d]
        if position.color[neighbor] == color:
            stones += position.chain_size[position.chain[neighbor]]
    return stones


@inner
def capture_beside(position, point):
    """The liberty of an opponent's chain in atari beside the chain on `point`, whose owner can take it there; or NO_POINT."""
    opponent = WHITE + BLACK - position.color[point]
    stone = np.int64(point)
    while True:
        for d in range(4):
            neighbor = stone + ADJACENT[d]
            if position.color[neighbor] == opponent and in_atari(position, neighbor):
                liberty = single_liberty(position.liberties[position.chain[neighbor]])
                if liberty != position.ko_point:
                    return liberty
        stone = np.int64(position.next_stone[stone])
        if stone == point:
            break
    return NO_POINT


@inner
def is_bad_for(position, point, color):
    """True if the opponent could take a stone that `color` plays here at once."""
    return would_be_suicide(position, point, color) or is_self_atari(position, point, color)


@inner
def liberties_without(scratch, point, taken, color):
    """liberties_after, up to MANY, if the opponent had just played on `taken`: the liberties of a chain that extends to `point`."""
    scratch.color[taken] = EDGE  # temporarily, because a stone would need a chain
    liberties = liberties_after(scratch, point, color, MANY)
    scratch.color[taken] = EMPTY
    return liberties


@inner
def chase(scratch, point):
    """True if the chain on `point`, in atari with its owner to play, is captured in a ladder, which is played out in `scratch`.

    The defender captures an attacking chain that is in atari, otherwise it extends. The attacker chooses, of two liberties, the one after
    which the defender has fewer liberties when it extends to the other. This is right in plain ladders, but misses nets and double threats.
    """
    defender = np.int64(scratch.color[point])
    attacker = WHITE + BLACK - defender
    for _ in range(LADDER_LENGTH):
        if capture_beside(scratch, point) != NO_POINT:
            return False
        liberty = single_liberty(scratch.liberties[scratch.chain[point]])
        if would_be_suicide(scratch, liberty, defender):
            return True
        play_stone(scratch, liberty, defender)
        count, first, second = liberties_of(scratch, point)
        if count != 2:
            return count < 2
        if liberties_without(scratch, first, second, defender) < liberties_without(scratch, second, first, defender):
            first, second = second, first
        if is_bad_for(scratch, first, attacker):
            first = second
            if is_bad_for(scratch, first, attacker):
                return False
        play_stone(scratch, first, attacker)
    return False


@inner
def is_caught(position, scratch, point):
    """True if the chain on `point`, in atari with its owner to play, is lost in a ladder. Overwrites `scratch`, another POSITION."""
    copy_record(scratch, position)
    return chase(scratch, point)


@inner
def is_caught_after(position, scratch, point, move):
    """True if the chain on `point`, which has two liberties, is lost in a ladder when its opponent plays `move`, one of these.

    Overwrites `scratch`, another POSITION.
    """
    attacker = WHITE + BLACK - np.int64(position.color[point])
    if would_be_suicide(position, move, attacker):
        return False
    copy_record(scratch, position)
    play_stone(scratch, move, attacker)
    return chase(scratch, point)
