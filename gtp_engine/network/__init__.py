"""The network: what it sees of a position, its file, and the evaluator that asks it."""

__all__ = ["features", "formats", "loading", "look", "model_file", "rank_input", "session"]
