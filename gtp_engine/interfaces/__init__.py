"""The interfaces of the engine to people and programs."""

__all__ = ["analysis", "browser", "gtp", "library", "person", "terminal"]
