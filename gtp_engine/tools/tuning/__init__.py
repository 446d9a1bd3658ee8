"""Tuning of our own engine's parameters by games: values against each other, or several parameters at once."""

__all__ = ["ranges", "report", "run", "values"]
