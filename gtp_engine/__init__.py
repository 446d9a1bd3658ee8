"""A Go engine: compiled rules and playouts, a tree search, and GTP for every client."""

__version__ = "0.1.0"  # the only place: pyproject.toml reads it from here
