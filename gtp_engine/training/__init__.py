"""Training of networks from game records. The only package that imports torch."""

__all__ = [
    "accuracy",
    "average",
    "display",
    "exported",
    "games",
    "imitation",
    "model",
    "move_model",
    "problems",
    "quantize",
    "records",
    "trainer",
]
