"""Sources of positions for a teacher: the games of records, and the positions of suites."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from gtp_engine.go.rules import CHINESE
from gtp_engine.learning.training.games import Report, read_boards
from gtp_engine.learning.training.katago.positions import RecordPosition
from gtp_engine.learning.training.katago.suite import SuitePosition, read_suite
from gtp_engine.learning.training.records import RESIGNED, Records

SUITE_SUFFIX = ".jsonl"
ANY, FIGHT, LATE, FINISHED = "any", "fight", "late", "finished"  # kinds of positions: two of any stage, the last quarter, after the end
LATE_FROM = 0.75  # of a game's moves


@dataclass(frozen=True)
class SourcePosition:
    """A position of a source."""

    position: RecordPosition
    game: int  # its number in the source
    number: int  # of the game's moves before the position


class PositionSource(Protocol):
    """Positions of one kind. `name` is for people."""

    name: str

    def draw(self, random: np.random.Generator, kind: str = ANY) -> SourcePosition:
        """A random position, if possible of the kind's stage of a game. Its moves may be illegal."""
        ...


class GamePositions:
    """The positions of games, all those of a game equally likely."""

    def __init__(self, name: str, records: Records) -> None:
        self.name, self.records = name, records
        self._starts = records.starts
        self._placed = np.zeros(len(records), np.uint16) if records.placed is None else records.placed

    def draw(self, random: np.random.Generator, kind: str = ANY) -> SourcePosition:
        """See PositionSource."""
        records = self.records
        game = int(random.integers(len(records)))
        start, placed, end = int(self._starts[game]), int(self._placed[game]), int(records.lengths[game])
        if kind == FINISHED and records.margin[game] != RESIGNED:
            moves = self._finished(random, np.asarray(records.moves[start : start + end], np.uint16))
        else:
            first = max(placed, int(LATE_FROM * end)) if kind in (LATE, FINISHED) else placed
            moves = np.asarray(records.moves[start : start + int(random.integers(first, end + 1))], np.uint16)
        position = RecordPosition(records.size, moves, float(records.komi[game]), CHINESE, placed=placed)
        return SourcePosition(position, game, min(len(moves), end) - placed)

    def _finished(self, random: np.random.Generator, moves: np.ndarray) -> np.ndarray:
        """The moves of a counted game without the passes at its end, and often one pass: no network is asked after two."""
        passed = self.records.size**2
        last = int(np.flatnonzero(moves != passed)[-1]) + 1 if (moves != passed).any() else 0
        return np.append(moves[:last], [passed] * int(random.integers(2))).astype(np.uint16)


class SuitePositions:
    """The positions of a suite, all equally likely."""

    def __init__(self, name: str, positions: Sequence[SuitePosition]) -> None:
        self.name, self._positions = name, [suite_position.position for suite_position in positions]
        self._games = games_of(self._positions)

    def draw(self, random: np.random.Generator, kind: str = ANY) -> SourcePosition:
        """See PositionSource."""
        i = int(random.integers(len(self._positions)))
        position = self._positions[i]
        return SourcePosition(position, self._games[i], len(position.moves))


def games_of(positions: Sequence[RecordPosition]) -> list[int]:
    """For each position, the number of its game, in the order of their first positions.

    Positions whose moves begin with all moves of the same other position count as one game: they may be of one, and then only together
    held out.
    """
    lines = [(position.size, *position.moves.tolist()) for position in positions]
    shortest: dict[tuple[int, ...], tuple[int, ...]] = {}
    first: tuple[int, ...] = ()
    for line in sorted(set(lines)):
        if not first or line[: len(first)] != first:
            first = line
        shortest[line] = first
    numbers: dict[tuple[int, ...], int] = {}
    return [numbers.setdefault(shortest[line], len(numbers)) for line in lines]


def is_suite(path: Path) -> bool:
    """True if this is a suite, by its name."""
    return path.suffix == SUITE_SUFFIX


def read_positions(paths: Sequence[Path], sizes: Sequence[int], cache: Path, report: Report) -> list[PositionSource]:
    """The sources in these files: first all records, see read_boards, then the suites. Raises TrainingError."""
    suites, others = [path for path in paths if is_suite(path)], [path for path in paths if not is_suite(path)]
    records = read_boards(others, sizes, cache, report, with_handicap=True) if others else []
    sources = [GamePositions(name, games) for name, games in zip(names_of(others, records), records, strict=True)]
    return [*sources, *(SuitePositions(path.name, read_suite(path)) for path in suites)]


def names_of(paths: Sequence[Path], records: Sequence[Records]) -> list[str]:
    """The names of the records that were read from these files: that of a record file, or that of SGF files with the board."""
    if any(".npz" in path.suffixes for path in paths):
        return [path.name for path in paths]
    return [f"{paths[0].name} {games.size}x{games.size}" for games in records]
