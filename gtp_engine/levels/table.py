"""The twenty levels: what each sees and how long it thinks. Plain data."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """How much of the game a level sees. Neither number depends on the machine or the board."""

    simulations: int  # of the search for a move
    view: float  # how many moves come to mind, in the mean, for the search to choose from; ALL: every one
    eye: float = 2.0  # for what looks good: a move that looks twice as good comes to mind 2 ** eye times as often
    model_bonus: float = 0.0  # of the learned move model in the search, see SearchParams: 0 for none


ALL = 0.0

# scripts/measure_levels.py measures them. There are some 24 simulations for each move in view, enough to tell the better ones: what a low
# level gets wrong, it has not seen, rather than chosen at random among what it sees.
LEVELS = (
    Level(24, 1.0),
    Level(32, 1.3),
    Level(40, 1.6),
    Level(44, 1.8),
    Level(50, 2.05),
    Level(56, 2.3),
    Level(62, 2.55),
    Level(72, 3.0),
    Level(84, 3.5),
    Level(98, 4.1),
    Level(115, 4.8),
    Level(140, 5.6),
    Level(165, 6.5),
    Level(190, 7.6),
    Level(245, 10.0),
    Level(340, 14.0),
    Level(550, 22.0),
    Level(1000, 40.0),
    Level(2000, ALL),
    Level(4000, ALL),
)


def level_of(number: int) -> Level:
    """The level with this number, 1 the weakest. Raises ValueError for a number that no level has."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"level must be between 1 and {len(LEVELS)}, not {number}")
    return LEVELS[number - 1]
