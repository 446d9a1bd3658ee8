"""The stones of a small region as bits of two numbers: groups that nobody can take.

The points of a region are numbered from 0 (see region.py), and a set of points is a 64-bit number. Stones outside the region never change.
Only one thing about them counts: which points of the region lie beside a stone that can't be taken, or beside an empty point where nobody
plays. `task` is a TASK, see graph.py.

Sides are ATTACKER and DEFENDER rather than colors. Sets are np.uint64: numba converts one to a float when it is combined with a signed
number.
"""

import numpy as np

from gtp_engine.compiled.jit import inner

ATTACKER, DEFENDER, NEITHER = 0, 1, 2  # the sides; NEITHER in place of a side where there is none
CAPTURE = 0  # a goal: the attacker takes every target
TWO_EYES = 1  # a goal: the defender makes a target that lives though its owner only passes
CAPTURE_ANY = 2  # a goal: the attacker takes one of the targets
MOST_POINTS = 64  # of a region: the bits of a set

NONE, ONE = np.uint64(0), np.uint64(1)
# The number of a bit: a de Bruijn sequence has each 6-bit word once, so the top six bits of bit * sequence differ for the 64 bits.
SEQUENCE, TOP_SIX = np.uint64(0x03F79D71B4CB0A89), np.uint64(58)
NUMBERS = np.zeros(MOST_POINTS, np.int64)
for _i in range(MOST_POINTS):
    NUMBERS[((1 << _i) * int(SEQUENCE) & 2**64 - 1) >> 58] = _i


@inner
def lowest(points):
    """One point of a non-empty set, as a set."""
    return points & (~points + ONE)


@inner
def number_of(bit):
    """The number of a set's only point."""
    return NUMBERS[np.int64((bit * SEQUENCE) >> TOP_SIX)]


@inner
def spread(task, start, within):
    """(connected, around): `start` with all points of `within` that are connected to it, and these together with all points beside them."""
    connected, frontier, around = start, start, NONE
    while frontier:
        bit = lowest(frontier)
        frontier ^= bit
        beside = task.beside[number_of(bit)]
        around |= beside
        fresh = beside & within & ~connected
        connected |= fresh
        frontier |= fresh
    return connected, around


@inner
def vital_count(task, around, safe, own, other, outside):
    """The number of spaces vital to a chain, at most two: `safe` stones alone enclose them, and all their empty points are liberties of the
    chain.

    `around`: the chain and all points beside it.
    """
    count = 0
    rest = around & ~own
    while rest:
        space, border = spread(task, lowest(rest), task.everything & ~own)
        rest &= ~space
        is_walled = not space & outside and not border & own & ~safe
        if is_walled and not space & ~other & ~around:
            count += 1
            if count == 2:
                break
    return count


@inner
def living(task, own, other, side):
    """The stones of `side` that stay on the board even if their owner always passes (Benson 1976), or that can't be taken because of the
    outside.

    A space with stones of the other side beside it, outside the region, doesn't count. go/benson.py does the same for a whole board, which
    doesn't fit into 64 bits; a test compares them.
    """
    outside = task.safe_beside[1 - side]
    safe = own
    while True:
        still_safe, rest = NONE, safe
        while rest:
            chain, around = spread(task, lowest(rest), own)
            rest &= ~chain
            if chain & task.safe_beside[side] or vital_count(task, around, safe, own, other, outside) == 2:
                still_safe |= chain
        if still_safe == safe:
            return safe
        safe = still_safe
