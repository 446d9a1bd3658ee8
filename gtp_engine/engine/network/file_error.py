"""The error of a network's file."""


class NetworkFileError(Exception):
    """str() is one sentence: the path, what was expected and what was found."""
