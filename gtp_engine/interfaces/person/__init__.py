"""A game between a person and the engine, independent of its display.

`game` handles turns and the end, `colors` the person's colors, `kept_game` the unfinished game.
"""

__all__ = ["colors", "game", "kept_game"]
