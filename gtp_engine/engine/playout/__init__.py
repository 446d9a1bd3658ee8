"""Playouts: fast games to the end, and what their results say about a position."""

__all__ = ["explain", "params", "playout", "policy", "proved_fights", "status", "survey"]
