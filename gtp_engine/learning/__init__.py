"""Training of networks and the move model, from game records and self-play."""

__all__ = ["selfplay", "training"]
