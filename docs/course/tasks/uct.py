"""Task 4: Monte Carlo tree search with UCT."""

import random

from gtp_engine.textbook.mcts import Node


def play_round(root: Node, rng: random.Random) -> None:
    """Play one round: walk down, add a node, play a random game from there, and note who won.

    - Walk: while a node has children and no move without a child (`node.unvisited`), go to the child with the greatest win rate, for the
      player to move at the node, plus `sqrt(2 ln N / n)`: n are its visits, N those of the node.
    - Add: take a move out of `node.unvisited`, and put a `Node(position, parent, move)` into `node.children`, if the game is not over.
    - Play: `random_rollout(position, rng)` of gtp_engine.textbook.rollouts gives what each player wins, as a list.
    - Note: in the new node and all nodes above it, one more visit, and for each player what they won (`node.wins[player]`).
    """
    raise NotImplementedError
