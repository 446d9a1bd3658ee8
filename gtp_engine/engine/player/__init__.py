"""A player: the engine that GTP, the terminal, matches and reviews call, and what a player decides beside the search."""

__all__ = [
    "EngineError",
    "blunders",
    "engine",
    "evaluators",
    "factory",
    "fights",
    "levels",
    "move_chooser",
    "odds",
    "ranks",
    "time_control",
    "verdict",
]


class EngineError(Exception):
    """Something that can't be done now; the text is GTP's for it."""
