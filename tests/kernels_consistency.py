"""Checks that a position is consistent: every field that is updated stone by stone is computed again from the colors alone."""

import numpy as np

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.go.points import BLACK, EDGE, EMPTY, NO_POINT, POINTS, WHITE
from gtp_engine.go.position import ADJACENT, EDGE_NEIGHBOR, EMPTY_NEIGHBOR, LIBERTY, NO_LIBERTIES, ZOBRIST, neighbor_unit

SOUND = 0
FAULTS = ("", "neighbors", "empty_points", "hash", "chain", "chain_size", "liberties", "captured", "ko_point", "to_play")


@inner
def has_neighbor_fault(position, point):
    """Is the count of the four neighbours wrong?"""
    expected = 0
    for d in range(4):
        color = position.color[point + ADJACENT[d]]
        if color == EDGE:
            expected += EDGE_NEIGHBOR
        elif color == EMPTY:
            expected += EMPTY_NEIGHBOR
        else:
            expected += neighbor_unit(color)
    return position.neighbors[point] != expected


@inner
def find_chain_fault(position, point, color):
    """A fault of the chain of this stone, or SOUND: stones in the ring, their name, their number, their liberties."""
    name = position.chain[point]
    stones, liberties, stone = 0, NO_LIBERTIES, np.int64(point)
    while True:
        if position.color[stone] != color or position.chain[stone] != name or stones > POINTS:
            return 4
        for d in range(4):
            neighbor = stone + ADJACENT[d]
            if position.color[neighbor] == EMPTY:
                liberties += LIBERTY[neighbor]
            elif position.color[neighbor] == color and position.chain[neighbor] != name:
                return 4
        stones += 1
        stone = np.int64(position.next_stone[stone])
        if stone == point:
            break
    if position.chain_size[name] != stones:
        return 5
    if position.liberties[name] != liberties:
        return 6
    return 7 if liberties == NO_LIBERTIES else SOUND


@inner
def find_fault(position):
    """The number of the first fault in FAULTS, or SOUND."""
    empty_count, position_hash = 0, np.uint64(0)
    for point in range(POINTS):
        color = position.color[point]
        if color == EDGE:
            continue
        if has_neighbor_fault(position, point):
            return 1
        if color == EMPTY:
            empty_count += 1
            if position.empty_index[point] >= position.empty_count or position.empty_points[position.empty_index[point]] != point:
                return 2
            continue
        position_hash ^= ZOBRIST[color, point]
        fault = find_chain_fault(position, point, color)
        if fault != SOUND:
            return fault
    if empty_count != position.empty_count:
        return 2
    if position_hash != position.hash:
        return 3
    if position.ko_point != NO_POINT and position.color[position.ko_point] != EMPTY:
        return 8
    return SOUND if position.to_play == BLACK or position.to_play == WHITE else 9


@entry
def check(positions, i):
    """The number of the first fault of positions[i] in FAULTS, or SOUND."""
    return find_fault(positions[i])
