"""Networks averaged weight by weight."""

from pathlib import Path

import pytest
from test_training_records import DIAGONAL, make_records

from gtp_engine.engine.network.features import FEATURES_VERSION, PLANES
from gtp_engine.engine.network.model_file import Description
from gtp_engine.learning.training import TrainingError

pytestmark = pytest.mark.train

GAMES = make_records([DIAGONAL, [12, 7, 11, 13, 17, 2]], margins=[-1.0, 4.5], winners=[1, -1])


def save(path: Path, trust: float, positions: int, channels: int = 8) -> Path:
    """An untrained network, which multiplies what the move model says by `trust`."""
    import torch

    from gtp_engine.learning.training.export import export
    from gtp_engine.learning.training.model import Network, Size

    torch.manual_seed(5)
    network = Network(Size(1, channels))
    network.heads.trust.data.fill_(trust)
    export(network, Description(FEATURES_VERSION, PLANES, 1, channels, 1, positions, "tests", 0.0, 0.0), path)
    return path


def test_the_average_has_the_mean_of_every_weight_and_is_measured(tmp_path: Path) -> None:
    """Each alone is very sure of the wrong moves; together they are sure of nothing."""
    import torch

    from gtp_engine.learning.training.average import average
    from gtp_engine.learning.training.export import load_network

    paths, target = [save(tmp_path / "a.onnx", 50.0, 100), save(tmp_path / "b.onnx", -50.0, 120)], tmp_path / "mean.onnx"
    first, second, mean = average(paths, target, GAMES, 16)
    assert mean.nll < min(first.nll, second.nll)
    network, description = load_network(target)
    assert description.positions == 120 and description.nll == round(mean.nll, 4) and description.top1 == round(mean.top1, 4)
    assert not network.heads.trust.any()
    before = load_network(paths[0])[0].state_dict()
    assert all(torch.allclose(value, before[name]) for name, value in network.state_dict().items() if name != "heads.trust")


def test_an_average_that_is_worse_is_not_written(tmp_path: Path) -> None:
    from gtp_engine.learning.training.average import average

    paths, target = [save(tmp_path / "a.onnx", 0.0, 100), save(tmp_path / "b.onnx", 50.0, 120)], tmp_path / "mean.onnx"
    target.write_text("as it was")
    with pytest.raises(TrainingError, match=r"mean\.onnx was not written: the average loses .* began with the same one"):
        average(paths, target, GAMES, 16)
    assert target.read_text() == "as it was"


def test_networks_of_two_sizes_have_no_average(tmp_path: Path) -> None:
    from gtp_engine.learning.training.average import average

    paths = [save(tmp_path / "a.onnx", 1.0, 100), save(tmp_path / "b.onnx", 1.0, 120, channels=16)]
    with pytest.raises(TrainingError, match=r"b\.onnx: 1x16, but .*a\.onnx is 1x8"):
        average(paths, tmp_path / "mean.onnx", GAMES, 16)


def test_one_network_is_too_few(tmp_path: Path) -> None:
    from gtp_engine.learning.training.average import average

    with pytest.raises(TrainingError, match=r"at least two networks to average, found only .*a\.onnx"):
        average([save(tmp_path / "a.onnx", 1.0, 100)], tmp_path / "mean.onnx", GAMES, 16)
