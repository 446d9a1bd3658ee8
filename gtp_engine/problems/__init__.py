"""Problems that are made, proved and framed, without end."""

__all__ = ["brought", "collection", "even_komi", "kinds", "learning"]
