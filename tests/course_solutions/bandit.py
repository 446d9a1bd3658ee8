"""Task 3, solved by the textbook."""

from gtp_engine.textbook.bandit import choose_arm

__all__ = ["choose_arm"]
