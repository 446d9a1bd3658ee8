"""Playouts: how a game is played to its end without thinking, and what is learned from it."""

__all__ = ["ends", "explain", "params", "playout", "policy", "status", "survey"]
