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

from gtp_engine.cli.main import main
from gtp_engine.engine.network.katago import conversion
from gtp_engine.go.rules import CHINESE
from gtp_engine.learning.training.katago.labels import read_labels
from gtp_engine.learning.training.katago.position_sources import games_of, read_positions
from gtp_engine.learning.training.katago.positions import RecordPosition

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
