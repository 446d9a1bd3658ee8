"""The owners of points, as KataGo's networks see them under area rules.

First come the points that a player keeps even if that player always passes (Benson 1976): safe chains and the regions that they enclose,
unless the opponent could live there. Then come empty regions that touch one color only, then the stones.
"""

import numpy as np

from gtp_engine.compiled.jit import inner
from gtp_engine.go.benson import touches_chain
from gtp_engine.go.points import BLACK, EDGE, EMPTY, WHITE
from gtp_engine.go.position import ADJACENT, touches

NO_REGION = -1


@inner
def name_candidates(position, point, color, region):
    """Enter all chains of `color` that touch this empty point as chains to which the region may be vital."""
    region.vital_count = 0
    for d in range(4):
        neighbor = point + ADJACENT[d]
        if position.color[neighbor] != color:
            continue
        chain = np.int64(position.chain[neighbor])
        is_new = True
        for k in range(region.vital_count):
            is_new &= region.vital[k] != chain
        if is_new:
            region.vital[region.vital_count] = chain
            region.vital_count += 1


@inner
def keep_touched(position, point, region):
    """Keep only those of the region's vital chains that `point` touches."""
    touched = 0
    for k in range(region.vital_count):
        if touches_chain(position, point, region.vital[k]):
            region.vital[touched] = region.vital[k]
            touched += 1
    region.vital_count = touched


@inner
def fill_region(position, scratch, index, first, color, suicide):
    """Fill region `index`: all points without stones of `color` that are connected to the empty point `first`."""
    region = scratch.region[index]
    region.inner, region.has_opponent, region.is_unsafe, region.count = 0, 0, 0, 1
    name_candidates(position, first, color, region)
    scratch.members[region.start] = first
    scratch.region_at[first] = index
    i = 0
    while i < region.count:
        point = np.int64(scratch.members[region.start + i])
        i += 1
        if position.color[point] == EMPTY or suicide:
            keep_touched(position, point, region)
        if position.color[point] != EMPTY:
            region.has_opponent = 1
        if region.inner < 2 and not touches(position, point, color):
            region.inner += 1
        for d in range(4):
            neighbor = point + ADJACENT[d]
            other = position.color[neighbor]
            if other != EDGE and other != color and scratch.region_at[neighbor] == NO_REGION:
                scratch.region_at[neighbor] = index
                scratch.members[region.start + region.count] = neighbor
                region.count += 1


@inner
def find_regions(position, scratch, color, suicide):
    """Fill scratch.region; returns the number of regions."""
    scratch.region_at[:] = NO_REGION
    regions, start = 0, 0
    for i in range(position.empty_count):
        point = np.int64(position.empty_points[i])
        if scratch.region_at[point] == NO_REGION:
            scratch.region[regions].start = start
            fill_region(position, scratch, regions, point, color, suicide)
            start += scratch.region[regions].count
            regions += 1
    return regions


@inner
def lose_chain(position, scratch, chain):
    """Mark this chain as capturable: the regions beside it are no longer vital to any chain."""
    scratch.is_taken[chain] = 1
    stone = np.int64(chain)
    while True:
        for d in range(4):
            index = scratch.region_at[stone + ADJACENT[d]]
            if index != NO_REGION and scratch.region[index].is_unsafe == 0:
                region = scratch.region[index]
                region.is_unsafe = 1
                for k in range(region.vital_count):
                    scratch.vital_regions[region.vital[k]] -= 1
        stone = np.int64(position.next_stone[stone])
        if stone == chain:
            break


@inner
def find_safe_chains(position, scratch, regions, color):
    """Set scratch.is_taken for the chains of `color` without two vital regions; True if there is any chain."""
    scratch.vital_regions[:] = 0
    scratch.is_taken[:] = 0
    for index in range(regions):
        region = scratch.region[index]
        for k in range(region.vital_count):
            scratch.vital_regions[region.vital[k]] += 1
    has_stones, is_changed = False, True
    while is_changed:
        is_changed = False
        for point in range(len(position.color)):
            if position.color[point] != color or position.chain[point] != point:
                continue
            has_stones = True
            if scratch.is_taken[point] == 0 and scratch.vital_regions[point] < 2:
                lose_chain(position, scratch, point)
                is_changed = True
    return has_stones


@inner
def add_area(position, scratch, color, suicide):
    """Add the points of `color` to scratch.area."""
    regions = find_regions(position, scratch, color, suicide)
    if not find_safe_chains(position, scratch, regions, color):
        return
    for point in range(len(position.color)):
        if position.color[point] == color and scratch.is_taken[position.chain[point]] == 0:
            scratch.area[point] = color
    for index in range(regions):
        region = scratch.region[index]
        is_safe = region.is_unsafe == 0 and (region.inner <= 1 or region.has_opponent == 0)
        if not is_safe and region.has_opponent == 1:
            continue
        for i in range(region.count):
            point = scratch.members[region.start + i]
            if is_safe or scratch.area[point] == EMPTY:
                scratch.area[point] = color


@inner
def find_area(position, scratch, suicide):
    """Fill scratch.area with BLACK, WHITE or EMPTY; `suicide`: whether suicide is allowed."""
    scratch.area[:] = EMPTY
    add_area(position, scratch, BLACK, suicide)
    add_area(position, scratch, WHITE, suicide)
    for point in range(len(position.color)):
        if position.color[point] != EDGE and scratch.area[point] == EMPTY:
            scratch.area[point] = position.color[point]
