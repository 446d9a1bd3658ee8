"""The network of ranks, which is told how strong the player to move is: the last one of our own older form, and all that only it needs.

What it sees, and its file: engine/network/features.py and model_file.py.
"""

__all__ = ["accuracy", "export", "model", "quantize", "rank_accuracy", "run"]
