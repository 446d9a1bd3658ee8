"""This installation: its speed, what it lacks, how clients start it."""

__all__ = ["benchmark", "client_lines", "cold_start", "doctor"]
