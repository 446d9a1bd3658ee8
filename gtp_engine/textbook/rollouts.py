"""Rollouts: a position is judged by playing it to the end, quickly and with chance, and seeing who wins.

One rollout says little, thousands say much, and no evaluation function is needed: the rules alone are enough. How the moves are
chosen is a policy, and the policy is an argument of the search:

random -- every legal move is as likely (`random_move`)
light  -- a game's own rule that leaves out hopeless moves; for Go: fill no own eyes (`go_rollouts.py`)
heavy  -- looks before it moves; `decisive_move` wins at once or stops the opponent from it, for Go see `go_rollouts.py`

A heavy rollout costs more time and tells more. Which is better is a matter of measuring.
"""

import random
from collections.abc import Callable

from gtp_engine.textbook.game import CHANCE, Move, Position, require_moves
from gtp_engine.textbook.lookahead import find_safe_moves, find_winning_move

Policy = Callable[[Position, random.Random], Move]  # a position that is not over -> the move to try
Rollout = Callable[[Position, random.Random], list[float]]  # any position -> what each player makes of it, see `rewards`


def random_move(position: Position, rng: random.Random) -> Move:
    """Any legal move; what the dice do where chance moves. Raises ValueError when the game is over."""
    if not position.is_over() and position.next_player == CHANCE:
        return chance_move(position, rng)
    return rng.choice(require_moves(position))


def chance_move(position: Position, rng: random.Random) -> Move:
    """What chance does, by its probabilities. Raises ValueError where a player is to move."""
    outcomes = position.chance_outcomes()
    return rng.choices([move for _, move in outcomes], [probability for probability, _ in outcomes])[0]


def decisive_move(position: Position, rng: random.Random) -> Move:
    """A heavy policy for any game: a move that wins at once; else one after which nobody else wins at once; else any move.

    Looks two moves ahead, and takes accordingly longer.
    """
    if position.next_player == CHANCE:
        return chance_move(position, rng)
    moves = require_moves(position)
    return find_winning_move(position) or rng.choice(find_safe_moves(position) or moves)


def play_out(position: Position, policy: Policy, rng: random.Random) -> Position:
    """The end of a game that goes on from `position` with both sides moving by `policy`. Never ends for a game that need not end."""
    while not position.is_over():
        position = position.apply_move(policy(position, rng))
    return position


def rewards(position: Position) -> list[float]:
    """What a finished game counts for each player in win counts: 1 for the winner, 0 for the others; a draw is shared out.

    The margin is left out on purpose: a search that counts wins plays to win, by half a point if need be.
    Raises ValueError as long as the game goes on.
    """
    if not position.is_over():
        raise ValueError("the game is not over: nobody has won yet")
    winner = position.winner()
    if winner is None:
        return [1.0 / position.players] * position.players
    return [float(player == winner) for player in range(position.players)]


def rollout_with(policy: Policy) -> Rollout:
    """The rollout that plays to the end by `policy`."""

    def rollout(position: Position, rng: random.Random) -> list[float]:
        return rewards(play_out(position, policy, rng))

    return rollout


random_rollout = rollout_with(random_move)
