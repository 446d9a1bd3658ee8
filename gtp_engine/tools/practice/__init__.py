"""What a person practises with: a rating, problems that were missed and come again, mistakes of their own games."""

__all__ = ["maker", "mistakes", "notebook"]
