"""The rules of Go: points, positions, eyes, scores, games."""
