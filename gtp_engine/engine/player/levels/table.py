"""The twenty levels: what each sees and how long it thinks. Plain data."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """The view of a level. No number depends on the machine or the board."""

    simulations: int  # of the search for a move
    view: float  # how many moves come to mind, in the mean, for the search to choose from; ALL: every one
    eye: float = 2.0  # for what looks good: a move that looks twice as good comes to mind 2 ** eye times as often
    model_bonus: float = 0.0  # of the learned move model in the search, see SearchParams: 0 for none


ALL = 0.0

# docs/figures/measure_levels.py measures them; the steps are meant to be alike, some 120 Elo on 9x9. There are some 24 simulations for
# each move in view, enough to tell the better ones: what a low level gets wrong, it has not seen. The lowest four differ by their eye
# alone, and the highest three see what strong players see.
LEVELS = (
    Level(24, 1.0, eye=0.0),
    Level(24, 1.0, eye=0.4),
    Level(24, 1.0, eye=1.1),
    Level(24, 1.0, eye=1.9),
    Level(30, 1.25),
    Level(38, 1.6),
    Level(54, 2.25),
    Level(76, 3.2),
    Level(105, 4.4),
    Level(135, 5.6),
    Level(165, 6.7),
    Level(195, 7.9),
    Level(270, 11.0),
    Level(380, 16.0),
    Level(550, 22.0),
    Level(800, 36.0),
    Level(1100, ALL),
    Level(1100, ALL, model_bonus=0.5),
    Level(1800, ALL, model_bonus=0.5),
    Level(3200, ALL, model_bonus=0.5),
)


def level_of(number: int) -> Level:
    """The level with this number, 1 the weakest. Raises ValueError for a number that no level has."""
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"level must be between 1 and {len(LEVELS)}, not {number}")
    return LEVELS[number - 1]
