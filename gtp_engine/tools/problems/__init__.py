"""Generated problems of life and death, proved and framed, and frames for the user's problems."""

__all__ = ["brought_proof", "collection", "framer", "kinds", "learning", "natural", "opinion", "sheet", "trial"]
