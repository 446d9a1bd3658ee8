"""Playing as a person of a rank would."""

__all__ = ["chooser", "pace", "people", "table"]
