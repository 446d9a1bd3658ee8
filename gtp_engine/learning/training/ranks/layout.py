"""What both forms of the network have in common: torch's in model.py, and ONNX's in graph.py, which needs no torch."""

POOLING_EVERY = 3  # blocks
SCORE_SCALE = 20.0  # points: the unit of the score head's last layer


def pools(block: int) -> bool:
    """Does this block, from 0 on, see the whole board?"""
    return block % POOLING_EVERY == POOLING_EVERY - 1
