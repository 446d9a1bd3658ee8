"""Parameters of our own engine tuned by games: values against each other, and several parameters at once."""

__all__ = ["fit", "ranges", "report", "run", "spsa", "values"]
