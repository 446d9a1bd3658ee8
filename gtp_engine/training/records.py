"""Game records as flat arrays: what the sampler replays.

A move is `row * size + column`, row 0 at the top, column 0 at the left; `size * size` is a pass. Black moves first and colors alternate.
"""

import lzma
import os
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from gtp_engine.rank_names import UNKNOWN_RANK
from gtp_engine.training import TrainingError

NAMES = ("moves", "lengths", "winner", "margin")
OPTIONAL_NAMES = ("komi", "black_rank", "white_rank", "bot")  # of a compact record file; see Records
FILE_KOMI = 6.5  # of a compact record file that has none
BYTES_SIZE, WORDS_SIZE = 9, 19  # the board of a compact record file, by the type of its moves: uint8 or uint16
WHOLE = "iub"  # numpy's letters for kinds of whole numbers
KINDS = {"margin": "iuf", "komi": "iuf"}  # the arrays that may hold others
RESIGNED = -1.0  # margin of a game that was not counted


@dataclass(frozen=True)
class Records:
    """G games on boards of one size."""

    size: int  # lines
    moves: np.ndarray  # uint16, all games one after the other
    lengths: np.ndarray  # [G] uint16, moves of each game
    winner: np.ndarray  # [G] int8: +1 Black, -1 White, 0 nobody or unknown
    margin: np.ndarray  # [G] float32: points that the winner won by, komi counted in; RESIGNED when not counted
    komi: np.ndarray  # [G] float32: points that White got
    ranks: np.ndarray | None = None  # [G, 2] int8: Black's and White's, 30k = 0 ... 1k = 29, 1d = 30 ...; UNKNOWN_RANK; None: not told
    programs: np.ndarray | None = None  # [G] uint8: bit 0: Black is known to be a program, bit 1: White; None: not told
    left_out: dict[str, int] = field(default_factory=dict)  # reason -> games not taken

    @property
    def starts(self) -> np.ndarray:
        """[G] int64: where each game begins in `moves`."""
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
        )

    def at_least(self, rank: int) -> "Records":
        """The games both of whose players are known to have this rank at least; all, where no ranks are told."""
        if self.ranks is None:
            return self
        return self.only(((self.ranks >= rank) & (self.ranks != UNKNOWN_RANK)).all(1))

    def of_persons(self) -> "Records":
        """The games between two persons of known ranks; all, where no ranks are told."""
        if self.ranks is None:
            return self
        return self.only((self.ranks_of_persons() != UNKNOWN_RANK).all(1))

    def only(self, chosen: np.ndarray) -> "Records":
        """The games where `chosen`, [G] booleans, is true."""
        each_move = np.repeat(chosen, self.lengths)
        names = ("lengths", "winner", "margin", "komi", "ranks", "programs")
        arrays = {name: getattr(self, name)[chosen] for name in names if getattr(self, name) is not None}
        return replace(self, moves=np.asarray(self.moves)[each_move], **arrays)

    def ranks_of_persons(self) -> np.ndarray:
        """[G, 2] int8: `ranks`, UNKNOWN_RANK for programs: a program of a rank doesn't play as a person of it does."""
        if self.ranks is None:
            return np.full((len(self), 2), UNKNOWN_RANK, np.int8)
        if self.programs is None:
            return self.ranks
        is_program = (self.programs[:, None] & np.array([1, 2])) != 0
        return np.where(is_program, UNKNOWN_RANK, self.ranks).astype(np.int8)


def read_record_file(path: Path, cache: Path | None = None) -> Records:
    """The compact record file `.npz` or `.npz.xz`; with `cache`, a folder, an uncompressed copy is kept there, which loads at once.

    Its arrays are those of Records: moves (uint16 for games on 19x19, uint8 for 9x9), lengths, winner and margin; and, where it has them,
    komi, black_rank, white_rank and bot. Raises TrainingError when the file isn't one.
    """
    arrays = read_cached(path, cache) if cache else read_arrays(path)
    check_arrays(path, arrays)
    count = len(arrays["lengths"])
    has_ranks = "black_rank" in arrays and "white_rank" in arrays
    ranks = np.stack((arrays["black_rank"], arrays["white_rank"]), 1).astype(np.int8) if has_ranks else None
    return Records(
        BYTES_SIZE if arrays["moves"].dtype == np.uint8 else WORDS_SIZE,
        arrays["moves"],
        arrays["lengths"],
        arrays["winner"],
        arrays["margin"].astype(np.float32),
        arrays["komi"].astype(np.float32) if "komi" in arrays else np.full(count, FILE_KOMI, np.float32),
        ranks,
        arrays.get("bot"),
    )


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """The arrays of a compact record file by name, the four that it must have and those others that are of use."""
    try:
        with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file, np.load(file) as archive:
            return {name: archive[name] for name in (*NAMES, *(name for name in OPTIONAL_NAMES if name in archive))}
    except Exception as error:  # np.load raises what it likes, and its texts may hold any bytes
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is damaged, or something else"
        raise TrainingError(f"{path} is not a record file with the arrays {', '.join(NAMES)}: {reason}") from error


def read_cached(path: Path, cache: Path) -> dict[str, np.ndarray]:
    """read_arrays through uncompressed copies in `cache`, named by the file's name, size and time; the moves stay on the disk."""
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
    return {name: np.load(folder / f"{name}.npy", mmap_mode="r" if name == "moves" else None) for name in names}


def cache_folder(path: Path, cache: Path) -> Path:
    """Where the copies of this record file are. Raises TrainingError when there is no such file."""
    try:
        status = path.stat()
    except OSError as error:
        raise TrainingError(f"{path} cannot be read: {error}") from error
    return cache / f"{path.name}-{status.st_size}-{status.st_mtime_ns}-{len(OPTIONAL_NAMES)}"  # an older version kept fewer arrays


def check_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Raise TrainingError unless the arrays are of their kinds and fit together. Whether moves are legal is seen when they are played."""
    for name, array in arrays.items():
        if array.ndim != 1 or array.dtype.kind not in KINDS.get(name, WHOLE):
            raise TrainingError(f"{path} is damaged: {name} is no list of {'numbers' if name in KINDS else 'whole numbers'}")
    moves, lengths = arrays["moves"], arrays["lengths"]
    counts = {len(array) for name, array in arrays.items() if name != "moves"}
    if len(counts) != 1 or (lengths < 0).any() or int(lengths.sum(dtype=np.int64)) != len(moves):
        raise TrainingError(f"{path} is damaged: its arrays don't fit together")
    if moves.dtype not in (np.uint8, np.uint16) or not len(moves):
        raise TrainingError(f"{path} is damaged: expected moves as uint8 or uint16, found {len(moves)} as {moves.dtype}")
    size = BYTES_SIZE if moves.dtype == np.uint8 else WORDS_SIZE
    if int(moves.max()) > size * size:
        raise TrainingError(f"{path} is damaged: a move is outside of the {size}x{size} board")
    if not all(np.isfinite(array).all() for name, array in arrays.items() if name in KINDS):
        raise TrainingError(f"{path} is damaged: a komi or a margin is infinite or no number")
