"""Networks of KataGo's form with channels added. Needs the extra `train`, which is why torch is imported inside."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kata_blocks import Attention, Bottleneck, FeedForward, PoolingResidual, Residual, StillAttention
from kata_layers import GLOBALS, METADATA, PLANES, Maker
from kata_twin import Twin

from gtp_engine.engine.network.folder import MODELS
from gtp_engine.engine.network.katago import model as model_parts
from gtp_engine.engine.network.katago.model import Model
from gtp_engine.engine.network.katago.reader import read_model
from gtp_engine.engine.network.katago.writer import write_model
from gtp_engine.learning.training import TrainingError

pytestmark = pytest.mark.train
SIZES = (5, 9)
WIDTHS = (6, 9, 13)  # of the tiny networks, which have 6 channels


class InnerTransformer(Bottleneck):
    """A nested bottleneck with a transformer's blocks in it."""

    def __init__(self, make: Maker, channels: int) -> None:
        super().__init__(make, channels, (Attention, FeedForward, Residual))


def outputs_of(model: Model, size: int) -> list[np.ndarray]:
    """All outputs for three random boards, by torch."""
    import torch

    from gtp_engine.learning.training.katago.twin import KataTwin

    random = np.random.default_rng(size)
    inputs = (random.random((3, PLANES, size, size)) < 0.3, random.random((3, GLOBALS)), random.random((3, METADATA)) < 0.1)
    with torch.no_grad():
        return [output.numpy() for output in KataTwin(model)(*(torch.from_numpy(array.astype(np.float32)) for array in inputs))]


def assert_same_outputs(one: Model, other: Model, sizes: tuple[int, ...] = SIZES) -> None:
    """To 1e-4."""
    for size in sizes:
        for expected, found in zip(outputs_of(one, size), outputs_of(other, size), strict=True):
            assert float(np.abs(expected).max()) > 0.0
            np.testing.assert_allclose(found, expected, atol=1e-4, rtol=1e-4)


SHAPES = [
    pytest.param(8, (Residual, PoolingResidual), {}, id="residual blocks"),
    pytest.param(14, (Bottleneck, PoolingResidual), {"act": "MISH"}, id="nested bottlenecks"),
    pytest.param(17, (Attention, FeedForward, StillAttention), {"act": "SILU", "tip": "points"}, id="transformer"),
    pytest.param(
        17, (InnerTransformer, FeedForward), {"act": "SILU", "tip": "board"}, id="transformer in bottlenecks, norm over the board"
    ),
    pytest.param(15, (Residual, Attention, InnerTransformer), {"act": "SILU"}, id="mixed, plain norm"),
    pytest.param(17, (Attention, FeedForward), {"act": "SILU", "tip": "points", "has_metadata": True}, id="human network"),
]


@pytest.mark.parametrize(("version", "kinds", "options"), SHAPES)
def test_a_wider_network_says_the_same(tmp_path: Path, version: int, kinds: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Also after it was written and read."""
    from gtp_engine.learning.training.katago.channels import wider

    model = read_model(Twin(version, kinds, **options).save(tmp_path / "twin"))
    for channels in WIDTHS:
        grown = wider(model, channels, seed=1)
        write_model(tmp_path / "wide.bin.gz", grown)
        assert_same_outputs(model, grown)
        assert_same_outputs(model, read_model(tmp_path / "wide.bin.gz"), (5,))
        assert grown.trunk.conv.outputs == channels
    with pytest.raises(TrainingError, match="a network of 13 channels can't become one of 6: it can only grow"):
        wider(grown, 6, seed=1)


def test_the_included_network_becomes_one_of_four_heads() -> None:
    from gtp_engine.learning.training.katago.channels import wider

    model = read_model(MODELS / "b7c96-small.bin.gz")
    grown = wider(model, 128, seed=1)
    attention, feed_forward = grown.trunk.blocks[:2]
    assert isinstance(attention, model_parts.Attention) and isinstance(feed_forward, model_parts.FeedForward)
    assert (attention.heads, attention.query.shape, feed_forward.first.shape) == (4, (128, 128), (128, 352))
    assert (grown.policy.conv.outputs, grown.value.conv.outputs) == (43, 43)
    assert_same_outputs(model, grown, (7, 9, 19))


@pytest.mark.parametrize(("version", "kinds", "options"), SHAPES)
def test_every_new_weight_can_learn(tmp_path: Path, version: int, kinds: tuple[Any, ...], options: dict[str, Any]) -> None:
    """Those that begin as 0 hold up the gradients of others only for some steps."""
    import torch

    from gtp_engine.learning.training.katago.channels import wider
    from gtp_engine.learning.training.katago.twin import KataTwin

    model = read_model(Twin(version, kinds, **options).save(tmp_path / "twin"))
    twin, random = KataTwin(wider(model, 12, seed=1)), np.random.default_rng(3)
    inputs = [torch.from_numpy(random.random(shape).astype(np.float32)) for shape in ((4, PLANES, 5, 5), (4, GLOBALS), (4, METADATA))]
    targets = [torch.from_numpy(random.normal(size=output.shape).astype(np.float32)) for output in twin(*inputs)]
    before = {name: weights.detach().clone() for name, weights in twin.named_parameters()}
    optimizer = torch.optim.AdamW(twin.parameters(), lr=0.003, weight_decay=0.0)
    for _ in range(6):
        optimizer.zero_grad()
        sum((output - target).square().mean() for output, target in zip(twin(*inputs), targets, strict=True)).backward()
        optimizer.step()
    present = dict(KataTwin(model).named_parameters())
    for name, weights in twin.named_parameters():
        for axis, channels in enumerate(present[name].shape):
            added = (weights != before[name]).transpose(0, axis)[channels:]
            if len(added) and not name.endswith(("pass_hidden.scale", ".norm.bias")):  # they are always 1 and 0
                assert float(added.float().mean()) > 0.2, f"{name}: hardly any of the new weights of axis {axis} have moved"
