"""Networks and the move model, made from game records and from games of our own."""

__all__ = ["selfplay", "training"]
