"""The mean of networks of KataGo's form, `gtp-engine train mean`."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kata_blocks import Attention, Bottleneck, FeedForward, PoolingResidual, Residual
from kata_twin import Twin
from test_kata_network import same_numbers

from gtp_engine.cli.main import main
from gtp_engine.engine.network.katago.reader import read_model

KINDS = (Residual, PoolingResidual, Bottleneck, Attention, FeedForward)


def save(folder: Path, name: str, kinds: tuple[Any, ...] = KINDS, version: int = 17, **options: Any) -> str:
    """A network with random weights."""
    return str(Twin(version, kinds, **options).save(folder / name))


def mean_of(*words: str) -> int:
    """`train mean`; the exit status."""
    try:
        return main(["train", "mean", *words])
    except SystemExit as stopped:
        return int(str(stopped.code))


def test_every_weight_is_the_mean_of_theirs(tmp_path: Path) -> None:
    one, other = (save(tmp_path, f"twin{seed}", seed=seed, tip="points", has_metadata=True) for seed in (1, 2))
    target = tmp_path / "mean.bin.gz"
    assert mean_of(one, other, "--weights", "3,1", "--output", str(target)) == 0
    models: list[Any] = [read_model(path) for path in (Path(one), Path(other), target)]
    a, b, mean = models
    assert mean.header.name == "tiny-twin-mean"
    a_block, b_block, block = (model.trunk.blocks[1] for model in models)
    for found, first, second in (
        (mean.trunk.conv.weights, a.trunk.conv.weights, b.trunk.conv.weights),
        (block.pooling.norm.scale, a_block.pooling.norm.scale, b_block.pooling.norm.scale),
        (mean.trunk.tip.bias, a.trunk.tip.bias, b.trunk.tip.bias),
        (mean.trunk.metadata.last, a.trunk.metadata.last, b.trunk.metadata.last),
        (mean.value.score.bias, a.value.score.bias, b.value.score.bias),
    ):
        assert not np.array_equal(first, second)
        np.testing.assert_allclose(found, 0.75 * first + 0.25 * second, atol=1e-6)


def test_the_mean_of_a_network_with_itself_is_this_network(tmp_path: Path) -> None:
    path, target = save(tmp_path, "twin"), tmp_path / "mean.bin.gz"
    assert mean_of(path, path, path, "--output", str(target)) == 0
    assert mean_of(str(target), path, "--output", str(target)) == 0  # over one of its own networks
    mean, original = read_model(target), read_model(Path(path))
    assert mean.header.name == "tiny-twin-mean"
    assert same_numbers(mean, replace(original, header=mean.header))


@pytest.mark.parametrize(
    ("kinds", "options", "says"),
    [
        (KINDS[:-1], {}, "has 5 blocks of 6 channels in file version 17"),
        ((*KINDS[:-1], Attention), {}, "trunk.blocks[4] is FeedForward in"),
        (KINDS, {"version": 15}, "in file version 15"),
        (KINDS, {"act": "SILU"}, "activation is mish in"),
        (KINDS, {"has_metadata": True}, "header.has_metadata is False in"),
    ],
)
def test_networks_of_different_shapes_have_no_mean(
    tmp_path: Path, kinds: tuple[Any, ...], options: dict[str, Any], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = save(tmp_path, "one"), save(tmp_path, "other", kinds, **options)
    assert mean_of(one, other, "--output", str(tmp_path / "mean.bin.gz")) == 2
    sentence = capsys.readouterr().err
    assert "only networks of the same shape have a mean" in sentence and says in sentence and one in sentence and other in sentence
    assert not (tmp_path / "mean.bin.gz").exists()


def test_wrong_words_are_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = save(tmp_path, "twin")
    (tmp_path / "text.bin.gz").write_text("a network")
    for words, says in (
        ([path], "needs two or more networks"),
        ([path, path, "--weights", "1"], "--weights has 1 numbers, and there are 2 networks"),
        ([path, path, "--weights", "1,0"], "is not a list of numbers above 0"),
        ([path, path, "--output", str(tmp_path / "mean.onnx")], "expected a name that ends in .bin.gz"),
        ([path, path, "--output", str(tmp_path / "no" / "mean.bin.gz")], "is not a folder"),
        ([path, str(tmp_path / "text.bin.gz"), "--output", str(tmp_path / "mean.bin.gz")], "text.bin.gz: expected a network"),
    ):
        assert mean_of(*words) == 2
        assert says in capsys.readouterr().err
