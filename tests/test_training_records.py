"""Game records: compact files of them, SGF files, and what is no record."""

import lzma
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gtp_engine.base.files import write_whole
from gtp_engine.cli.train_records import check_names
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.go.rank_names import UNKNOWN_RANK
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training import records as records_module
from gtp_engine.learning.training.games import read_games, read_records, read_sources
from gtp_engine.learning.training.record_writer import shuffled, write_records
from gtp_engine.learning.training.records import RESIGNED, Records, cache_folder, read_record_file


def make_records(games: list[list[int]], size: int = 5, margins: list[float] | None = None, winners: list[int] | None = None) -> Records:
    """Records of these moves; Black won all of them by resignation unless told otherwise."""
    count = len(games)
    return Records(
        size,
        np.array([move for game in games for move in game], np.uint16),
        np.array([len(game) for game in games], np.uint16),
        np.array(winners or [1] * count, np.int8),
        np.array(margins or [RESIGNED] * count, np.float32),
        np.full(count, 6.5, np.float32),
    )


DIAGONAL = [0, 6, 12, 18, 24]  # of a 5x5 board, from the upper left


# ---------------------------------------------------------------- record files


def save_records(path: Path, records: Records) -> None:
    """A compact record file, with lengths and moves as they are."""
    with lzma.open(path, "wb") as file:
        np.savez(file, moves=records.moves, lengths=records.lengths, winner=records.winner, margin=records.margin.astype(np.float16))


def test_a_record_file_is_read_and_cached(tmp_path: Path) -> None:
    path, cache = tmp_path / "games.npz.xz", tmp_path / "cache"
    save_records(path, make_records([[0, 1, 2], [3, 4]], size=19, margins=[RESIGNED, 4.5], winners=[1, -1]))
    for time in (1_000_000_000, 1_700_000_000):  # the second time it is a later copy of the same file
        os.utime(path, (time, time))
        records = read_record_file(path, cache)
        assert list(records.moves) == [0, 1, 2, 3, 4] and list(records.starts) == [0, 3]
        assert list(records.margin) == [-1.0, 4.5] and list(records.winner) == [1, -1]
    assert len(list(cache.iterdir())) == 1
    save_records(path, make_records([[0, 1, 2], [3, 5]], size=19, margins=[RESIGNED, 4.5], winners=[1, -1]))
    os.utime(path, (time, time))
    assert list(read_record_file(path, cache).moves) == [0, 1, 2, 3, 5], "other games of the same size and time"


def test_a_record_file_of_small_boards_tells_komi_and_ranks(tmp_path: Path) -> None:
    """Moves of one byte are games on 9x9; the weaker player's rank counts, and an unknown one is no rank at all."""
    path, cache = tmp_path / "small.npz", tmp_path / "cache"
    records = make_records([[0, 1, 81], [3, 4], [5]], size=9)
    arrays: dict[str, Any] = {
        "moves": records.moves.astype(np.uint8),
        "lengths": records.lengths,
        "winner": records.winner,
        "margin": records.margin,
    }
    ranks: dict[str, Any] = {"black_rank": np.array([20, 28, 127], np.int8), "white_rank": np.array([31, 30, 35], np.int8)}
    np.savez(path, **arrays, komi=np.array([5.5, 7.0, 6.5], np.float16), **ranks)
    for _ in range(2):
        records = read_record_file(path, cache)
        assert records.size == 9 and list(records.komi) == [5.5, 7.0, 6.5]
        assert records.ranks is not None and records.ranks.tolist() == [[20, 31], [28, 30], [UNKNOWN_RANK, 35]]
    strong = records.at_least(25)
    assert list(strong.moves) == [3, 4] and list(strong.komi) == [7.0] and len(strong) == 1
    assert len(records.at_least(40)) == 0
    unranked = make_records([[0, 1, 2], [3, 4]])
    assert unranked.at_least(40) is unranked


def test_several_record_files_are_several_sources(tmp_path: Path) -> None:
    for name in ("a.npz.xz", "b.npz.xz"):
        save_records(tmp_path / name, make_records([[0, 1, 2]], size=19))
    (tmp_path / "game.sgf").write_text(GAMES["good.sgf"])
    two = [tmp_path / "a.npz.xz", tmp_path / "b.npz.xz"]
    assert [len(records) for records in read_sources(two, None, tmp_path / "cache", lambda count: None)] == [1, 1]
    with pytest.raises(TrainingError, match=r"a\.npz\.xz is a record file: name only such files, or none"):
        read_sources([tmp_path / "game.sgf", two[0]], None, tmp_path / "cache", lambda count: None)
    with pytest.raises(TrainingError, match="19x19 boards, not 9x9"):
        read_sources(two, 9, tmp_path / "cache", lambda count: None)


def test_two_processes_may_unpack_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, cache = tmp_path / "games.npz.xz", tmp_path / "cache"
    save_records(path, make_records([[0, 1, 2], [3, 4]], size=19))
    read = records_module.read_arrays

    def overtaken(path: Path) -> dict[str, np.ndarray]:
        """While we read, another process finishes the same work."""
        arrays = read(path)
        folder = cache_folder(path, cache)
        folder.mkdir(parents=True)
        for name, array in arrays.items():
            np.save(folder / f"{name}.npy", array)
        return arrays

    monkeypatch.setattr(records_module, "read_arrays", overtaken)
    assert list(read_record_file(path, cache).moves) == [0, 1, 2, 3, 4]
    assert len(list(cache.iterdir())) == 1


def test_the_last_games_can_be_held_out() -> None:
    records = make_records([[0, 1, 2], [3, 4], [5]])
    last = records.games(1, 3)
    assert list(last.moves) == [3, 4, 5] and list(last.lengths) == [2, 1] and list(last.starts) == [0, 2]


@pytest.mark.parametrize("content", [b"", b"no archive", lzma.compress(b"no archive")])
def test_what_is_no_record_file_is_told(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "games.npz.xz"
    path.write_bytes(content)
    with pytest.raises(TrainingError, match=r"games\.npz\.xz is not a record file"):
        read_record_file(path, tmp_path / "cache")


def test_a_record_file_whose_arrays_do_not_fit_is_told(tmp_path: Path) -> None:
    path = tmp_path / "games.npz.xz"
    records = make_records([[0, 1, 2]], size=19)
    np.savez(path.with_suffix(""), moves=records.moves[:2], lengths=records.lengths, winner=records.winner, margin=records.margin)
    with pytest.raises(TrainingError, match="damaged"):
        read_record_file(path.with_suffix(""))


# ---------------------------------------------------------------- SGF

GAMES = {
    "good.sgf": "(;SZ[5]KM[7.5]RE[W+2.5];B[aa];W[bb];B[cc];W[];B[])",
    "resigned.sgf": "(;SZ[5]KM[0]RE[B+R];B[cc];W[bb])",
    "nobody.sgf": "(;SZ[5]RE[Void];B[cc])",
    "large.sgf": "(;SZ[9]RE[B+R];B[cc])",
    "handicap.sgf": "(;SZ[5]HA[2]AB[bb][dd]RE[B+R];W[cc])",
    "illegal.sgf": "(;SZ[5]RE[B+R];B[cc];W[cc])",
    "twice.sgf": "(;SZ[5]RE[B+R];B[cc];B[dd])",
    "empty.sgf": "(;SZ[5]RE[B+R])",
    "noise.sgf": "noise",
}


def test_games_that_fit_are_taken_and_the_others_counted_by_reason(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    for name, text in GAMES.items():
        (tmp_path / "inside" / name).write_text(text)
    seen: list[int] = []
    records = read_records([tmp_path], 5, tmp_path / "cache", seen.append)
    assert seen == list(range(1, len(GAMES) + 1))
    assert list(records.moves) == [0, 6, 12, 12, 6]  # good.sgf without its passes, then resigned.sgf
    assert list(records.winner) == [-1, 1] and list(records.margin) == [2.5, RESIGNED] and list(records.komi) == [7.5, 0.0]
    assert records.left_out == {
        "no moves": 1,
        "handicap or set-up stones": 1,
        "damaged, or with an illegal move": 2,
        "another board size": 1,
        "no winner named": 1,
        "colors that do not alternate": 1,
    }


def test_nothing_to_learn_from_is_told_with_the_reasons(tmp_path: Path) -> None:
    (tmp_path / "large.sgf").write_text(GAMES["large.sgf"])
    with pytest.raises(TrainingError, match=r"no games to learn from in .*: 1 with another board size"):
        read_records([tmp_path], 5, tmp_path, lambda count: None)
    with pytest.raises(TrainingError, match="does not exist"):
        read_records([tmp_path / "missing"], 5, tmp_path, lambda count: None)


RANKED = {
    "a.sgf": "(;SZ[9]KM[5.5]RE[W+2.5]BR[5k]WR[1d];B[ee];W[cc];B[gg])",
    "b.sgf": "(;SZ[9]KM[6.5]RE[B+R]BR[12 kyu]WR[3k?];B[dd];W[ff])",
    "c.sgf": "(;SZ[9]KM[7]RE[W+R];B[aa])",
}


@pytest.mark.parametrize("name", ["games.npz", "games.npz.xz"])
def test_sgf_files_become_one_record_file_with_ranks(name: str, tmp_path: Path) -> None:
    for file, text in RANKED.items():
        (tmp_path / file).write_text(text)
    read = read_records([tmp_path], 9, tmp_path / "cache", lambda count: None)
    assert read.ranks is not None and read.ranks.tolist() == [[25, 30], [18, UNKNOWN_RANK], [UNKNOWN_RANK, UNKNOWN_RANK]]
    write_records(tmp_path / name, shuffled(read, 3))
    written = read_record_file(tmp_path / name)
    assert written.size == 9 and written.ranks is not None
    order = [list(read.lengths).index(length) for length in written.lengths]
    assert sorted(order) == [0, 1, 2] and order != [0, 1, 2]  # seed 3 moves them
    for place, game in enumerate(order):
        one, same = written.games(place, place + 1), read.games(game, game + 1)
        assert one.moves.tolist() == same.moves.tolist()
        assert (one.winner, one.margin, one.komi) == (same.winner, same.margin, same.komi)
        assert written.ranks[place].tolist() == read.ranks[game].tolist()


def test_record_files_are_not_taken_for_sgf(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"a.npz is a record file already"):
        check_names([tmp_path / "a.npz"], tmp_path / "b.npz")
    with pytest.raises(ConfigError, match=r"ends with .npz or .npz.xz"):
        check_names([tmp_path], tmp_path / "b.sgf")


def test_records_without_any_rank_tell_none(tmp_path: Path) -> None:
    (tmp_path / "c.sgf").write_text(RANKED["c.sgf"])
    assert read_records([tmp_path], 9, tmp_path, lambda count: None).ranks is None


def test_a_pass_in_mid_game_stays(tmp_path: Path) -> None:
    path = tmp_path / "pass.sgf"
    path.write_text("(;SZ[5]RE[B+R];B[cc];W[];B[bb])")
    assert list(read_games([path], 5, lambda count: None).moves) == [12, 25, 6]


# ---------------------------------------------------------------- files


def test_a_file_that_cannot_be_written_leaves_the_last_one(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    path.write_text("good")

    def fail_half_way(unfinished: Path) -> None:
        unfinished.write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        write_whole(path, fail_half_way)
    assert path.read_text() == "good" and list(tmp_path.iterdir()) == [path]
