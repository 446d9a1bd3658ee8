"""A learned guess at strong players' next move, from shapes and tactics: fast enough for every new node of the tree."""

__all__ = ["model", "model_file", "shapes", "strengths"]
