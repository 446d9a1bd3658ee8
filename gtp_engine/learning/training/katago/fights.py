"""Fights cut out of games: a part of the board stays as it is, all else is settled, and komi lets the fight decide."""

import random as plain_random
from dataclasses import replace

import numpy as np

from gtp_engine.engine.solver.bits import ATTACKER, DEFENDER
from gtp_engine.go.game import Game
from gtp_engine.go.places import point_of
from gtp_engine.go.points import BLACK, EMPTY, WHITE, opponent, point_at
from gtp_engine.learning.training.katago.position_search import game_of
from gtp_engine.learning.training.katago.positions import RecordPosition
from gtp_engine.learning.training.set_up import set_up_moves
from gtp_engine.tools.problems.brought import deciding_komi, rectangle
from gtp_engine.tools.problems.frame import frame
from gtp_engine.tools.problems.shapes import Local, around

RECENT = 8  # moves: the fight is around one of the last ones
MARGINS = (2, 5)  # points on each side of that move: from, and below
LARGEST_SHARE = 0.5  # of the board that the fight may have


def cut_out(random: np.random.Generator, position: RecordPosition) -> RecordPosition | None:
    """A fight of this position in a frame, see tools/problems/frame.py, as set-up stones with the same player to move.

    Where it can't be framed with the defender's connections beside it, the attacker surrounds it. None where there is no room for a frame,
    or no fight: stones of both colors. Raises IllegalMove.
    """
    game, size = game_of(position), position.size
    recent = [place for place in position.moves[position.placed :][-RECENT:].tolist() if place < size * size]
    if not recent:
        return None
    center = point_of(recent[int(random.integers(len(recent)))], size)
    inside = rectangle(game, [center], int(random.integers(*MARGINS)))
    if len(inside) > LARGEST_SHARE * size * size:
        return None
    attacker = BLACK if random.random() < 0.5 else WHITE
    local, rng = local_of(game, inside, attacker), plain_random.Random(int(random.integers(2**31)))
    if len(set(local.stones.values())) < 2:
        return None
    for surrounded in (local, local, replace(local, friends=set()), replace(local, friends=set())):
        whole = frame(rng, surrounded, opponent(attacker))
        if whole is not None:
            moves = set_up_moves(whole.setup_stones, size, game.to_play)
            komi = deciding_komi(whole, surrounded, attacker)
            return RecordPosition(size, moves, komi, position.rules, placed=len(moves))
    return None


def local_of(game: Game, inside: set[tuple[int, int]], attacker: int) -> Local:
    """This part of the game's board. Stones beside it stay connected to the defender where they are the defender's."""
    colors = {point: game.color_at(point_at(*point)) for point in inside | around(inside, game.size)}
    stones = {point: ATTACKER if colors[point] == attacker else DEFENDER for point in inside if colors[point] != EMPTY}
    friends = {point for point, color in colors.items() if point not in inside and color == opponent(attacker)}
    return Local(game.size, inside, stones, friends)
