"""Self-play: games of a network against itself, and generations of networks that learn from these and must beat the previous one."""

__all__ = ["SelfplayError", "gate", "generation", "learn", "loop", "params", "start"]


class SelfplayError(Exception):
    """An error in self-play; str() is one sentence for the user."""
