"""A game in the terminal: `game` reads and answers lines, `view` displays the game; `board_game` plays the textbook's small games."""

__all__ = ["board_game", "game", "view"]
