"""A learned model of strong players' moves by shapes and tactics, fast enough for every new node of the tree."""

__all__ = ["model", "model_file", "shapes", "strengths"]
