"""A game in the terminal: `game` is the conversation, `view` what it looks like."""

__all__ = ["board_game", "game", "view"]
