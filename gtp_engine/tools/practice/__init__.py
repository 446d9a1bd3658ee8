"""Practice: a rating, missed problems that are repeated, and mistakes of the person's own games."""

__all__ = ["maker", "mistakes", "notebook"]
