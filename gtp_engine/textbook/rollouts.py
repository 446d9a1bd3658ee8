"""Rollouts: evaluate a position by playing random games from it to the end.

One rollout says little, but thousands are informative. They need no evaluation function, only the rules. A policy chooses the moves, and
the rollout is an argument of the search:

random -- all legal moves are equally likely (`random_move`)
light  -- leaves out hopeless moves by a rule of the game; for Go: fill no own eyes (`go_rollouts.py`)
heavy  -- looks ahead; `decisive_move` wins at once or prevents the opponent's win, and for Go see `go_rollouts.py`

A heavy rollout takes more time and is more accurate. Only a measurement shows which is better.
"""

import random
from collections.abc import Callable

from gtp_engine.textbook.game import CHANCE, Move, Position, require_moves
from gtp_engine.textbook.lookahead import find_safe_moves, find_winning_move

Policy = Callable[[Position, random.Random], Move]  # a position that is not over -> the move to try
Rollout = Callable[[Position, random.Random], list[float]]  # any position -> the reward of each player, see `rewards`


def random_move(position: Position, rng: random.Random) -> Move:
    """Return a random legal move, or a random outcome at chance's turn. Raises ValueError when the game is over."""
    if not position.is_over() and position.next_player == CHANCE:
        return chance_move(position, rng)
    return rng.choice(require_moves(position))


def chance_move(position: Position, rng: random.Random) -> Move:
    """Return an outcome of chance by the probabilities. Raises ValueError if a player is to move."""
    outcomes = position.chance_outcomes()
    return rng.choices([move for _, move in outcomes], [probability for probability, _ in outcomes])[0]


def decisive_move(position: Position, rng: random.Random) -> Move:
    """Return a move that wins at once, else one after which no other player wins at once, else any move: a heavy policy for any game.

    It looks two moves ahead, which takes more time.
    """
    if position.next_player == CHANCE:
        return chance_move(position, rng)
    moves = require_moves(position)
    return find_winning_move(position) or rng.choice(find_safe_moves(position) or moves)


def play_out(position: Position, policy: Policy, rng: random.Random) -> Position:
    """Play from `position` to the end of the game by `policy` and return the last position. It doesn't return if the game never ends."""
    while not position.is_over():
        position = position.apply_move(policy(position, rng))
    return position


def rewards(position: Position) -> list[float]:
    """Return each player's reward for a finished game: 1 for the winner, 0 for the others; a draw is shared equally.

    The margin is left out on purpose: a search that counts wins plays to win, even by half a point.
    Raises ValueError while the game goes on.
    """
    if not position.is_over():
        raise ValueError("the game is not over: nobody has won yet")
    winner = position.winner()
    if winner is None:
        return [1.0 / position.players] * position.players
    return [float(player == winner) for player in range(position.players)]


def rollout_with(policy: Policy) -> Rollout:
    """Return the rollout that plays to the end by `policy`."""

    def rollout(position: Position, rng: random.Random) -> list[float]:
        return rewards(play_out(position, policy, rng))

    return rollout


random_rollout = rollout_with(random_move)
