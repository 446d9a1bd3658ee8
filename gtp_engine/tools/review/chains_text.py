"""Chains of stones, and their names in sentences."""

from collections.abc import Sequence

from gtp_engine.go.game import Game
from gtp_engine.go.life import chains_of
from gtp_engine.go.points import to_vertex

SEVERAL = 2  # stones: a single stone may be a sacrifice


def chains(game: Game, color: int) -> list[list[int]]:
    """Return every chain of `color`, the largest first."""
    return sorted(map(sorted, chains_of(game, color)), key=lambda chain: (-len(chain), chain[0]))


def stones_text(chain: Sequence[int], owner: str = "") -> str:
    """Return `the stone on D4` or `the 3 stones at D4`, or with an owner `White's 3 stones at D4`."""
    stones = f"stone on {to_vertex(chain[0])}" if len(chain) == 1 else f"{len(chain)} stones at {to_vertex(chain[0])}"
    return f"{owner}'s {stones}" if owner else f"the {stones}"
