"""Problems that are made, proved and framed, without end."""

__all__ = ["brought", "brought_proof", "collection", "even_komi", "kinds", "learning", "natural", "opinion", "sheet", "trial"]
