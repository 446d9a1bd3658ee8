"""The position of a game as a leaf, see leaf.py, for the root of a search or the evaluation of one position."""

import numpy as np

from gtp_engine.engine.search.leaf import EARLIER, HISTORY, LEAF, NO_SUPERKO, POSITIONAL, SITUATIONAL, ban_repetitions
from gtp_engine.go.game import Game
from gtp_engine.go.points import NO_POINT
from gtp_engine.go.rules import Ko, Rules, Scoring

SUPERKO = {Ko.SIMPLE: NO_SUPERKO, Ko.POSITIONAL: POSITIONAL, Ko.SITUATIONAL: SITUATIONAL}


def leaf_of(game: Game, color: int, komi: float) -> np.ndarray:
    """[1] LEAF: the game's position with `color` to move, not turned. `komi`: all that White gets."""
    leaf = np.zeros(1, LEAF)
    leaf["position"] = game.positions[0]
    set_turn(leaf[0]["position"], game, color)
    leaf["moves"], leaf["turns"], leaf["is_root"] = recent_moves(game), turns_before(game, color), 1
    for i in range(EARLIER):
        leaf["before"][0, i] = game.earlier_position(i + 1)
    set_rules(leaf[0], game.rules, komi)
    ban_repetitions(leaf, np.array(game.situations(), np.uint64))
    return leaf


def set_turn(position: np.void, game: Game, color: int) -> None:
    """Let `color` move in this POSITION, a copy of the game's."""
    position["passes"] = min(game.passes(), 1)  # a search after two passes must still find moves
    if position["to_play"] != color:
        position["to_play"] = color
        position["ko_point"] = NO_POINT  # the ko ban was for the other player


def recent_moves(game: Game) -> list[int]:
    """The last HISTORY moves, points or PASS, the last one first; NO_POINT for missing ones."""
    recent = [point for _, point in game.moves[: -HISTORY - 1 : -1]]
    return recent + [NO_POINT] * (HISTORY - len(recent))


def turns_before(game: Game, color: int) -> int:
    """The number of the last HISTORY moves that alternate, so that it is now the turn of `color`."""
    turns, mover = 0, color
    for made_by, _ in game.moves[: -HISTORY - 1 : -1]:
        if made_by == mover:
            break
        turns, mover = turns + 1, made_by
    return turns


def set_rules(record: np.void, rules: Rules, komi: float) -> None:
    """Set the rules in a LEAF or a SHARED; `komi` is all that White gets."""
    record["komi"] = komi
    record["superko"] = SUPERKO[rules.ko]
    record["all_alive"] = rules.all_alive
    record["suicide"] = rules.suicide
    record["is_territory"] = rules.scoring is Scoring.TERRITORY
