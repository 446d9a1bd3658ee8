"""The pairings, colors and openings of a tournament. The same tournament always has the same schedule."""

from collections.abc import Iterator
from dataclasses import dataclass

from gtp_engine.tools.match.tournament import GAUNTLET, Tournament

SEED_STRIDE = 1_000_003  # between the engine seeds of consecutive tournament seeds


@dataclass(frozen=True)
class ScheduledGame:
    """One game to play. Its numbers don't depend on the number of games, so a tournament can be extended."""

    number: int  # from 0; identifies the game in the results file
    black: int  # index of the player
    white: int
    pair: int  # counted for each pairing; both games of a pair have the same opening, with colors exchanged
    seed: int  # for the engines, different in every game


def pairings(tournament: Tournament) -> list[tuple[int, int]]:
    """Indices of the players of each pairing."""
    count = len(tournament.players)
    if tournament.format == GAUNTLET:
        return [(0, other) for other in range(1, count)]
    return [(one, other) for one in range(count) for other in range(one + 1, count)]


def schedule(tournament: Tournament) -> Iterator[ScheduledGame]:
    """All games in the order of play: in each round every pairing plays a pair of games, so that all advance together."""
    for pair in range((tournament.games + 1) // 2):
        for place, (one, other) in enumerate(pairings(tournament)):
            for turn, (black, white) in enumerate(((one, other), (other, one))):
                if 2 * pair + turn < tournament.games:
                    number = 2 * (pair * len(pairings(tournament)) + place) + turn
                    yield ScheduledGame(number, black, white, pair, engine_seed(tournament.seed, number))


def engine_seed(seed: int, number: int) -> int:
    """A seed for the engines of a game, at least 1, unique in the tournament."""
    return (seed * SEED_STRIDE + number) % (2**31 - 2) + 1
