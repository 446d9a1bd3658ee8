"""The twenty levels: what each sees and how long it thinks. Plain data."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """How much of the game a level sees. Neither number depends on the machine or the board."""

    simulations: int  # of the search for a move
    view: float  # how many moves come to mind, in the mean, for the search to choose from; ALL: every one


ALL = 0.0

# Found by games on 9x9: steps of about the same size, measured by scripts/measure_levels.py. Few moves in view weaken more than few
# simulations, and look more like a person's oversights; so the view widens first.
LEVELS = (
    Level(16, 1.0),
    Level(16, 1.3),
    Level(16, 1.6),
    Level(16, 1.9),
    Level(18, 2.2),
    Level(20, 2.6),
    Level(24, 3.1),
    Level(30, 3.8),
    Level(36, 4.7),
    Level(46, 6.0),
    Level(60, 7.6),
    Level(85, 10.0),
    Level(120, 13.0),
    Level(180, 18.0),
    Level(260, 24.0),
    Level(450, 35.0),
    Level(800, 60.0),
    Level(1400, ALL),
    Level(2300, ALL),
    Level(4000, ALL),
)


def level_of(number: int) -> Level:
    """The level with this number, 1 the weakest. Raises ValueError for a number that no level has."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"level must be between 1 and {len(LEVELS)}, not {number}")
    return LEVELS[number - 1]
