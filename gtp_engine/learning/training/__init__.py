"""Training of networks from game records. The only package that imports torch."""

__all__ = [
    "TrainingError",
    "accuracy",
    "average",
    "calibration",
    "display",
    "export",
    "games",
    "imitation",
    "katago",
    "model",
    "move_model",
    "network_learner",
    "owners",
    "quantize",
    "rank_accuracy",
    "record_writer",
    "records",
    "teacher",
    "trainer",
]


class TrainingError(Exception):
    """What can go wrong in training; str() names the file or option, what is wrong and what was expected."""
