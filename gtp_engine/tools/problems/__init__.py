"""Generated problems of life and death, proved and framed, and frames for the user's problems."""

__all__ = [
    "brought",
    "brought_proof",
    "collection",
    "frame",
    "framer",
    "kinds",
    "learning",
    "natural",
    "opinion",
    "shapes",
    "sheet",
    "trial",
]
