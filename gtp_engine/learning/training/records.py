"""Game records as flat arrays, from which positions are drawn.

A move is `row * size + column`, row 0 at the top, column 0 at the left; `size * size` is a pass. Black moves first and colors alternate.
"""

import hashlib
import lzma
import os
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from gtp_engine.go.rank_names import STRONGEST_LEARNED, UNKNOWN_RANK, WEAKEST_LEARNED
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.record_checks import SEARCH_NAMES, check_arrays, size_of
from gtp_engine.learning.training.searches import Searches

NAMES = ("moves", "lengths", "winner", "margin")
OPTIONAL_NAMES = (
    "komi",
    "black_rank",
    "white_rank",
    "bot",
    "size",
    "owners",
    "rules",
    *SEARCH_NAMES,
)  # of a compact record file; see Records
FILE_KOMI = 6.5  # of a compact record file without komi
LARGE = ("moves", "owners", "visit_moves", "visit_counts")  # arrays that stay on the disk
RESIGNED = -1.0  # margin of a game that was not counted
OWNER_UNKNOWN = 2  # in Records.owners: at every point of a game that was not counted


@dataclass(frozen=True)
class Records:
    """G games on boards of one size."""

    size: int  # lines
    moves: np.ndarray  # uint16, all games one after the other
    lengths: np.ndarray  # [G] uint16, moves of each game
    winner: np.ndarray  # [G] int8: +1 Black, -1 White, 0 none or unknown
    margin: np.ndarray  # [G] float32: the winner's margin in points, including komi; RESIGNED if not counted
    komi: np.ndarray  # [G] float32: points that White got
    ranks: np.ndarray | None = None  # [G, 2] int8: Black's and White's, 30k = 0 ... 1k = 29, 1d = 30 ...; UNKNOWN_RANK; None: unknown
    programs: np.ndarray | None = None  # [G] uint8: bit 0: Black is known to be a program, bit 1: White; None: unknown
    owners: np.ndarray | None = None  # [G, S * S] int8: the owner of each point at the end: 1 Black, -1 White, 0 neutral; OWNER_UNKNOWN
    rules: np.ndarray | None = None  # [G] uint8: an index in record_checks.RULES; None: Chinese
    searches: Searches | None = None  # of some positions; None: there are only the moves played
    placed: np.ndarray | None = None  # [G] uint16: the first moves of each game, which stand for set-up stones, see set_up.py; None: none
    left_out: dict[str, int] = field(default_factory=dict)  # reason -> number of games left out

    @property
    def starts(self) -> np.ndarray:
        """[G] int64: the index in `moves` where each game begins."""
        return np.cumsum(self.lengths, dtype=np.int64) - self.lengths

    def __len__(self) -> int:
        return len(self.lengths)

    def games(self, first: int, last: int) -> "Records":
        """The games first .. last - 1."""
        ends = np.concatenate(([0], np.cumsum(self.lengths, dtype=np.int64)))
        chosen = slice(first, last)
        return replace(
            self,
            moves=self.moves[ends[first] : ends[last]],
            lengths=self.lengths[chosen],
            winner=self.winner[chosen],
            margin=self.margin[chosen],
            komi=self.komi[chosen],
            ranks=None if self.ranks is None else self.ranks[chosen],
            programs=None if self.programs is None else self.programs[chosen],
            owners=None if self.owners is None else self.owners[chosen],
            rules=None if self.rules is None else self.rules[chosen],
            placed=None if self.placed is None else self.placed[chosen],
            searches=None if self.searches is None else self.searches.between(int(ends[first]), int(ends[last])),
        )

    def at_least(self, rank: int) -> "Records":
        """The games of two players who are known to have at least this rank; all games if there are no ranks."""
        if self.ranks is None:
            return self
        return self.only(((self.ranks >= rank) & (self.ranks != UNKNOWN_RANK)).all(1))

    def of_persons(self) -> "Records":
        """The games between two persons of known ranks; all games if there are no ranks."""
        if self.ranks is None:
            return self
        return self.only((self.ranks_of_persons() != UNKNOWN_RANK).all(1))

    def with_learned_ranks(self) -> "Records":
        """The games where a person has a learned rank, see rank_names."""
        ranks = self.ranks_of_persons()
        return self.only(np.any((ranks >= WEAKEST_LEARNED) & (ranks <= STRONGEST_LEARNED), axis=1))

    def only(self, chosen: np.ndarray) -> "Records":
        """The games where `chosen`, [G] booleans, is true."""
        each_move = np.repeat(chosen, self.lengths)
        names = ("lengths", "winner", "margin", "komi", "ranks", "programs", "owners", "rules", "placed")
        arrays = {name: getattr(self, name)[chosen] for name in names if getattr(self, name) is not None}
        searches = None if self.searches is None else self.searches.only(each_move)
        return replace(self, moves=np.asarray(self.moves)[each_move], searches=searches, **arrays)

    def ranks_of_persons(self) -> np.ndarray:
        """[G, 2] int8: `ranks`, but UNKNOWN_RANK for programs, because a program of a rank doesn't play like a person of that rank."""
        if self.ranks is None:
            return np.full((len(self), 2), UNKNOWN_RANK, np.int8)
        if self.programs is None:
            return self.ranks
        is_program = (self.programs[:, None] & np.array([1, 2])) != 0
        return np.where(is_program, UNKNOWN_RANK, self.ranks).astype(np.int8)


def read_record_file(path: Path, cache: Path | None = None) -> Records:
    """The games of a compact record file `.npz` or `.npz.xz`. In the folder `cache`, if given, an uncompressed copy is kept, which loads at
    once.

    Its arrays are those of Records: moves (uint16 for games on 19x19, uint8 for 9x9), lengths, winner and margin; and optionally
    komi, black_rank, white_rank, bot, size (of other boards), owners, and those of Searches: searched, visit_starts, visit_moves,
    visit_counts and root_values. Raises TrainingError for other files.
    """
    arrays = read_cached(path, cache) if cache else read_arrays(path)
    check_arrays(path, arrays)
    count = len(arrays["lengths"])
    has_ranks = "black_rank" in arrays and "white_rank" in arrays
    ranks = np.stack((arrays["black_rank"], arrays["white_rank"]), 1).astype(np.int8) if has_ranks else None
    has_searches = all(name in arrays for name in SEARCH_NAMES)
    return Records(
        size_of(arrays),
        arrays["moves"],
        arrays["lengths"],
        arrays["winner"],
        arrays["margin"].astype(np.float32),
        arrays["komi"].astype(np.float32) if "komi" in arrays else np.full(count, FILE_KOMI, np.float32),
        ranks,
        arrays.get("bot"),
        arrays.get("owners"),
        arrays.get("rules") if has_searches else None,  # in other files this name has other meanings
        Searches(*(arrays[name] for name in SEARCH_NAMES)) if has_searches else None,
    )


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a compact record file by name: the four required ones and the known optional ones."""
    try:
        with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file, np.load(file) as archive:
            return {name: archive[name] for name in (*NAMES, *(name for name in OPTIONAL_NAMES if name in archive))}
    except Exception as error:  # np.load raises many kinds of errors, whose texts may hold any bytes
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is damaged, or something else"
        raise TrainingError(f"{path} is not a record file with the arrays {', '.join(NAMES)}: {reason}") from error


def read_cached(path: Path, cache: Path) -> dict[str, np.ndarray]:
    """read_arrays through uncompressed copies in `cache`, named by the file's name and content; the moves stay on the disk."""
    folder = cache_folder(path, cache)
    if not folder.is_dir():
        arrays = read_arrays(path)
        unfinished = cache / f"{folder.name}.{os.getpid()}"
        unfinished.mkdir(parents=True, exist_ok=True)
        for name, array in arrays.items():
            np.save(unfinished / f"{name}.npy", array)
        try:
            unfinished.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
            shutil.rmtree(unfinished, ignore_errors=True)  # another process was faster
    names = (*NAMES, *(name for name in OPTIONAL_NAMES if (folder / f"{name}.npy").exists()))
    return {name: np.load(folder / f"{name}.npy", mmap_mode="r" if name in LARGE else None) for name in names}


def cache_folder(path: Path, cache: Path) -> Path:
    """The folder of this record file's copies. Raises TrainingError if there is no such file."""
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()[:32]  # not its time: a copied file must not be unpacked again
    except OSError as error:
        raise TrainingError(f"{path} cannot be read: {error}") from error
    return cache / f"{path.name}-{digest}-{len(OPTIONAL_NAMES)}"  # an older version kept fewer arrays
