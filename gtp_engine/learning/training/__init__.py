"""Training of networks from game records. The only package that imports torch."""

__all__ = [
    "TrainingError",
    "calibration",
    "devices",
    "games",
    "katago",
    "move_model",
    "owners",
    "rank_accuracy",
    "record_checks",
    "record_writer",
    "records",
    "run",
    "schedule",
]


class TrainingError(Exception):
    """An error in training; str() names the file or option, what is wrong and what was expected."""
