"""Networks in whole numbers of 8 bits."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from networks import save_network
from test_training_records import DIAGONAL, make_records

from gtp_engine.network.features import PLANES
from gtp_engine.network.loading import shipped_network
from gtp_engine.rank_names import UNKNOWN_RANK
from gtp_engine.training import TrainingError, quantize
from gtp_engine.training.accuracy import judge, open_exported
from gtp_engine.training.sampler import Sampler

GAMES = make_records([DIAGONAL, [12, 7, 11, 13, 17, 2]], margins=[-1.0, 4.5], winners=[1, -1])


def quantized(path: Path, target: Path) -> quantize.Quantized:
    """Quantize with little of everything."""
    return quantize.quantize(path, target, GAMES, 32, GAMES, 16, threads=1)


def test_a_quantized_network_counts_in_whole_numbers_and_says_nearly_the_same(tmp_path: Path) -> None:
    path, target = tmp_path / "net.onnx", tmp_path / "fast.onnx"
    save_network(path, channels=32)
    found = quantized(path, target)
    assert found.before.positions == found.after.positions >= 16
    assert abs(found.after.nll - found.before.nll) < quantize.MOST_LOST
    kinds = [node.op_type for node in onnx.load(str(target)).graph.node]
    assert kinds.count("QuantizeLinear") >= kinds.count("Conv") > 0
    (before, described), (after, still_described) = open_exported(path, 1), open_exported(target, 1)
    assert described == still_described
    planes, ranks = np.random.default_rng(1).random((2, PLANES, 5, 5), np.float32), np.full(2, UNKNOWN_RANK)
    for exact, rounded in zip(before(planes, ranks)[:3], after(planes, ranks)[:3], strict=True):
        assert np.abs(exact - rounded).max() < 0.1 * max(np.abs(exact).max(), 1.0)


def test_rounding_makes_no_side_look_better_on_average(tmp_path: Path) -> None:
    """Value and score of a network, whose weights are drawn at random, over the positions it was quantized with."""
    path, target = tmp_path / "net.onnx", tmp_path / "fast.onnx"
    save_network(path, channels=32)
    quantized(path, target)
    (exact, _), (rounded, _) = open_exported(path, 1), open_exported(target, 1)
    difference = quantize.mean_difference(exact, rounded, quantize.sample_batches(GAMES, 32))
    assert np.abs(difference).max() < 1e-4


def test_what_rounding_took_from_value_and_score_is_added(tmp_path: Path) -> None:
    path, target = tmp_path / "net.onnx", tmp_path / "shifted.onnx"
    save_network(path)
    target.write_bytes(path.read_bytes())
    quantize.correct_results(target, np.array([0.5, -3.0]))
    (exact, _), (shifted, _) = open_exported(path, 1), open_exported(target, 1)
    assert quantize.mean_difference(shifted, exact, quantize.sample_batches(GAMES, 16)) == pytest.approx([0.5, -3.0], abs=1e-4)


def test_a_network_that_loses_too_much_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, target = tmp_path / "net.onnx", tmp_path / "fast.onnx"
    save_network(path)
    target.write_text("as it was")
    monkeypatch.setattr(quantize, "MOST_LOST", -1.0)
    with pytest.raises(TrainingError, match="would lose"):
        quantized(path, target)
    assert target.read_text() == "as it was" and {item.name for item in tmp_path.iterdir()} == {"net.onnx", "fast.onnx"}


@pytest.mark.parametrize("size", [9, 19])
def test_the_network_that_comes_along_counts_in_whole_numbers_and_its_original_is_beside_it(size: int) -> None:
    shipped = shipped_network(size)
    assert shipped is not None
    original = shipped.with_name(shipped.name.replace("-int8", ""))
    assert open_exported(shipped, 1)[1] == open_exported(original, 1)[1]
    assert "QuantizeLinear" in {node.op_type for node in onnx.load(str(shipped)).graph.node}
    batch = Sampler(GAMES, 8, 1).batch(0)
    answers = [open_exported(path, 1)[0](batch.planes, batch.ranks)[0] for path in (shipped, original)]
    assert np.corrcoef(answers[0].ravel(), answers[1].ravel())[0, 1] > 0.98


def test_equal_likelihoods_are_no_hit() -> None:
    """A network that thinks all moves equal predicts nothing, whatever is played."""
    found = judge(
        lambda planes, ranks: (np.zeros((len(planes), 26), np.float32), np.zeros(len(planes)), np.zeros(len(planes)), None), GAMES, 8
    )
    assert found.overall().top1 == 0.0


def test_what_is_no_network_is_not_quantized(tmp_path: Path) -> None:
    (tmp_path / "net.onnx").write_text("nothing")
    with pytest.raises(TrainingError, match=r"net\.onnx: expected a network"):
        quantized(tmp_path / "net.onnx", tmp_path / "fast.onnx")
