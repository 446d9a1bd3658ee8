"""What can go wrong in training, told in one sentence."""


class TrainingError(Exception):
    """str() names the file or option, what is wrong and what was expected."""
