"""Compiled helpers that only tests need."""

import numpy as np
from kernels_consistency import SOUND, find_fault

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.playout.policy import uniform_move
from gtp_engine.go.points import EMPTY, STRIDE
from gtp_engine.go.position import ADJACENT, NO_LIBERTIES, clear_position, connect, play_move, put_stone


@inner
def add_set_up_stone(position, point, color):
    """Put and connect a stone without capturing."""
    put_stone(position, point, color)
    for d in range(4):
        if position.color[point + ADJACENT[d]] == color:
            connect(position, point, point + ADJACENT[d])


@inner
def all_chains_breathe(position, size):
    """Has every chain a liberty?"""
    for row in range(1, size + 1):
        for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
            if position.color[point] != EMPTY and position.liberties[position.chain[point]] == NO_LIBERTIES:
                return False
    return True


@entry
def count_legal_positions(positions, size):
    """How many of the 3 ** (size * size) colorings are legal positions. Overwrites positions[0]."""
    position = positions[0]
    legal = 0
    for coloring in range(3 ** (size * size)):
        clear_position(position, size)
        rest = coloring
        for row in range(1, size + 1):
            for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
                color = rest % 3
                rest //= 3
                if color != EMPTY:
                    add_set_up_stone(position, point, color)
        legal += all_chains_breathe(position, size)
    return legal


@entry
def first_fault_in_random_games(positions, size, seed, games):
    """Plays uniform games with the invariants checked after each move; SOUND, or the number of the first fault. Uses positions[0]."""
    position = positions[0]
    random = np.uint64(seed)
    for _ in range(games):
        clear_position(position, size)
        position.random = random
        while position.passes < 2 and position.move_count < 3 * size * size:
            play_move(position, uniform_move(position, position.to_play), position.to_play)
            fault = find_fault(position)
            if fault != SOUND:
                return fault
        random = position.random
    return SOUND


@entry
def draw_uniform_moves(positions, count, hits):
    """How often each point, or PASS, is drawn for to_play in positions[0]; adds to hits[P]."""
    position = positions[0]
    for _ in range(count):
        hits[uniform_move(position, position.to_play)] += 1
