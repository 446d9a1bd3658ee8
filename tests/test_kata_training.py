"""Networks of KataGo's form in torch, written and read. Needs the extra `train`, which is why torch is imported inside."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kata_blocks import Residual
from kata_layers import GLOBALS, PLANES
from kata_twin import Twin
from test_kata_network import KINDS

from gtp_engine.network.katago.backend import KataBackend
from gtp_engine.network.katago.graph import build
from gtp_engine.network.katago.model import Model
from gtp_engine.network.katago.reader import read_model

pytestmark = pytest.mark.train
NAMES = ("policy", "value", "score", "ownership")


def assert_torch_agrees(model: Model, size: int) -> None:
    """torch and onnxruntime compute the same from the model."""
    import torch

    from gtp_engine.training.katago.twin import KataTwin

    random = np.random.default_rng(size)
    question = KataBackend("model", build(model).file({}), ("onnxruntime", "f32", 1)).new_question(size, 2)
    question.planes[:] = random.random((2, PLANES, size, size)) < 0.3
    question.globals[:] = random.random((2, GLOBALS))
    question.ask()
    with torch.no_grad():
        found = KataTwin(model)(torch.from_numpy(question.planes), torch.from_numpy(question.globals))
    for name in NAMES:
        expected = getattr(question, name)
        np.testing.assert_allclose(getattr(found, name)[:, : expected.shape[1]], expected, atol=1e-4, rtol=1e-4, err_msg=name)


@pytest.mark.parametrize(("version", "kinds", "activation", "tip"), KINDS)
def test_torch_computes_what_onnxruntime_does(tmp_path: Path, version: int, kinds: tuple[Any, ...], activation: str, tip: str) -> None:
    model = read_model(Twin(version, kinds, activation, tip).save(tmp_path / "twin"))
    for size in (5, 7):
        assert_torch_agrees(model, size)


def test_a_human_network_is_refused(tmp_path: Path) -> None:
    from gtp_engine.training.katago.twin import KataTwin

    with pytest.raises(ValueError, match="can't be trained"):
        KataTwin(read_model(Twin(15, (Residual,), has_metadata=True).save(tmp_path / "human")))


@pytest.mark.parametrize("shape", ["2x12", "4x24", "2x32t"])
def test_a_new_network_knows_nothing_and_every_weight_can_learn(shape: str) -> None:
    """In the first steps the layers that begin as 0 hold up the gradients of those before them."""
    import torch

    from gtp_engine.training.katago.new_model import new_model, read_shape
    from gtp_engine.training.katago.twin import KataTwin

    model = new_model(read_shape(shape), "new", 1)
    assert_torch_agrees(model, 5)
    twin, random = KataTwin(model), np.random.default_rng(3)
    planes = torch.from_numpy(random.random((2, PLANES, 5, 5)).astype(np.float32))
    numbers = torch.from_numpy(random.random((2, GLOBALS)).astype(np.float32))
    assert float(twin(planes, numbers).policy.detach().abs().max()) == 0.0
    before = {name: weights.detach().clone() for name, weights in twin.named_parameters()}
    optimizer = torch.optim.AdamW(twin.parameters(), lr=0.001, weight_decay=0.0)
    for _ in range(6):
        said = twin(planes, numbers)
        optimizer.zero_grad()
        (said.policy[:, :, [3, -1]].mean() + said.value[:, 0].mean() + said.score.mean() + said.ownership[:, 2].mean()).backward()
        optimizer.step()
    still = [name for name, weights in twin.named_parameters() if torch.equal(weights, before[name])]
    in_no_file = {name for name in before if name == "policy.pass_hidden.scale" or re.fullmatch(r"trunk.blocks.\d+.norm.bias", name)}
    assert set(still) == in_no_file  # they are always 1 and 0
    assert_torch_agrees(twin.model(), 5)


def test_the_same_seed_makes_the_same_network(tmp_path: Path) -> None:
    from gtp_engine.network.katago.writer import write_model
    from gtp_engine.training.katago.new_model import new_model, read_shape

    for seed, name in ((1, "one"), (1, "same"), (2, "other")):
        write_model(tmp_path / f"{name}.bin.gz", new_model(read_shape("2x32t"), "new", seed))
    one, same, other = ((tmp_path / f"{name}.bin.gz").read_bytes() for name in ("one", "same", "other"))
    assert one == same != other
