"""200 rounds of the textbook's tree search for each move."""

import random

from gtp_engine.textbook.go_game import GoPosition
from gtp_engine.textbook.go_rollouts import light_go_rollout
from gtp_engine.textbook.mcts import TreeSearch


def choose_move(position: GoPosition, dice: random.Random) -> str:
    """A legal move."""
    return TreeSearch(200, 1.0, light_go_rollout, dice).choose_move(position)
