"""Generated problems as a compact record file for training: the right first moves, and that they win.

A problem is written as a game that places its stones one after the other, both colors in turn, and then passes. No chain is taken on the
way, because with fewer stones on the board each chain has at least as many liberties. See learning/training/records.py for the arrays.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.base.files import write_arrays
from gtp_engine.go.game import Game
from gtp_engine.go.places import place_of
from gtp_engine.go.points import BLACK, WHITE

RESIGNED = -1.0  # margin of a game that wasn't counted
REMEMBERED = 5  # last moves that a network sees, which must all be passes, as after a set-up


def moves_to(game: Game, color: int) -> list[int]:
    """Alternating moves from Black on that lead from an empty board to the game's stones with `color` to play; size * size is a pass."""
    size, stones = game.size, {color: sorted(game.stones(color)) for color in (BLACK, WHITE)}
    moves: list[int] = []
    for i in range(max(len(stones[BLACK]), len(stones[WHITE]))):
        moves += [place_of(stones[color][i], size) if i < len(stones[color]) else size * size for color in (BLACK, WHITE)]
    moves += [size * size] * REMEMBERED
    if (len(moves) % 2 == 0) != (color == BLACK):
        moves.append(size * size)
    return moves


def lesson_of(game: Game, color: int, right: Sequence[int], komi: float) -> dict[str, Any]:
    """The lesson of one problem, for JSON."""
    return {"size": game.size, "moves": moves_to(game, color), "right": [place_of(point, game.size) for point in right], "komi": komi}


def write_lessons(lessons: Sequence[dict[str, Any]], folder: Path) -> list[Path]:
    """Write `problems-9x9.npz` and so on, a file for each board size; returns the files. Raises OSError."""
    paths = []
    for size in sorted({lesson["size"] for lesson in lessons}):
        path = folder / f"problems-{size}x{size}.npz"
        arrays = arrays_of([lesson for lesson in lessons if lesson["size"] == size], size)
        write_arrays(path, arrays)
        paths.append(path)
    return paths


def arrays_of(lessons: Sequence[dict[str, Any]], size: int) -> dict[str, np.ndarray]:
    """The arrays of a record file: a game for each lesson, whose last position has a search that visited only the right moves."""
    games = [[*lesson["moves"], lesson["right"][0]] for lesson in lessons]
    lengths, counts = [len(game) for game in games], [len(lesson["right"]) for lesson in lessons]
    return {
        "size": np.array(size),
        "moves": np.array([move for game in games for move in game], np.uint16),
        "lengths": np.array(lengths, np.uint16),
        "winner": np.array([1 if len(game) % 2 else -1 for game in games], np.int8),  # the player of the last move
        "margin": np.full(len(games), RESIGNED, np.float32),
        "komi": np.array([lesson["komi"] for lesson in lessons], np.float32),
        "searched": np.cumsum(lengths, dtype=np.int64) - 1,
        "visit_starts": np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        "visit_moves": np.array([move for lesson in lessons for move in lesson["right"]], np.uint16),
        "visit_counts": np.ones(sum(counts), np.uint16),
        "root_values": np.ones(len(games), np.float16),
    }
