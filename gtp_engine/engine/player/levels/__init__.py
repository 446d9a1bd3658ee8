"""Playing levels: the engine held back so that people of every strength have an opponent."""

__all__ = ["chooser", "view"]
