"""The classic game-tree searches over one small game interface. The code is plain Python, written to be read and not to be fast.

Start with `game.py`, then read `tictactoe.py`, `lookahead.py`, `minimax.py`, `depth_limited.py` and `alphabeta.py` in this order.
docs/how-it-works.md explains the same searches with measured figures.
"""

__all__ = ["game", "go_game", "go_rollouts", "picture", "players", "positions", "recordings", "search_tree", "submission"]
