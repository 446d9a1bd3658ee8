"""A game in the terminal: `game` is the conversation, `view` what it looks like, `kept_game` the one that was left."""

__all__ = ["board_game", "game", "kept_game", "view"]
