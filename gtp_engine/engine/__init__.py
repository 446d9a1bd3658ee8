"""The engine: what plays, searches and evaluates."""

__all__ = ["config", "move_model", "network", "player", "playout", "search", "solver"]
