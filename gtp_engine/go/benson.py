"""Stones that can never be captured, even if their owner always passes (Benson, "Life in the game of Go", 1976). Compiled.

A region is a connected set of points without stones of the color. It is vital to a chain if each of its empty points is a liberty of the
chain: then the opponent can make no eye in it. A set of chains is safe if each has two vital regions that are surrounded by chains of the
set only.

The solver has its own form of this (engine/solver/bits.py), on the 64 bits of a region with a fixed outside.
"""

import numpy as np

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.go.points import EDGE, EMPTY, MAX_SIZE, POINTS, STRIDE
from gtp_engine.go.position import ADJACENT

MOST_REGIONS = MAX_SIZE * MAX_SIZE
MOST_VITAL = 4  # chains that one region can be vital to: all of them touch its first empty point
NOBODY = 0  # in place of a chain: the point in the corner of the array, which is off the board

BENSON = np.dtype(
    [
        ("region_count", np.int32),
        ("is_safe", np.uint8, (POINTS,)),  # [P] by chain: 1 while it is in the set
        ("eyes", np.uint16, (POINTS,)),  # [P] by chain: vital regions enclosed by the set
        ("region", np.uint16, (POINTS,)),  # [P] the region a point is in, from 1; 0 for stones of the color and off the board
        ("queue", np.uint16, (POINTS,)),  # points of one region that wait to be visited
        ("vital", np.uint16, (MOST_REGIONS + 1, MOST_VITAL)),  # by region: the chains it is vital to, then NOBODY
        ("is_walled", np.uint8, (MOST_REGIONS + 1,)),  # by region: 1 if all chains around it are in the set
    ],
    align=True,
)


@inner
def touches_chain(position, point, chain):
    """True if a stone of this chain is beside the point."""
    for d in range(4):
        beside = point + ADJACENT[d]
        if position.color[beside] != EMPTY and position.color[beside] != EDGE and position.chain[beside] == chain:
            return True
    return False


@inner
def narrow_vital(benson, position, region, point, color, is_first):
    """Keep those chains in `vital` that have the empty `point` as a liberty; at a region's first empty point, enter all of these."""
    for d in range(MOST_VITAL):
        if is_first:
            beside = point + ADJACENT[d]
            benson.vital[region, d] = position.chain[beside] if position.color[beside] == color else NOBODY
        elif benson.vital[region, d] != NOBODY and not touches_chain(position, point, benson.vital[region, d]):
            benson.vital[region, d] = NOBODY
    if is_first:
        for d in range(1, MOST_VITAL):  # a chain that touches the point twice counts once
            for e in range(d):
                if benson.vital[region, d] == benson.vital[region, e]:
                    benson.vital[region, d] = NOBODY


@inner
def find_region(benson, position, color, start):
    """Number the region of `start` and find the chains to which it is vital."""
    benson.region_count += 1
    region = benson.region_count
    benson.region[start], benson.queue[0] = region, start
    count, i, is_first = 1, 0, True
    while i < count:
        point = np.int64(benson.queue[i])
        i += 1
        if position.color[point] == EMPTY:
            narrow_vital(benson, position, region, point, color, is_first)
            is_first = False
        for d in range(4):
            beside = point + ADJACENT[d]
            if position.color[beside] != color and position.color[beside] != EDGE and benson.region[beside] == 0:
                benson.region[beside] = region
                benson.queue[count] = beside
                count += 1


@inner
def find_walled(benson, position, color):
    """Find the regions that are surrounded by chains of the set only."""
    for region in range(1, benson.region_count + 1):
        benson.is_walled[region] = 1
    for point in range(STRIDE, POINTS - STRIDE):
        if position.color[point] == color and benson.is_safe[position.chain[point]] == 0:
            for d in range(4):
                benson.is_walled[benson.region[point + ADJACENT[d]]] = 0


@inner
def drop_unsafe(benson, position, color):
    """Remove the chains without two vital, surrounded regions from the set; True if there was one."""
    benson.eyes[:] = 0
    for region in range(1, benson.region_count + 1):
        if benson.is_walled[region]:
            for i in range(MOST_VITAL):
                benson.eyes[benson.vital[region, i]] += 1
    has_dropped = False
    for point in range(STRIDE, POINTS - STRIDE):
        is_chain = position.color[point] == color and position.chain[point] == point
        if is_chain and benson.is_safe[point] and benson.eyes[point] < 2:
            benson.is_safe[point] = 0
            has_dropped = True
    return has_dropped


@inner
def find_safe_chains(benson, position, color):
    """Fill `benson`, a BENSON record, for the safe chains of `color`."""
    benson.region_count = 0
    benson.region[:] = 0
    benson.is_safe[:] = 0
    for point in range(STRIDE, POINTS - STRIDE):
        if position.color[point] == color:
            benson.is_safe[position.chain[point]] = 1
        elif position.color[point] != EDGE and benson.region[point] == 0:
            find_region(benson, position, color, point)
    find_walled(benson, position, color)
    while drop_unsafe(benson, position, color):
        find_walled(benson, position, color)


@inner
def is_vital(benson, region):
    """True if the region is enclosed by safe chains and vital to one of them."""
    if benson.is_walled[region] == 0:
        return False
    for i in range(MOST_VITAL):
        if benson.vital[region, i] != NOBODY:
            return True
    return False


@entry
def mark_safe_points(positions, index, color, benson, safe):
    """Set `safe`, [P] of uint8, to 1 on the safe stones of `color` and the points of their vital regions, elsewhere to 0.

    `positions`, `index`: where the POSITION is; `benson`: an array of one BENSON, overwritten.
    """
    position, record = positions[index], benson[0]
    find_safe_chains(record, position, color)
    for point in range(POINTS):
        safe[point] = 0
        if position.color[point] == color:
            safe[point] = record.is_safe[position.chain[point]]
        elif record.region[point] != 0 and is_vital(record, record.region[point]):
            safe[point] = 1
