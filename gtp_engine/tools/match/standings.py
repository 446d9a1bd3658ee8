"""The results of the finished games: tallies, ratings, the sequential test, time and memory, and problems."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from gtp_engine.tools.match.elo import Tally
from gtp_engine.tools.match.rating import Ratings, rate
from gtp_engine.tools.match.record import DRAW, UNKNOWN, PlayedGame, SideRecord
from gtp_engine.tools.match.schedule import pairings
from gtp_engine.tools.match.sprt import SprtState, sprt_state
from gtp_engine.tools.match.tournament import Tournament

GAMES_OF_A_PAIR = 2


@dataclass(frozen=True)
class Spent:
    """The resources that one player used in all its games."""

    moves: int
    seconds: float  # at the pipe
    slowest: float  # seconds of one move
    cpu_seconds: float | None  # of the games in which it could be told; None: of none
    cpu_moves: int  # in those games
    peak_memory: int | None  # bytes; the largest of all games

    @property
    def seconds_per_move(self) -> float:
        """At the pipe; 0 without moves."""
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def cpu_per_move(self) -> float | None:
        """Processor seconds, set-up of each game included; None when they can't be told."""
        return None if self.cpu_seconds is None or not self.cpu_moves else self.cpu_seconds / self.cpu_moves


class Standings:
    """A tournament and its finished games, `records`, in the order of the schedule. Doesn't change; figures are made when asked for."""

    def __init__(self, tournament: Tournament, records: Sequence[PlayedGame]) -> None:
        self.tournament = tournament
        self.records = sorted(records, key=lambda record: record.number)
        self.names = [player.name for player in tournament.players]

    @property
    def planned(self) -> int:
        """The number of games of the whole tournament."""
        return len(pairings(self.tournament)) * self.tournament.games

    @cached_property
    def tallies(self) -> dict[tuple[str, str], Tally]:
        """The games of each pairing, (one, other) -> Tally of `one`; games without an outcome are left out."""
        counts = {(self.names[i], self.names[j]): Counter[str]() for i, j in pairings(self.tournament)}
        for record in self.records:
            one, other = record.black.name, record.white.name
            counts[(one, other) if (one, other) in counts else (other, one)][record.winner] += 1
        return {(one, other): Tally(count[one], count[DRAW], count[other]) for (one, other), count in counts.items()}

    def tally(self, one: str, other: str) -> Tally | None:
        """`one` against `other`; None when they don't meet."""
        if (one, other) in self.tallies:
            return self.tallies[one, other]
        reverse = self.tallies.get((other, one))
        return None if reverse is None else reverse.reversed()

    def total(self, name: str) -> Tally:
        """A player against everybody."""
        return sum((tally for other in self.names if (tally := self.tally(name, other)) is not None), Tally())

    @cached_property
    def ratings(self) -> Ratings:
        """Bradley-Terry ratings of all players."""
        anchors = {player.name: player.anchor for player in self.tournament.players if player.anchor is not None}
        return rate(self.names, self.tallies, anchors)

    @cached_property
    def sprt(self) -> SprtState | None:
        """The state of the sequential test; None if there is none."""
        return None if self.tournament.sprt is None else sprt_state(self.tournament.sprt, self.pair_scores())

    def pair_scores(self) -> list[float]:
        """The first player's mean score in each finished pair of games with outcomes, of a match of two players."""
        points = {self.names[0]: 1.0, DRAW: 0.5, self.names[1]: 0.0}
        pairs: dict[int, list[float]] = {}
        for record in self.records:
            if record.winner != UNKNOWN:
                pairs.setdefault(record.pair, []).append(points[record.winner])
        return [sum(scores) / GAMES_OF_A_PAIR for scores in pairs.values() if len(scores) == GAMES_OF_A_PAIR]

    def faults(self) -> list[PlayedGame]:
        """Games that a player lost by its own fault."""
        return [record for record in self.records if record.fault]

    def disagreements(self) -> list[PlayedGame]:
        """Games whose scores contradict each other, or that nobody could score."""
        return [record for record in self.records if record.disagreement or record.winner == UNKNOWN]

    def repeated_games(self) -> int:
        """The number of games with the same moves as an earlier one between the same players, which prove nothing."""
        games = Counter((frozenset((record.black.name, record.white.name)), record.digest) for record in self.records)
        return sum(count - 1 for count in games.values())

    def sides(self, name: str) -> list[SideRecord]:
        """A player's part in each of its games."""
        return [side for record in self.records for side in (record.black, record.white) if side.name == name]

    def identities(self, name: str) -> list[str]:
        """Every name and version that the engine has given itself."""
        return sorted({side.identity for side in self.sides(name) if side.identity})

    def spent(self, name: str) -> Spent:
        """Time and memory of a player."""
        sides = self.sides(name)
        timed = [(side.cpu_seconds, side.moves) for side in sides if side.cpu_seconds is not None]
        return Spent(
            moves=sum(side.moves for side in sides),
            seconds=sum(side.seconds for side in sides),
            slowest=max((side.slowest for side in sides), default=0.0),
            cpu_seconds=sum(seconds for seconds, _ in timed) if timed else None,
            cpu_moves=sum(moves for _, moves in timed),
            peak_memory=max((side.peak_memory for side in sides if side.peak_memory is not None), default=None),
        )
