"""Virtual komi in handicap games. Plain Python.

When one side is far ahead nearly every playout has the same winner, and the search can't tell moves apart: White gives up, Black plays
slack. So at first the search counts as if White's handicap were made good, and less so as the game goes on.
"""

STONE_POINTS = 6.0  # what the search takes a handicap stone to be worth at the start: a little less than the first move of a game
GONE_AFTER = 0.6  # moves for each point of the board after which nothing is left of it


def virtual_komi(handicap: int, move_count: int, size: int) -> float:
    """Points to add to White's komi inside the search, after `move_count` moves; 0 in even games and late in any game."""
    remaining = 1.0 - move_count / (GONE_AFTER * size * size)
    return max(handicap - 1, 0) * STONE_POINTS * max(remaining, 0.0)
