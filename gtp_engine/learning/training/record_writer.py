"""Writes records as a compact record file, which is the fastest to read and can be shared."""

import lzma
from pathlib import Path

import numpy as np

from gtp_engine.base.files import write_arrays, write_whole
from gtp_engine.learning.training.record_checks import BYTES_SIZE
from gtp_engine.learning.training.records import Records

COMPRESSED = ".xz"  # suffix of files that are half as large but several times as slow to write


def shuffled(records: Records, seed: int) -> Records:
    """The same games in a random order by `seed`, so that the last ones, which training holds out, are like the others.

    Owners and searches are left out: records that were just read from SGF files have none.
    """
    order = np.random.default_rng(seed).permutation(len(records))
    lengths = records.lengths[order].astype(np.int64)
    shifts = records.starts[order] - (np.cumsum(lengths) - lengths)  # the distance of each game's moves from their new place
    places = np.arange(len(records.moves)) + np.repeat(shifts, lengths)
    ranks = None if records.ranks is None else records.ranks[order]
    lists = (records.moves[places], records.lengths[order], records.winner[order], records.margin[order], records.komi[order])
    return Records(records.size, *lists, ranks=ranks, left_out=records.left_out)


def write_records(path: Path, records: Records) -> None:
    """Write a compact record file, whole or not at all: `.npz` or `.npz.xz`. Owners and searches are left out. Raises OSError.

    The marks of programs are left out, too. read_record_file reads all the rest back.
    """
    arrays = {
        "size": np.array(records.size),
        "moves": records.moves.astype(np.uint8 if records.size == BYTES_SIZE else np.uint16),
        "lengths": records.lengths,
        "winner": records.winner,
        "margin": records.margin.astype(np.float32),
        "komi": records.komi.astype(np.float32),
    }
    if records.ranks is not None:
        arrays |= {"black_rank": records.ranks[:, 0], "white_rank": records.ranks[:, 1]}
    if path.suffix == COMPRESSED:
        write_whole(path, lambda unfinished: write_packed(unfinished, arrays))
    else:
        write_arrays(path, arrays)


def write_packed(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write the arrays as `.npz`, packed by xz as a whole. Raises OSError."""
    with lzma.open(path, "wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]  # numpy accepts every file that is open for writing
