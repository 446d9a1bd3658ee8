"""Self-play: games of a network against itself, and generations of networks that learn from them and must beat the one before."""

__all__ = ["SelfplayError", "files", "gate", "generation", "job", "learn", "loop", "params", "play", "start"]


class SelfplayError(Exception):
    """What can go wrong in self-play; str() is one sentence for the user."""
