"""Damaged files of training: each is one sentence. scripts/soak.py damaged tries thousands; here is what it found."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_kata_training import new_run

from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.batches import LabelMixture
from gtp_engine.learning.training.katago.record_labels import RecordLabels
from gtp_engine.learning.training.records import read_record_file


def write_records(path: Path, **changes: Any) -> Path:
    """Three games of four moves on 9x9, with other arrays in place of some."""
    arrays: dict[str, Any] = {
        "moves": np.tile(np.array([40, 41, 50, 51], np.uint8), 3),
        "lengths": np.full(3, 4, np.uint16),
        "winner": np.ones(3, np.int8),
        "margin": np.full(3, -1.0, np.float16),
        "komi": np.full(3, 7.5, np.float16),
    }
    np.savez(path, **(arrays | changes))
    return path


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"winner": np.array(3)}, "winner is no list of whole numbers"),
        ({"margin": np.array(["a", "b", "c"])}, "margin is no list of numbers"),
        ({"moves": np.zeros((6, 2), np.uint8)}, "moves is no list of whole numbers"),
        ({"moves": np.zeros(12, np.int64)}, "expected moves as uint8 or uint16, found 12 as int64"),
        ({"moves": np.full(12, 82, np.uint8)}, "a move is outside of the 9x9 board"),
        ({"lengths": np.array([-4, 8, 8])}, "don't fit together"),
        ({"moves": np.zeros(0, np.uint8), "lengths": np.zeros(3, np.uint16)}, "found 0 as uint8"),
        ({"komi": np.full(3, np.nan)}, "infinite or no number"),
    ],
)
def test_arrays_that_cannot_be(changes: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=said):
        read_record_file(write_records(tmp_path / "records.npz", **changes))


def test_a_file_that_is_none_is_no_text_of_its_own(tmp_path: Path) -> None:
    """zipfile puts bytes of the file into its message."""
    path = write_records(tmp_path / "records.npz")
    path.write_bytes(path.read_bytes().replace(b"lengths.npy", b"\x1b[31mhs.npy", 1))
    with pytest.raises(TrainingError, match="it is damaged, or something else") as caught:
        read_record_file(path)
    assert str(caught.value).isprintable()


def test_games_of_illegal_moves_end_the_search_for_positions(tmp_path: Path) -> None:
    """Hardly any of their positions can be reached, and positions would be drawn for hours."""
    records = read_record_file(
        write_records(tmp_path / "records.npz", moves=np.full(12_000, 40, np.uint8), lengths=np.full(3, 4_000, np.uint16))
    )
    with pytest.raises(TrainingError, match="legal moves"):
        LabelMixture([RecordLabels("games", records)], (), 8, 1).batch(0)


@pytest.mark.train
@pytest.mark.parametrize("change", ["seed", "progress", "average", "optimizer"])
def test_a_checkpoint_that_holds_something_else(change: str, tmp_path: Path) -> None:
    import torch

    run = new_run(tmp_path, RecordLabels("games", read_record_file(write_records(tmp_path / "records.npz"))), 8)
    assert run.save()
    path = tmp_path / "checkpoint.pt"
    state = torch.load(path, weights_only=True)
    torch.save(state | {change: {"nothing": 1}}, path)
    with pytest.raises(TrainingError, match="this one has" if change == "seed" else "not a checkpoint") as caught:
        run.load()
    assert str(caught.value).count("\n") == 0


@pytest.mark.train
def test_a_checkpoint_with_code_is_one_sentence(tmp_path: Path) -> None:
    """torch would advise to load it with less care."""
    import torch

    from gtp_engine.learning.training.checkpoint import read_checkpoint

    path = tmp_path / "checkpoint.pt"
    torch.save({"version": Path}, path)
    with pytest.raises(TrainingError, match="not a checkpoint") as caught:
        read_checkpoint(path, torch.device("cpu"))
    assert "weights_only" not in str(caught.value)
