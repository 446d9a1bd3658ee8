"""A player: the engine that GTP, the terminal, matches and reviews call, and what a player decides beside the search."""

__all__ = [
    "EngineError",
    "blunders",
    "compiling",
    "engine",
    "evaluators",
    "factory",
    "fights",
    "game_state",
    "levels",
    "move_chooser",
    "odds",
    "ranks",
    "textbook_chooser",
    "time_control",
    "verdict",
    "warm_up",
]


class EngineError(Exception):
    """Something that can't be done now; the text is GTP's for it."""
