"""Playouts: how a game is played to its end without thinking, and what is learned from it."""

__all__ = ["explain", "params", "playout", "policy", "proved_fights", "status", "survey"]
