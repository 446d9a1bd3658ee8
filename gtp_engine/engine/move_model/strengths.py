"""The strengths of many moves of one position at once: the same sums as from features of one move after the other, but faster.

The table of shapes is larger than a processor's fast caches, and a network empties these between two positions. So all moves are looked up
with one size of shape, then with the next. These accesses don't wait for each other, unlike those of larger and larger shapes around one
move.
"""

import numpy as np

from gtp_engine.compiled.jit import inner
from gtp_engine.engine.move_model.model import add_other_features, find_slot, weight_of
from gtp_engine.engine.move_model.shapes import SIZES, clear_hashes, grown_key, liberty_key, square_of


@inner
def clear_moves(looks):
    """Start a new list of moves."""
    looks.move_count = 0


@inner
def add_move(looks, point):
    """Add a move to the list."""
    looks.moves[looks.move_count] = point
    looks.move_count += 1


@inner
def find_strengths(model, position, looks):
    """Fill looks.strengths for position.to_play's moves looks.moves: the logarithm of each one's probability, up to a constant.

    Call model.prepare_looks for the position first.
    """
    add_shape_weights(model, looks)
    add_liberty_shape_weights(model, looks)
    for i in range(looks.move_count):
        looks.count = 0
        add_other_features(position, looks, np.int64(looks.moves[i]))
        for k in range(looks.count):
            looks.strengths[i] += weight_of(model, looks.features[k])


@inner
def add_shape_weights(model, looks):
    """Set looks.strengths to the weights of the shapes around each move. A shape is known only if all smaller ones around the point are."""
    for i in range(looks.move_count):
        looks.strengths[i] = 0.0
        looks.known[i] = i
        clear_hashes(looks.move_hashes[i])
    left = np.int64(looks.move_count)
    for size in range(SIZES):
        for j in range(left):
            i = np.int64(looks.known[j])
            looks.keys[j] = grown_key(looks.squares, square_of(np.int64(looks.moves[i])), size, looks.move_hashes[i])
        left = add_known_weights(model, looks, left)


@inner
def add_known_weights(model, looks, count):
    """Add the weights of the shapes with the first `count` of looks.keys. Those in the table stay in looks.known; returns their number."""
    known_count = 0
    for j in range(count):
        slot = find_slot(model, looks.keys[j])
        if slot >= 0:
            i = looks.known[j]
            looks.strengths[i] += model.shapes[slot].weight
            looks.known[known_count] = i
            known_count += 1
    return known_count


@inner
def add_liberty_shape_weights(model, looks):
    """Add the weights of the 3x3 shapes with liberties."""
    for i in range(looks.move_count):
        looks.known[i] = i
        looks.keys[i] = liberty_key(looks.liberty_squares, square_of(np.int64(looks.moves[i])), looks.hashes)
    add_known_weights(model, looks, np.int64(looks.move_count))
