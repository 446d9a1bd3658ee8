"""Read positions of the textbook's games from one line of text, with a default evaluation for each game. For the command line."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gtp_engine.textbook.alphabeta import unknown
from gtp_engine.textbook.dice_game import DiceGame
from gtp_engine.textbook.explicit_tree import ExplicitTree, alternating
from gtp_engine.textbook.game import Position
from gtp_engine.textbook.go_game import GoPosition, stone_difference
from gtp_engine.textbook.go_rollouts import light_go_rollout
from gtp_engine.textbook.hexapawn import Hexapawn
from gtp_engine.textbook.rollouts import Rollout, random_rollout
from gtp_engine.textbook.three_players import CoinRow
from gtp_engine.textbook.tictactoe import TicTacToe, open_lines


@dataclass(frozen=True)
class Notation:
    """The notation of a game's positions, and the defaults of its searches."""

    read: Callable[[str], Position]  # raises ValueError
    start: str  # the default position of a picture
    evaluate: Callable[[Any], float] = unknown  # a position of this game -> its value for the player to move
    depth: float = math.inf  # default depth in moves
    rollout: Rollout = random_rollout  # for tree search


def read_dice(text: str) -> DiceGame:
    """Return the start of a game from `LIMIT FACES`: the limit, and the number of faces of the die. Raises ValueError."""
    limit, faces = whole_numbers(text, 2)
    return DiceGame(limit, faces)


def read_coins(text: str) -> CoinRow:
    """Return the row with these coins. Raises ValueError."""
    return CoinRow(tuple(whole_numbers(text)))


def read_tree(text: str) -> ExplicitTree:
    """Return the tree from JSON: a number is a result for the first player, a list or an object holds the moves. Raises ValueError."""
    try:
        return alternating(json.loads(text))
    except (json.JSONDecodeError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"not a tree of numbers, lists and objects: {text[:40]!r}") from error


def whole_numbers(text: str, count: int = 0) -> list[int]:
    """Return positive numbers that are separated by spaces, `count` of them unless it is 0. Raises ValueError."""
    numbers = [int(word) if word.isascii() and word.isdigit() else 0 for word in text.split()]
    if not numbers or min(numbers) < 1 or count not in (0, len(numbers)):
        raise ValueError(f"not {count or 'a row of'} positive whole numbers: {text[:40]!r}")
    return numbers


NOTATIONS = {
    "tictactoe": Notation(TicTacToe.from_text, ".../.../...", open_lines, 2),
    "hexapawn": Notation(Hexapawn.from_text, "BBB/.../WWW w", depth=3),
    "go": Notation(GoPosition.from_text, ".X./XO./... b", stone_difference, 2, light_go_rollout),
    "dice": Notation(read_dice, "3 2"),
    "coins": Notation(read_coins, "5 1 2 7"),
    "tree": Notation(read_tree, '{"A": {"D": 4, "E": -2, "F": 5}, "B": {"D": -3, "E": 3, "F": 1}, "C": {"D": 0, "E": 3, "F": -1}}'),
}


def read_position(game: str, text: str) -> Position:
    """Return the position that `text` describes in `game`, one of NOTATIONS. Raises ValueError with an example of the notation."""
    try:
        return NOTATIONS[game].read(text)
    except ValueError as error:
        raise ValueError(f"{error}; an example: {NOTATIONS[game].start}") from error
