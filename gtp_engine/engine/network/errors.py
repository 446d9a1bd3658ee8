"""The errors of networks. A module of its own, which is quick to import."""


class NetworkError(Exception):
    """A network that can't be used; str() is one sentence with the file's path."""


class NetworkFileError(Exception):
    """A network file that can't be used; str() is one sentence with the path, what was expected and what the file has."""
