"""The rules of Go: points, positions, eyes, scores, games."""

__all__ = ["consistency", "count", "eyes", "game", "handicap", "life", "patterns", "points", "position", "rules", "score", "tactics"]
