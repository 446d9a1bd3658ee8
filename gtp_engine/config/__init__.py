"""Configuration: what can be set, how a text becomes a value, and which of several sources wins. Plain Python."""

__all__ = ["front_end", "sources", "values"]
