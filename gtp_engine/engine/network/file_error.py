"""The error of a network's file."""


class NetworkFileError(Exception):
    """A network file that can't be used; str() is one sentence with the path, what was expected and what the file has."""
