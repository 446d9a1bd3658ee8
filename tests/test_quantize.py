"""Networks in int8."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from networks import save_network
from test_training_records import DIAGONAL, make_records

from gtp_engine.engine.network.features import PLANES
from gtp_engine.engine.network.loading import RANKS
from gtp_engine.go.rank_names import UNKNOWN_RANK
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.ranks import quantize
from gtp_engine.learning.training.ranks.accuracy import judge, open_exported
from gtp_engine.learning.training.ranks.graph import OWNERS_WEIGHTS, read_weights, to_model
from gtp_engine.learning.training.ranks.sampler import Sampler

GAMES = make_records([DIAGONAL, [12, 7, 11, 13, 17, 2]], margins=[-1.0, 4.5], winners=[1, -1])


def original() -> Path:
    """The file in float32 of the network that knows ranks: a whole one, and it takes no torch to read it."""
    return RANKS.with_name(RANKS.name.replace("-int8", ""))


def quantized(path: Path, target: Path) -> quantize.Quantized:
    """Quantize with little of everything."""
    return quantize.quantize(path, target, GAMES, 32, GAMES, 16, threads=1)


def test_a_quantized_network_counts_in_whole_numbers_and_says_nearly_the_same(tmp_path: Path) -> None:
    target = tmp_path / "fast.onnx"
    found = quantized(original(), target)
    assert found.before.positions == found.after.positions >= 16
    assert abs(found.after.nll - found.before.nll) < quantize.MOST_LOST
    kinds = [node.op_type for node in onnx.load(str(target)).graph.node]
    assert kinds.count("QuantizeLinear") >= kinds.count("Conv") > 0
    (before, described), (after, still_described) = open_exported(original(), 1), open_exported(target, 1)
    assert described == still_described
    batch = Sampler(GAMES, 8, 1).batch(0)
    answers = list(zip(before(batch.planes, batch.ranks), after(batch.planes, batch.ranks), strict=True))
    for exact, rounded in answers[:3]:
        assert exact is not None and rounded is not None
        assert np.abs(exact - rounded).max() < 0.1 * max(np.abs(exact).max(), 1.0)
    owners, rounded_owners = answers[3]
    assert owners is not None and rounded_owners is not None
    assert np.abs(owners - rounded_owners).mean() < 0.05


def test_the_form_that_is_only_asked_says_what_the_network_says_in_fewer_steps(tmp_path: Path) -> None:
    whole, short = (to_model(*read_weights(original()), is_trainable=is_trainable) for is_trainable in (True, False))
    assert len(short.graph.node) < len(whole.graph.node)
    onnx.save(short, str(tmp_path / "short.onnx"))
    planes, ranks = np.random.default_rng(1).random((2, PLANES, 5, 5), np.float32), np.array([UNKNOWN_RANK, 30])
    (before, described), (asked, still_described) = open_exported(original(), 1), open_exported(tmp_path / "short.onnx", 1)
    assert described == still_described
    for one, other in zip(before(planes, ranks), asked(planes, ranks), strict=True):
        assert one is not None and other is not None
        assert other == pytest.approx(one, rel=1e-4, abs=1e-4)


def test_a_network_that_names_no_owners_names_none_in_8_bits(tmp_path: Path) -> None:
    """Files made before version 0.3."""
    path, target = tmp_path / "net.onnx", tmp_path / "fast.onnx"
    weights, description = read_weights(original())
    onnx.save(to_model({name: array for name, array in weights.items() if name not in OWNERS_WEIGHTS}, description), str(path))
    quantized(path, target)
    assert [output.name for output in onnx.load(str(target)).graph.output] == ["policy", "value", "score"]


def test_what_few_numbers_make_stays_in_float32(tmp_path: Path) -> None:
    """Nothing is rounded on the way from the means over the board to the next convolution's bias, and the heads read exact planes."""
    target = tmp_path / "fast.onnx"
    quantized(original(), target)
    nodes = onnx.load(str(target)).graph.node
    made_by = {output: node for node in nodes for output in node.output}
    assert [node.input[0] for node in nodes if node.op_type == "Gather"].count("planes") == 3  # move model, playouts' owners and results
    for log in (node for node in nodes if node.op_type == "Log"):
        added = made_by[log.input[0]]
        assert (added.op_type, made_by[added.input[0]].op_type) == ("Add", "Concat")
    tanh = next(node for node in nodes if node.op_type == "Tanh")
    added = made_by[made_by[tanh.input[0]].input[0]]
    assert added.op_type == "Add" and {made_by[name].op_type for name in added.input} == {"Conv", "Mul"}


def test_a_network_of_another_kind_is_not_quantized(tmp_path: Path) -> None:
    save_network(tmp_path / "net.onnx", channels=32)
    with pytest.raises(TrainingError, match=r"net\.onnx: expected the weights of a 1x32 network of gtp-engine train, found others"):
        quantized(tmp_path / "net.onnx", tmp_path / "fast.onnx")


def test_a_network_in_8_bits_is_not_quantized_again(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="found others"):
        quantized(RANKS, tmp_path / "fast.onnx")


def test_rounding_makes_no_side_look_better_on_average(tmp_path: Path) -> None:
    """Value and score of a network over the positions it was quantized with."""
    target = tmp_path / "fast.onnx"
    quantized(original(), target)
    (exact, _), (rounded, _) = open_exported(original(), 1), open_exported(target, 1)
    difference = quantize.mean_difference(exact, rounded, quantize.sample_batches(GAMES, 32))
    assert np.abs(difference).max() < 1e-4


def test_what_rounding_took_from_value_and_score_is_added(tmp_path: Path) -> None:
    target = tmp_path / "shifted.onnx"
    quantized(original(), target)
    (before, _) = open_exported(target, 1)
    quantize.correct_results(target, np.array([0.5, -3.0]))
    (shifted, _) = open_exported(target, 1)
    assert quantize.mean_difference(shifted, before, quantize.sample_batches(GAMES, 16)) == pytest.approx([0.5, -3.0], abs=1e-4)


def test_a_network_that_loses_too_much_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "fast.onnx"
    target.write_text("as it was")
    monkeypatch.setattr(quantize, "MOST_LOST", -1.0)
    with pytest.raises(TrainingError, match="would lose"):
        quantized(original(), target)
    assert target.read_text() == "as it was" and [item.name for item in tmp_path.iterdir()] == ["fast.onnx"]


def test_the_network_that_knows_ranks_counts_in_whole_numbers_and_its_original_is_beside_it() -> None:
    assert open_exported(RANKS, 1)[1] == open_exported(original(), 1)[1]
    assert "QuantizeLinear" in {node.op_type for node in onnx.load(str(RANKS)).graph.node}
    batch = Sampler(GAMES, 8, 1).batch(0)
    answers = [open_exported(path, 1)[0](batch.planes, batch.ranks)[0] for path in (RANKS, original())]
    assert np.corrcoef(answers[0].ravel(), answers[1].ravel())[0, 1] > 0.98


def test_equal_likelihoods_are_no_hit() -> None:
    """A network that thinks all moves equal predicts nothing, whatever is played."""
    found = judge(
        lambda planes, ranks: (np.zeros((len(planes), 26), np.float32), np.zeros(len(planes)), np.zeros(len(planes)), None), GAMES, 8
    )
    assert found.top1 == 0.0


def test_what_is_no_network_is_not_quantized(tmp_path: Path) -> None:
    (tmp_path / "net.onnx").write_text("nothing")
    with pytest.raises(TrainingError, match=r"net\.onnx: expected a network"):
        quantized(tmp_path / "net.onnx", tmp_path / "fast.onnx")
