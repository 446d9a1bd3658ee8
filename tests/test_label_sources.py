"""Where positions for a teacher come from: games, and suites."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kata_blocks import Residual
from kata_twin import Twin
from test_kata_labels import write_records

from gtp_engine import sgf
from gtp_engine.base.files import write_arrays
from gtp_engine.cli.main import main
from gtp_engine.engine.network.katago import conversion
from gtp_engine.engine.network.katago.inputs import encode_leaf
from gtp_engine.engine.network.katago.model import GLOBALS, PLANES
from gtp_engine.engine.network.katago.scratch import SCRATCH
from gtp_engine.engine.search.game_leaf import leaf_of
from gtp_engine.go.game import Game
from gtp_engine.go.places import place_of, point_of
from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.go.rules import CHINESE
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.games import read_boards
from gtp_engine.learning.training.katago.labels import read_labels
from gtp_engine.learning.training.katago.position_search import game_of
from gtp_engine.learning.training.katago.position_sources import games_of, read_positions
from gtp_engine.learning.training.katago.positions import KataInputs, RecordPosition
from gtp_engine.learning.training.set_up import set_up_moves

pytestmark = pytest.mark.usefixtures("jobs_here")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Converted networks go into a folder of the test's own."""
    monkeypatch.setattr(conversion, "cache_folder", lambda: tmp_path / "cache")


def position(*places: int, size: int = 5) -> RecordPosition:
    """The position after these moves."""
    return RecordPosition(size, np.array(places, np.uint16), 2.5, CHINESE)


def write_suite(path: Path, lines: Sequence[Sequence[int]], **others: Any) -> Path:
    """A suite of positions after these moves."""
    said = {"win": 0.5, "lead": 0.0, "policy": [0.0] * 82, "children": [[80, 0.5, 0.0]], **others}
    path.write_text("\n".join(json.dumps({"moves": list(moves), **said}) for moves in lines))
    return path


def test_positions_of_a_suite_that_may_be_of_one_game_are_one_game() -> None:
    positions = [position(1, 2, 3), position(9, 8), position(1, 2), position(1, 2, 4, 5), position(9, 8, 7), position(9)]
    assert games_of(positions) == [0, 1, 0, 0, 1, 1]
    assert games_of([position(1, 2), position(1, 2, size=6), position(1, 3)]) == [0, 1, 2]
    assert games_of([position(), position(4)]) == [0, 0]


def test_records_come_before_suites(tmp_path: Path) -> None:
    records = write_records(tmp_path / "records.npz", 20)
    suite = write_suite(tmp_path / "suite.jsonl", [(40, 41), (40, 41, 42)], komi=6.5)
    sources = read_positions([suite, records], (9,), tmp_path / "cache", lambda _count: None)
    assert [source.name for source in sources] == ["records.npz", "suite.jsonl"]
    drawn = [sources[1].draw(np.random.default_rng(seed)) for seed in range(20)]
    assert {(each.game, each.number, len(each.position.moves), each.position.komi) for each in drawn} == {(0, 2, 2, 6.5), (0, 3, 3, 6.5)}


def test_the_boards_of_sgf_files_are_sources_with_names(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    folder.mkdir()
    for number, size in enumerate((9, 13)):
        (folder / f"{number}.sgf").write_text(f"(;SZ[{size}]KM[7]RE[B+R];B[cc];W[dd];B[ee])")
    sources = read_positions([folder], (9, 13), tmp_path / "cache", lambda _count: None)
    assert [source.name for source in sources] == ["club 9x9", "club 13x13"]


HANDICAP = "(;SZ[9]KM[0.5]HA[3]AB[cg][gc][gg]RE[W+R];W[ee];B[ec];W[cc];B[dd];W[dc];B[cd])"
SET_UP = "(;SZ[9]KM[6.5]AB[hh][bb][ia]AW[ab][ba][cc][dd]PL[B]RE[B+2.5];B[ee];W[ff];B[fe])"
EVEN = "(;SZ[9]KM[7]RE[B+R];B[cc];W[dd];B[ee])"
ODD = "(;SZ[9]KM[7]HA[2]AB[cg][gc]RE[B+R];W[cc];W[dd];B[ee])"


def write_handicap_games(folder: Path) -> Path:
    """Three games with set-up stones, one of them with two white moves in a row, and an even one."""
    folder.mkdir()
    for name, text in (("a", HANDICAP), ("b", EVEN), ("c", SET_UP), ("d", ODD)):
        (folder / f"{name}.sgf").write_text(text)
    return folder


def test_games_with_handicap_are_read_on_request_after_the_others(tmp_path: Path) -> None:
    folder = write_handicap_games(tmp_path / "club")
    (even,) = read_boards([folder], (9,), tmp_path, lambda _count: None)
    assert (len(even), even.placed, even.left_out) == (1, None, {"handicap or set-up stones": 3})
    (every,) = read_boards([folder], (9,), tmp_path, lambda _count: None, with_handicap=True)
    assert (every.komi.tolist(), every.lengths.tolist()) == ([7.0, 0.5, 6.5], [3, 11, 11])
    assert every.placed is not None and every.placed.tolist() == [0, 5, 8]
    assert every.left_out == {"colors that do not alternate": 1}
    few = every.only(np.array([False, True, False]))
    assert few.placed is not None and few.placed.tolist() == [5] and every.games(2, 3).placed == [8]


@pytest.mark.parametrize("text", [HANDICAP, SET_UP])
def test_positions_after_set_up_stones_look_as_they_do_in_a_search(tmp_path: Path, text: str) -> None:
    (tmp_path / "game.sgf").write_text(text)
    whole = sgf.load(tmp_path / "game.sgf").game
    placed = set_up_moves(whole.setup_stones, 9, whole.moves[0][0])
    game, inputs, scratch = Game(9), KataInputs(), np.zeros(1, SCRATCH)
    game.set_up(whole.setup_stones, whole.moves[0][0])
    moves = placed.tolist()
    for color, point in [*whole.moves, (0, 0)]:
        at = RecordPosition(9, np.array(moves, np.uint16), 0.5, CHINESE, placed=len(placed))
        planes, numbers = np.zeros((PLANES, 9, 9), np.float32), np.zeros(GLOBALS, np.float32)
        encode_leaf(leaf_of(game, game.to_play, 0.5), scratch, planes, numbers)
        found_planes, found_numbers, _ = inputs.batch([at])
        np.testing.assert_array_equal(found_planes[0], planes)
        np.testing.assert_array_equal(found_numbers[0], numbers)
        assert (game_of(at).moves, game_of(at).colors(), game_of(at).to_play) == (game.moves, game.colors(), game.to_play)
        if color:
            game.play(color, point)
            moves.append(place_of(point, 9))


@pytest.mark.parametrize(
    ("stones", "to_play", "moves"),
    [
        ([], BLACK, []),
        ([], WHITE, [25]),
        ([(BLACK, 0), (BLACK, 6)], WHITE, [0, 25, 6]),
        ([(BLACK, 0), (BLACK, 6)], BLACK, [0, 25, 6, 25]),
        ([(WHITE, 3), (BLACK, 0)], WHITE, [0, 3, 25]),
        ([(WHITE, 3)], BLACK, [25, 3]),
    ],
)
def test_set_up_stones_as_moves(stones: list[tuple[int, int]], to_play: int, moves: list[int]) -> None:
    assert set_up_moves([(color, point_of(place, 5)) for color, place in stones], 5, to_play).tolist() == moves


def test_labels_of_games_with_handicap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Twin(12, (Residual,)).save(tmp_path / "teacher")
    write_handicap_games(tmp_path / "club")
    words = ["train", "label", "club", "--network", "teacher.bin.gz", "--positions", "32", "--size", "9", "--cache", "unpacked"]
    assert main(words) == 0
    assert "left out 1: colors that do not alternate" in capsys.readouterr().err
    labels = read_labels(tmp_path / "labels.npz")
    arrays = labels.arrays
    assert set(arrays["placed"]) == {0, 5, 8} and arrays["sources"].tolist() == ["club 9x9"]
    assert (arrays["number"] <= np.array([3, 6, 3])[arrays["game"]]).all()
    write_arrays(tmp_path / "older.npz", {name: array for name, array in arrays.items() if name != "placed"})
    assert not read_labels(tmp_path / "older.npz").arrays["placed"].any()
    write_arrays(tmp_path / "damaged.npz", arrays | {"placed": arrays["lengths"] + 1})
    with pytest.raises(TrainingError, match="more set-up stones than moves"):
        read_labels(tmp_path / "damaged.npz")


def test_labels_of_a_suite_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Twin(12, (Residual,)).save(tmp_path / "teacher")
    write_records(tmp_path / "records.npz", 20)
    write_suite(tmp_path / "suite.jsonl", [(40, 41 + i, 8) for i in range(20)])
    write_suite(tmp_path / "empty.jsonl", [])
    words = ["--network", "teacher.bin.gz", "--positions", "32", "--cache", "unpacked"]
    assert main(["train", "label", "records.npz", "suite.jsonl", "--shares", "1,3", *words]) == 0
    labels = read_labels(tmp_path / "labels.npz")
    assert labels.arrays["sources"].tolist() == ["records.npz", "suite.jsonl"]
    of_suite = labels.arrays["source"] == 1
    assert set(labels.arrays["sizes"][of_suite]) == {9} and set(labels.arrays["sizes"][~of_suite]) == {5}
    assert 0.5 < of_suite.mean() < 0.95 and labels.held_out[of_suite].any()
    capsys.readouterr()
    for sources, says in (
        (["suite.jsonl", "--shares", "1,2"], "--shares has 2 numbers, and there are 1 sources: suite.jsonl"),
        (["empty.jsonl"], "empty.jsonl"),
        (["missing.jsonl"], "missing.jsonl cannot be read"),
    ):
        with pytest.raises(SystemExit, match="2"):
            main(["train", "label", *sources, *words, "--output", "other.npz"])
        assert says in capsys.readouterr().err
