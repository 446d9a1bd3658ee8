"""A game between a person and the engine, however it is shown.

`game` is whose turn it is and how it ends, `colors` which ones the person can have, `kept_game` the game that was left.
"""

__all__ = ["colors", "game", "kept_game"]
