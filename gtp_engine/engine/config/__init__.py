"""Configuration: the settings, parsing of values, and the order of sources. Plain Python."""

__all__ = ["front_end", "katago_file", "katago_names", "sources", "values"]
