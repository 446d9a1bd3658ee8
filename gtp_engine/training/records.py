"""Game records as flat arrays: what the sampler replays.

A move is `row * size + column`, row 0 at the top, column 0 at the left; `size * size` is a pass. Black moves first and colors alternate.
"""

import lzma
import os
import shutil
import zipfile
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from gtp_engine.training import TrainingError

NAMES = ("moves", "lengths", "winner", "margin")
FILE_SIZE, FILE_KOMI = 19, 6.5  # of every game in a compact record file
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
        )


def read_record_file(path: Path, cache: Path | None = None) -> Records:
    """The compact record file `.npz` or `.npz.xz`; with `cache`, a folder, an uncompressed copy is kept there, which loads at once.

    Raises TrainingError when the file isn't one.
    """
    arrays = read_cached(path, cache) if cache else read_arrays(path)
    check_arrays(path, arrays)
    count = len(arrays["lengths"])
    return Records(
        FILE_SIZE,
        arrays["moves"],
        arrays["lengths"],
        arrays["winner"],
        arrays["margin"].astype(np.float32),
        np.full(count, FILE_KOMI, np.float32),
    )


def read_arrays(path: Path) -> dict[str, np.ndarray]:
    """The four arrays of a compact record file."""
    try:
        with lzma.open(path) if path.suffix == ".xz" else path.open("rb") as file, np.load(file) as archive:
            return {name: archive[name] for name in NAMES}
    except (OSError, EOFError, KeyError, ValueError, lzma.LZMAError, zipfile.BadZipFile) as error:
        raise TrainingError(f"{path} is not a record file with the arrays {', '.join(NAMES)}: {error}") from error


def read_cached(path: Path, cache: Path) -> dict[str, np.ndarray]:
    """read_arrays through uncompressed copies in `cache`, named by the file's name, size and time; the moves stay on the disk."""
    try:
        status = path.stat()
    except OSError as error:
        raise TrainingError(f"{path} cannot be read: {error}") from error
    folder = cache / f"{path.name}-{status.st_size}-{status.st_mtime_ns}"
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
    return {name: np.load(folder / f"{name}.npy", mmap_mode="r" if name == "moves" else None) for name in NAMES}


def check_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Raise TrainingError unless the arrays fit together."""
    counts = {len(arrays[name]) for name in NAMES[1:]}
    if len(counts) != 1 or int(arrays["lengths"].sum(dtype=np.int64)) != len(arrays["moves"]):
        raise TrainingError(f"{path} is damaged: its arrays don't fit together")
