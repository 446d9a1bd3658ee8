"""A game in the terminal: `game` is the conversation, `view` what it looks like; `board_game` plays the textbook's small games."""

__all__ = ["board_game", "game", "view"]
