"""Generated problems: drawn, proved and framed."""

__all__ = ["brought", "brought_proof", "collection", "even_komi", "framer", "kinds", "learning", "natural", "opinion", "sheet", "trial"]
