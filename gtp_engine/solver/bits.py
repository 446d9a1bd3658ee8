"""The stones of a small region as bits of two numbers: chains, moves, and groups that nobody can take.

The points of a region are numbered from 0 (see region.py); a set of points is a 64-bit number. Stones outside the region never change: all
that counts of them is which points of the region lie beside one of ours that can't be taken, or beside an empty point where nobody plays.

Sides are ATTACKER and DEFENDER rather than colors. Everything is np.uint64: numba makes a float of one that meets a signed number.
"""

import numpy as np

from gtp_engine.jit import inner

ATTACKER, DEFENDER, NEITHER = 0, 1, 2  # the sides; NEITHER where one is to be named and none is meant
CAPTURE, TWO_EYES = 0, 1  # goals: the attacker takes every target; the defender makes a target that lives though its owner only passes
MOST_POINTS = 64  # of a region: the bits of a set

REGION = np.dtype(
    [
        ("beside", np.uint64, (MOST_POINTS,)),  # by point: the set of points beside it
        ("safe_beside", np.uint64, (2,)),  # by side: the points where its stones can't be taken, for what lies beside them outside
        ("everything", np.uint64),  # the set of all points
        ("goal", np.int32),  # CAPTURE or TWO_EYES; the side whose goal it is is the prover
        ("prover", np.int32),  # ATTACKER or DEFENDER
        ("ko_winner", np.int32),  # the side that may retake a ko at once; NEITHER: nobody may
    ],
    align=True,
)

NONE, ONE = np.uint64(0), np.uint64(1)
# The number of a bit: a de Bruijn sequence has each 6-bit word once, so the top six bits of bit * sequence differ for the 64 bits.
SEQUENCE, TOP_SIX = np.uint64(0x03F79D71B4CB0A89), np.uint64(58)
NUMBERS = np.zeros(MOST_POINTS, np.int64)
for _i in range(MOST_POINTS):
    NUMBERS[((1 << _i) * int(SEQUENCE) & 2**64 - 1) >> 58] = _i


@inner
def lowest(points):
    """One point of a set that is not empty, as a set."""
    return points & (~points + ONE)


@inner
def number_of(bit):
    """The number of a set's only point."""
    return NUMBERS[np.int64((bit * SEQUENCE) >> TOP_SIX)]


@inner
def bit_of(number):
    """The set of one point."""
    return ONE << np.uint64(number)


@inner
def count_points(points):
    """How many points a set has."""
    count = 0
    while points:
        points &= points - ONE
        count += 1
    return count


@inner
def spread(region, start, within):
    """(connected, around): `start` and all of `within` that is connected with it, and everything beside that, itself included."""
    found, frontier, around = start, start, NONE
    while frontier:
        bit = lowest(frontier)
        frontier ^= bit
        beside = region.beside[number_of(bit)]
        around |= beside
        fresh = beside & within & ~found
        found |= fresh
        frontier |= fresh
    return found, around


@inner
def take_off(region, bit, stones, empty, side):
    """The stones of `side` that a move on `bit` leaves without liberties."""
    taken = NONE
    attacked = region.beside[number_of(bit)] & stones
    while attacked:
        chain, around = spread(region, lowest(attacked), stones)
        attacked &= ~chain
        if not around & empty and not chain & region.safe_beside[side]:
            taken |= chain
    return taken


@inner
def play(region, own, other, bit, side):
    """(own, other, ko, is_legal): both sides' stones after `side` plays on the empty point `bit`, and where the other may not retake.

    A ko point is a set of one, or NONE. Suicide is not legal. Doesn't look at bans of ko.
    """
    own |= bit
    taken = take_off(region, bit, other, region.everything & ~(own | other), 1 - side)
    other &= ~taken
    chain, around = spread(region, bit, own)
    liberties = around & region.everything & ~(own | other)
    is_safe = chain & region.safe_beside[side] != NONE
    is_legal = liberties != NONE or is_safe
    is_ko = taken != NONE and taken & (taken - ONE) == NONE and chain == bit and liberties == taken and not is_safe
    return own, other, taken if is_ko else NONE, is_legal


@inner
def vital_count(region, around, safe, own, other, outside):
    """How many spaces walled in by `safe` stones alone are vital to a chain, up to two: each of their empty points is its liberty.

    `around`: the chain and all that lies beside it.
    """
    count = 0
    rest = around & ~own
    while rest:
        space, border = spread(region, lowest(rest), region.everything & ~own)
        rest &= ~space
        is_walled = not space & outside and not border & own & ~safe
        if is_walled and not space & ~other & ~around:
            count += 1
            if count == 2:
                break
    return count


@inner
def living(region, own, other, side):
    """The stones of `side` that stay on the board though their owner only passes (Benson 1976), or that can't be taken for what is outside.

    A space that the other side's stones outside look into is none of ours. go/benson.py has the same for a whole board, where no 64 bits
    are enough; a test compares them.
    """
    outside = region.safe_beside[1 - side]
    safe = own
    while True:
        kept, rest = NONE, safe
        while rest:
            chain, around = spread(region, lowest(rest), own)
            rest &= ~chain
            if chain & region.safe_beside[side] or vital_count(region, around, safe, own, other, outside) == 2:
                kept |= chain
        if kept == safe:
            return safe
        safe = kept
