"""Configuration: what can be set, how a text becomes a value, and which of several sources wins. Plain Python."""

__all__ = ["front_end", "katago_file", "katago_names", "sources", "values"]
