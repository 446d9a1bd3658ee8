"""The classic searches of game-tree teaching, over one small interface of a game. Plain Python, to be read; nothing here is fast.

Start with `game.py`, then read `tictactoe.py`, `lookahead.py`, `minimax.py`, `depth_limited.py` and `alphabeta.py` in this order.
docs/how-it-works.md tells the same story with measured figures.
"""

__all__ = ["game", "go_game", "go_rollouts", "picture", "players", "positions", "recordings", "search_tree", "submission"]
