"""How people and programs talk to the engine."""

__all__ = ["analysis", "browser", "gtp", "library", "person", "terminal"]
