"""Folders of SGF files as records: games on one board size with a known winner; others are left out and counted by reason.

Games with handicap or set-up stones are read only on request. They come after all others, so the numbers of the others, by which games are
held out, are the same either way.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gtp_engine import sgf
from gtp_engine.go.game import Game
from gtp_engine.go.places import place_of
from gtp_engine.go.points import BLACK, WHITE, opponent
from gtp_engine.go.rank_names import UNKNOWN_RANK, rank_of_record
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.records import RESIGNED, Records, read_record_file
from gtp_engine.learning.training.set_up import set_up_moves

SUFFIXES = {".sgf"}
USUAL_SIZE = 19
RESULT = re.compile(r"([BW])\+(\d+(?:\.\d+)?)?", re.IGNORECASE)  # B+3.5, W+R, b+resign, W+T
DAMAGED, OTHER_SIZE, HANDICAP, NO_RESULT, TURNS, EMPTY_GAME = (
    "damaged, or with an illegal move",
    "another board size",
    "handicap or set-up stones",
    "no winner named",
    "colors that do not alternate",
    "no moves",
)
Report = Callable[[int], None]  # called with the number of files read


def read_sources(paths: Iterable[Path], size: int | None, cache: Path, report: Report) -> list[Records]:
    """The games of each compact record file in `paths`, or those of SGF files and their folders together. See read_records."""
    sources = list(paths)
    is_compact = [".npz" in path.suffixes for path in sources]
    if any(is_compact) and not all(is_compact):
        raise TrainingError(f"{sources[is_compact.index(True)]} is a record file: name only such files, or none")
    return (
        [read_records([path], size, cache, report) for path in sources] if any(is_compact) else [read_records(sources, size, cache, report)]
    )


def read_boards(paths: Iterable[Path], sizes: Iterable[int], cache: Path, report: Report, with_handicap: bool = False) -> list[Records]:
    """The games of each compact record file in `paths`, or those of SGF files and folders, together for each of these boards.

    with_handicap -- also games of SGF files with handicap or set-up stones. Raises TrainingError like read_records.
    """
    sources = list(paths)
    if any(".npz" in path.suffixes for path in sources):
        return read_sources(sources, None, cache, report)
    all_records, reasons = [], []
    for size in sizes:
        try:
            all_records.append(read_records(sources, size, cache, report, with_handicap))
        except TrainingError as error:
            reasons.append(error)
    if not all_records:
        raise reasons[0]
    return all_records


def read_records(paths: Iterable[Path], size: int | None, cache: Path | None, report: Report, with_handicap: bool = False) -> Records:
    """All games in `paths`: one compact record file, or any SGF files and folders (searched recursively).

    `size`: of the board; None: that of the record file, or the default for SGF files. `cache`: see read_record_file. `with_handicap`:
    see read_boards. Raises TrainingError if there are no games.
    """
    sources = list(paths)
    missing = [path for path in sources if not path.exists()]
    if missing:
        raise TrainingError(f"{missing[0]} does not exist; expected a folder of SGF files or a record file (.npz, .npz.xz)")
    compact = [path for path in sources if ".npz" in path.suffixes]
    if compact and len(sources) > 1:
        raise TrainingError(f"{compact[0]} is a record file: it must be the only one named")
    records = read_record_file(compact[0], cache) if compact else read_games(files_of(sources), size or USUAL_SIZE, report, with_handicap)
    if size and records.size != size:
        raise TrainingError(f"{compact[0]} has games on {records.size}x{records.size} boards, not {size}x{size}")
    if not len(records):
        reasons = ", ".join(f"{count} with {reason}" for reason, count in records.left_out.items()) or "no SGF files"
        raise TrainingError(f"no games to learn from in {', '.join(map(str, sources))}: {reasons}")
    return records


def files_of(paths: Iterable[Path]) -> Iterator[Path]:
    """All SGF files in these files and folders, sorted by name."""
    for path in paths:
        if path.is_dir():
            yield from sorted(file for file in path.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
        else:
            yield path


@dataclass(frozen=True)
class ReadGame:
    """A game of a record."""

    moves: np.ndarray  # in the form of Records
    placed: int  # the first ones, which stand for set-up stones
    result: tuple[int, float]  # winner and margin
    komi: float
    ranks: tuple[int, int]  # Black's and White's


def read_games(files: Iterable[Path], size: int, report: Report, with_handicap: bool = False) -> Records:
    """The games that can be used, in this order, those with set-up stones last, and the number of others by reason."""
    left_out: Counter[str] = Counter()
    even: list[ReadGame] = []
    others: list[ReadGame] = []
    for count, file in enumerate(files, 1):
        try:
            record = sgf.load(file)
        except sgf.SgfError:
            left_out[DAMAGED] += 1
            continue
        finally:
            report(count)
        reason = why_left_out(record, size, with_handicap)
        if reason:
            left_out[reason] += 1
            continue
        game = read_game(record)
        (others if game.placed or record.game.handicap else even).append(game)
    return records_of([*even, *others], size, dict(left_out))


def records_of(games: list[ReadGame], size: int, left_out: dict[str, int]) -> Records:
    """The games as records."""
    winners, margins = zip(*(game.result for game in games), strict=True) if games else ((), ())
    return Records(
        size,
        np.concatenate([game.moves for game in games]) if games else np.empty(0, np.uint16),
        np.array([len(game.moves) for game in games], np.uint16),
        np.array(winners, np.int8),
        np.array(margins, np.float32),
        np.array([game.komi for game in games], np.float32),
        np.array([game.ranks for game in games], np.int8) if any(UNKNOWN_RANK not in game.ranks for game in games) else None,
        placed=np.array([game.placed for game in games], np.uint16) if any(game.placed for game in games) else None,
        left_out=left_out,
    )


def read_game(record: sgf.Record) -> ReadGame:
    """The game of a record for which why_left_out says nothing."""
    game, moves = record.game, moves_of(record.game)
    placed = set_up_moves(game.setup_stones, game.size, game.moves[0][0])
    ranks = rank_of_record(record.ranks[BLACK]), rank_of_record(record.ranks[WHITE])
    return ReadGame(np.concatenate((placed, moves)), len(placed), result_of(record.result), record.komi, ranks)


def why_left_out(record: sgf.Record, size: int, with_handicap: bool = False) -> str:
    """Why this game can't be used; empty if it can."""
    game = record.game
    if game.size != size:
        return OTHER_SIZE
    if (game.handicap or game.setup_stones) and not with_handicap:
        return HANDICAP
    if not RESULT.match(record.result):
        return NO_RESULT
    if not game.moves:
        return EMPTY_GAME
    first = game.moves[0][0] if game.setup_stones else BLACK
    if any(color != (opponent(first) if number % 2 else first) for number, (color, _) in enumerate(game.moves)):
        return TURNS
    return ""


def result_of(text: str) -> tuple[int, float]:
    """(winner, margin) of a result that RESULT matches."""
    match = RESULT.match(text)
    assert match is not None
    return (1 if match[1].upper() == "B" else -1), float(match[2]) if match[2] else RESIGNED


def moves_of(game: Game) -> np.ndarray:
    """The moves in the form of Records, without the passes at the end."""
    numbers = [place_of(point, game.size) for _, point in game.moves]
    while numbers and numbers[-1] == game.size**2:
        numbers.pop()
    return np.array(numbers, np.uint16)
