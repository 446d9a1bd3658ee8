"""Networks of KataGo's form in torch, written and read. Needs the extra `train`, which is why torch is imported inside."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from conftest import load_script
from kata_blocks import Attention, Bottleneck, FeedForward, PoolingResidual, Residual
from kata_layers import GLOBALS, METADATA, PLANES
from kata_twin import Twin
from test_kata_labels import plan
from test_kata_network import KINDS, same_numbers

from gtp_engine.base.files import write_arrays
from gtp_engine.cli.main import main
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.network.human_profile import STRONGEST, WEAKEST
from gtp_engine.engine.network.katago import model as model_parts
from gtp_engine.engine.network.katago.backend import KataBackend
from gtp_engine.engine.network.katago.graph import build
from gtp_engine.engine.network.katago.model import Model
from gtp_engine.engine.network.katago.players import players_of_rank
from gtp_engine.engine.network.katago.reader import read_model
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.figures import held_out_labels, label_figures
from gtp_engine.learning.training.katago.label_job import LabelWorker, unpacked
from gtp_engine.learning.training.katago.labels import Labels, merged_labels
from gtp_engine.learning.training.katago.positions import NetworkJudge
from gtp_engine.learning.training.katago.source import LabelSource

if TYPE_CHECKING:
    from gtp_engine.learning.training.katago.run import KataRun

pytestmark = pytest.mark.train
NAMES = ("policy", "value", "score", "ownership")
FILES = {"start.bin.gz", "checkpoint.pt", "network.bin.gz", "log.jsonl", "agreement.md", "agreement.svg"}  # of a run


def assert_torch_agrees(model: Model, size: int) -> None:
    """torch and onnxruntime compute the same from the model; a human network is told of a weak and of a strong player."""
    import torch

    from gtp_engine.learning.training.katago.twin import KataTwin

    random, ranks = np.random.default_rng(size), (WEAKEST, STRONGEST)
    metadata = np.zeros(METADATA, np.float32) if model.header.has_metadata else None
    batch = KataBackend("model", build(model).file({}), ("onnxruntime", "f32", 1), metadata).new_batch(size, 2)
    batch.planes[:] = random.random((2, PLANES, size, size)) < 0.3
    batch.globals[:] = random.random((2, GLOBALS))
    if model.header.has_metadata:
        batch.tell_ranks(ranks)
    batch.run()
    players = np.stack([players_of_rank(rank, size * size) for rank in ranks])
    with torch.no_grad():
        found = KataTwin(model)(*map(torch.from_numpy, (batch.planes, batch.globals, players)))
    for name in NAMES:
        expected = getattr(batch, name)
        np.testing.assert_allclose(getattr(found, name)[:, : expected.shape[1]], expected, atol=1e-4, rtol=1e-4, err_msg=name)


@pytest.mark.parametrize(("version", "kinds", "activation", "tip"), KINDS)
def test_torch_computes_what_onnxruntime_does(tmp_path: Path, version: int, kinds: tuple[Any, ...], activation: str, tip: str) -> None:
    model = read_model(Twin(version, kinds, activation, tip).save(tmp_path / "twin"))
    for size in (5, 7):
        assert_torch_agrees(model, size)


@pytest.mark.parametrize(("kinds", "activation"), [((Residual,), "MISH"), ((Attention, FeedForward), "SILU")])
def test_torch_computes_what_a_human_network_says(tmp_path: Path, kinds: tuple[Any, ...], activation: str) -> None:
    model = read_model(Twin(17, kinds, activation, has_metadata=True).save(tmp_path / "human"))
    for size in (5, 7):
        assert_torch_agrees(model, size)


@pytest.mark.parametrize("shape", ["2x12", "4x24", "2x32t", "2x12R", "1x64T", "4x32rtR", "3x64tTR"])
def test_a_new_network_knows_nothing_and_every_weight_can_learn(shape: str) -> None:
    """In the first steps the layers that begin as 0 hold up the gradients of those before them."""
    import torch

    from gtp_engine.learning.training.katago.new_model import new_model, read_shape
    from gtp_engine.learning.training.katago.twin import KataTwin

    model = new_model(read_shape(shape), "new", 1)
    assert_torch_agrees(model, 5)
    twin, random = KataTwin(model), np.random.default_rng(3)
    planes = torch.from_numpy(random.random((2, PLANES, 5, 5)).astype(np.float32))
    numbers, nobody = torch.from_numpy(random.random((2, GLOBALS)).astype(np.float32)), torch.zeros(2, METADATA)
    assert float(twin(planes, numbers, nobody).policy.detach().abs().max()) == 0.0
    before = {name: weights.detach().clone() for name, weights in twin.named_parameters()}
    optimizer = torch.optim.AdamW(twin.parameters(), lr=0.001, weight_decay=0.0)
    for _ in range(8):
        said = twin(planes, numbers, nobody)
        optimizer.zero_grad()
        (said.policy[:, :, [3, -1]].mean() + said.value[:, 0].mean() + said.score.mean() + said.ownership[:, 2].mean()).backward()
        optimizer.step()
    still = [name for name, weights in twin.named_parameters() if torch.equal(weights, before[name])]
    in_no_file = {name for name in before if name == "policy.pass_hidden.scale" or re.fullmatch(r"trunk(.blocks.\d+)+.norm.bias", name)}
    assert set(still) == in_no_file  # they are always 1 and 0
    assert_torch_agrees(twin.model(), 5)


def test_the_letters_of_a_shape_are_the_kinds_of_its_layers(tmp_path: Path) -> None:
    """In the network and in its file."""
    from gtp_engine.engine.network.katago.writer import block_kind, write_model
    from gtp_engine.learning.training.katago.new_model import new_model, read_shape

    transformer = ["transformer_attention_block", "transformer_ffn_block"]
    for text, kinds, inner, heads in (
        ("4x32", ["ordinary_block"] * 2 + ["gpool_block", "ordinary_block"], [], None),
        ("3x64rt", ["ordinary_block", *transformer, "ordinary_block"], [], 2),
        ("3x64tR", [*transformer, "nested_bottleneck_block", *transformer], ["ordinary_block"] * 2, 2),
        ("1x128T", ["nested_bottleneck_block"], transformer * 2, 2),
    ):
        model = new_model(read_shape(text), text, 1)
        write_model(tmp_path / "new.bin.gz", model)
        assert same_numbers(read_model(tmp_path / "new.bin.gz"), model)
        blocks = model.trunk.blocks
        assert [block_kind(block) for block in blocks] == kinds
        inside = [part for block in blocks if isinstance(block, model_parts.Bottleneck) for part in block.blocks]
        assert [block_kind(part) for part in inside] == inner
        assert {part.heads for part in (*blocks, *inside) if isinstance(part, model_parts.Attention)} == ({heads} if heads else set())
        assert str(read_shape(text)) == text
    assert str(read_shape("6x96r")) == "6x96"


def test_wrong_shapes_are_explained() -> None:
    from gtp_engine.learning.training.katago.new_model import read_shape

    for text, says in (
        ("6x", "is not a shape like 6x96"),
        ("6x96q", "is not a shape like 6x96"),
        ("0x96", "is not a shape like 6x96"),
        ("6x40t", "with layers of kind t, the channels must be a multiple of 32"),
        ("6x96rT", "with layers of kind T, the channels must be a multiple of 64"),
        ("6x15R", "with layers of kind R, the channels must be a multiple of 2"),
    ):
        with pytest.raises(ValueError, match=says):
            read_shape(text)


def test_the_same_seed_makes_the_same_network(tmp_path: Path) -> None:
    from gtp_engine.engine.network.katago.writer import write_model
    from gtp_engine.learning.training.katago.new_model import new_model, read_shape

    for seed, name in ((1, "one"), (1, "same"), (2, "other")):
        write_model(tmp_path / f"{name}.bin.gz", new_model(read_shape("2x32t"), "new", seed))
    one, same, other = ((tmp_path / f"{name}.bin.gz").read_bytes() for name in ("one", "same", "other"))
    assert one == same != other


@pytest.mark.parametrize(
    "kinds", [(Residual, PoolingResidual), (Attention, FeedForward, Bottleneck, FeedForward)], ids=["residual", "transformer"]
)
def test_a_deeper_network_says_the_same(tmp_path: Path, kinds: tuple[Any, ...]) -> None:
    import torch

    from gtp_engine.learning.training.katago.layers import deeper, layers_of
    from gtp_engine.learning.training.katago.twin import KataTwin

    model = read_model(Twin(17, kinds).save(tmp_path / "twin"))
    layers = len(layers_of(model.trunk.blocks))
    grown = deeper(model, layers + 2)
    assert len(layers_of(grown.trunk.blocks)) == layers + 2
    inputs = torch.rand(2, PLANES, 5, 5), torch.rand(2, GLOBALS), torch.zeros(2, METADATA)
    with torch.no_grad():
        for one, other in zip(KataTwin(model)(*inputs), KataTwin(grown)(*inputs), strict=True):
            assert torch.equal(one, other)
    with pytest.raises(TrainingError, match="it can only grow"):
        deeper(grown, 1)


# ---------------------------------------------------------------- learning from labels


def teacher_labels(tmp_path: Path, positions: int = 64) -> Labels:
    """What a teacher of random weights says of small games."""
    made = plan(tmp_path, positions)
    return Labels("made", merged_labels([unpacked(LabelWorker(None)(replace(made.spec, number=n), 1)) for n in range(made.jobs)]))


def new_run(folder: Path, labels: LabelSource, positions: int, start: Model | None = None, precision: str = "f32") -> "KataRun":
    """A run of a tiny network."""
    from gtp_engine.learning.training.katago.new_model import new_model, read_shape
    from gtp_engine.learning.training.katago.run import KataRun
    from gtp_engine.learning.training.run import RunSettings
    from gtp_engine.learning.training.schedule import Schedule

    folder.mkdir(exist_ok=True)
    settings = RunSettings(Schedule(positions=positions), 16, precision=precision)
    return KataRun(folder, start or new_model(read_shape("1x8"), "new", 1), [labels], settings, lambda _text: None)


@pytest.mark.parametrize(("shape", "matrices"), [("4x24", 0), ("2x32t", 2 * 7), ("3x32rtt", 2 * 7), ("1x64T", 2 * 7), ("2x32R", 0)])
def test_muon_moves_the_matrices_of_transformers_and_adamw_all_other_weights(shape: str, matrices: int) -> None:
    """Four of an attention and three of a feed-forward block. The matrix of a pooling block is not among them."""
    import torch

    from gtp_engine.learning.training.katago.learner import optimizers_of
    from gtp_engine.learning.training.katago.new_model import new_model, read_shape
    from gtp_engine.learning.training.katago.twin import KataTwin

    twin = KataTwin(new_model(read_shape(shape), "new", 1))
    adam, *others = optimizers_of(twin)
    moved = [[weights for group in optimizer.param_groups for weights in group["params"]] for optimizer in (adam, *others)]
    assert sorted(map(id, (weights for each in moved for weights in each))) == sorted(map(id, twin.parameters()))
    assert isinstance(adam, torch.optim.AdamW) and [type(other).__name__ for other in others] == ["Muon"] * bool(matrices)
    assert sum(map(len, moved[1:])) == matrices and all(weights.ndim == 2 for each in moved[1:] for weights in each)


@pytest.mark.parametrize("shape", ["2x16", "2x32t", "2x32rt"])
def test_a_network_learns_what_its_teacher_says(tmp_path: Path, shape: str) -> None:
    """The figures of held-out positions get better than those of a network that has learned nothing, in every head."""
    from gtp_engine.learning.training.katago.new_model import new_model, read_shape

    run = new_run(tmp_path / "run", teacher_labels(tmp_path, 256), 6000, new_model(read_shape(shape), "new", 1))
    before = run.figures()["5x5"]
    run.run(lambda *_: None)
    after = run.figures()["5x5"]
    assert after.nats < 0.8 * before.nats
    assert after.win_error < before.win_error
    for name in ("lead_error", "ownership_error"):
        assert getattr(after, name) < getattr(before, name)


def test_an_interrupted_run_ends_as_an_uninterrupted_one(tmp_path: Path) -> None:
    labels = teacher_labels(tmp_path)
    new_run(tmp_path / "whole", labels, 160).run(lambda *_: None)
    interrupted = new_run(tmp_path / "parts", labels, 160)

    def stop(*_: object) -> None:
        """As Ctrl-C after the fourth step."""
        if interrupted.progress.step == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted.run(stop)
    again = new_run(tmp_path / "parts", labels, 160)
    assert again.progress.step == 4
    again.run(lambda *_: None)
    whole, parts = (tmp_path / name / "network.bin.gz" for name in ("whole", "parts"))
    assert same_numbers(read_model(whole), read_model(parts))
    assert {path.name for path in (tmp_path / "parts").iterdir()} == FILES
    assert read_model(parts).header.name.startswith("new-taught-1")


def test_a_run_with_other_settings_is_refused(tmp_path: Path) -> None:
    from gtp_engine.learning.training.katago.run import KataRun

    labels = teacher_labels(tmp_path)
    run = new_run(tmp_path / "run", labels, 32)
    run.run(lambda *_: None)
    with pytest.raises(TrainingError, match="seed 1, this one has 2"):
        KataRun(tmp_path / "run", None, [labels], replace(run.settings, seed=2), lambda _text: None)
    (tmp_path / "run" / "checkpoint.pt").write_bytes(b"checkpoint")
    with pytest.raises(TrainingError, match="is not a checkpoint"):
        KataRun(tmp_path / "run", None, [labels], run.settings, lambda _text: None)


def test_what_torch_says_is_what_the_written_network_says(tmp_path: Path) -> None:
    """The figures of a run are those of `train agreement`, but for illegal moves."""
    labels = teacher_labels(tmp_path)
    run = new_run(tmp_path / "run", labels, 320)
    run.run(lambda *_: None)
    network = format_of(tmp_path / "run" / "network.bin.gz").load(tmp_path / "run" / "network.bin.gz", SearchParams(threads=1))
    (held_out,) = held_out_labels([labels], 1000).values()
    found = label_figures(held_out, NetworkJudge(network, 8)([label.position for label in held_out]))
    ours = run.figures()["5x5"]
    assert ours.positions == found.positions > 0
    assert (ours.win_error, ours.lead_error, ours.ownership_error) == pytest.approx(
        (found.win_error, found.lead_error, found.ownership_error), abs=0.01
    )


def test_bf16_learns_too(tmp_path: Path) -> None:
    run = new_run(tmp_path / "run", teacher_labels(tmp_path), 64, precision="bf16")
    run.run(lambda *_: None)
    assert run.progress.step >= 2 and np.isfinite(run.progress.policy_loss)


def test_runs_are_compared_at_equal_numbers_of_positions(tmp_path: Path, repository: Path) -> None:
    """Between two measurements on the line through them."""
    curves = load_script(repository / "tests" / "tools" / "shape_curves.py")
    for name, measured in (("small", {100: 1.0, 300: 0.5}), ("large", {200: 0.8, 400: 0.4})):
        lines = [
            {"positions": positions, "seconds": 50, "held_out": {"9x9": {"nats": nats, "win_error": 0.1}}}
            for positions, nats in measured.items()
        ]
        (tmp_path / name).mkdir()
        (tmp_path / name / "log.jsonl").write_text("\n".join(map(json.dumps, lines)))
    logs = {name: curves.log_of(tmp_path / name) for name in ("small", "large")}
    assert curves.table(logs, "9x9", [150, 250]).splitlines() == [
        "| run | 150: nats | 150: win | 250: nats | 250: win | positions a second |",
        "|---|---|---|---|---|---|",
        "| small | 0.875 | 0.100 | 0.625 | 0.100 | 6.0 |",
        "| large |  |  | 0.700 | 0.100 | 8.0 |",
    ]
    curves.draw(tmp_path / "shapes.svg", logs, "9x9")
    assert "large" in (tmp_path / "shapes.svg").read_text(encoding="utf-8")


def test_distillation_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    write_arrays(tmp_path / "labels.npz", teacher_labels(tmp_path).arrays)
    words = ["train", "distill", "labels.npz", "--folder", "run", "--threads", "1", "--device", "cpu", "--batch", "8"]
    assert main([*words, "--new", "1x8", "--positions", "16"]) == 0
    assert main([*words, "--positions", "64", "--measure-every", "0.001s"]) == 0  # goes on
    assert "goes on after" in capsys.readouterr().err
    learned = [json.loads(line)["positions"] for line in (tmp_path / "run" / "log.jsonl").read_text().splitlines()]
    assert learned == sorted(learned) and len(set(learned)) > 3  # after each step
    assert {path.name for path in (tmp_path / "run").iterdir()} == FILES
    assert main([*words[:3], "--folder", "more", "--from", "run/network.bin.gz", "--positions", "16"]) == 0
    for wrong, says in (
        (["--folder", "other"], "say what to begin with"),
        (["--folder", "other", "--new", "6x"], "is not a shape like 6x96"),
        (["--folder", "other", "--new", "6x20t"], "must be a multiple of 32"),
        (["--folder", "other", "--from", "labels.npz"], "labels.npz"),
        (["--folder", "other", "--new", "1x8", "--layers", "2"], "--layers and --channels make the network of --from larger"),
        (["--folder", "other", "--from", "run/network.bin.gz", "--channels", "4"], "a network of 8 channels can't become one of 4"),
        (["--folder", "other", "--new", "1x8", "--shares", "1,1"], "--shares has 2 numbers"),
    ):
        with pytest.raises(SystemExit, match="2"):
            main([*words[:3], *wrong])
        assert says in capsys.readouterr().err
