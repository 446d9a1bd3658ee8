"""This installation: its speed, its checks, and the lines with which clients start it."""

__all__ = ["benchmark", "client_lines", "doctor"]
