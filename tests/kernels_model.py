"""Compiled helpers for the tests of the move model: each asks one question about positions[0]."""

import numpy as np

from gtp_engine.compiled.jit import entry
from gtp_engine.engine.move_model.model import LOOKS, find_features, prepare_looks
from gtp_engine.engine.move_model.shapes import SIZES, clear_hashes, grown_key, liberty_key, read_squares, square_of
from gtp_engine.engine.move_model.strengths import add_move, clear_moves, find_strengths
from gtp_engine.go.chain_needs import CHAIN_NEEDS, find_chain_needs


@entry
def keys_around(positions, looks_array, point, keys):
    """keys [SIZES + 1]: the shapes around the point, smallest first, then the one with liberties."""
    looks = looks_array[0]
    read_squares(positions[0], looks.squares, looks.liberty_squares)
    clear_hashes(looks.hashes)
    for size in range(SIZES):
        keys[size] = grown_key(looks.squares, square_of(point), size, looks.hashes)
    keys[SIZES] = liberty_key(looks.liberty_squares, square_of(point), looks.hashes)


@entry
def fill_features(models, positions, looks_array, point, needs_array):
    """Fill looks.features for a move on the point; positions[1] is overwritten."""
    needs = needs_array[0]
    find_chain_needs(positions[0], needs, positions[1], False)
    prepare_looks(positions[0], looks_array[0], needs)
    find_features(models[0], positions[0], looks_array[0], point)


@entry
def fill_strengths(models, positions, looks_array, points, needs_array):
    """Fill looks.strengths for moves on the points; positions[1] is overwritten."""
    looks, needs = looks_array[0], needs_array[0]
    find_chain_needs(positions[0], needs, positions[1], False)
    prepare_looks(positions[0], looks, needs)
    clear_moves(looks)
    for point in points:
        add_move(looks, point)
    find_strengths(models[0], positions[0], looks)


def strengths(models: np.ndarray, positions: np.ndarray, points: list[int]) -> list[float]:
    """The strengths of moves on points of positions[0]."""
    looks = np.zeros(1, LOOKS)
    fill_strengths(models, np.concatenate([positions[:1], positions[:1]]), looks, np.array(points), np.zeros(1, CHAIN_NEEDS))
    return [float(strength) for strength in looks[0]["strengths"][: len(points)]]


def shape_keys(positions: np.ndarray, point: int) -> list[int]:
    """The keys around a point of positions[0]."""
    keys = np.zeros(SIZES + 1, np.uint64)
    keys_around(positions, np.zeros(1, LOOKS), point, keys)
    return [int(key) for key in keys]


def features(models: np.ndarray, positions: np.ndarray, point: int) -> list[int]:
    """The indices of the features of a move on a point of positions[0]."""
    looks = np.zeros(1, LOOKS)
    two = np.concatenate([positions[:1], positions[:1]])
    fill_features(models, two, looks, point, np.zeros(1, CHAIN_NEEDS))
    return [int(index) for index in looks[0]["features"][: looks[0]["count"]]]
