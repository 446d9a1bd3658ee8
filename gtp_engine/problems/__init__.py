"""Problems that are made, proved and framed, without end."""

__all__ = ["brought", "collection", "kinds"]
