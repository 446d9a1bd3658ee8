"""The network of ranks as it learns: its run, its optimizer, its file. Needs the extra `train`, which is why torch is imported inside."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from test_training_records import DIAGONAL, make_records

from gtp_engine.cli.main import main
from gtp_engine.engine.network.features import FEATURES_VERSION, PLANES
from gtp_engine.engine.network.model_file import Description
from gtp_engine.go.rank_names import UNKNOWN_RANK
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.records import Records

if TYPE_CHECKING:
    from gtp_engine.learning.training.ranks.model import Network
    from gtp_engine.learning.training.ranks.run import RankRun

pytestmark = pytest.mark.train

BATCH, STEPS = 8, 6


def two_games() -> Records:
    """Something to learn from: one game was counted, and one player's rank isn't known."""
    games = make_records([DIAGONAL, [12, 7, 11, 13, 17, 2]], margins=[-1.0, 4.5], winners=[1, -1])
    return replace(games, ranks=np.array([[12, 14], [30, UNKNOWN_RANK]], np.int8))


def new_run(folder: Path, seed: int = 1, positions: int = STEPS * BATCH, precision: str = "f32", channels: int = 8) -> "RankRun":
    """A run of a tiny network."""
    from gtp_engine.learning.training.ranks.model import Size
    from gtp_engine.learning.training.ranks.run import RankRun, RankSource
    from gtp_engine.learning.training.run import RunSettings
    from gtp_engine.learning.training.schedule import Schedule

    folder.mkdir(exist_ok=True)
    settings = RunSettings(Schedule(positions=positions, hold=0.35), BATCH, seed, precision=precision, measured=32)
    return RankRun(folder, Size(3, channels), [RankSource("games", two_games(), two_games())], settings, lambda _text: None)


def random_network(blocks: int = 3, channels: int = 8) -> "Network":
    """A network all of whose weights are random, those that begin as 0 too."""
    import torch

    from gtp_engine.learning.training.ranks.model import Network, Size

    torch.manual_seed(5)
    network = Network(Size(blocks, channels))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.05)
    return network


def description(network: "Network") -> Description:
    """Of a network that nobody trained."""
    return Description(FEATURES_VERSION, PLANES, network.size.blocks, network.size.channels, 0, 0, "nothing", 0.0, 0.0, 1)


def outputs(network: "Network", size: int = 5) -> list[np.ndarray]:
    """Policy, value, score and reply for some random planes."""
    import torch

    planes = np.random.default_rng(1).random((2, PLANES, size, size), np.float32)
    with torch.no_grad():
        return [output.numpy() for output in network(torch.from_numpy(planes), torch.ones(2, 2))]


def test_a_tiny_network_learns_two_games_by_heart(tmp_path: Path) -> None:
    """Without symmetries two short games have few positions: the error must fall well below that of guessing, log 26 = 3.26."""
    run = new_run(tmp_path / "run", positions=120 * BATCH)
    run.mixture.samplers[0].augment = False
    run.run(lambda *_: None)
    assert run.progress.step == 120 and run.progress.policy_loss < 1.5


def test_bf16_multiplies_in_16_bits_and_learns_nearly_the_same(tmp_path: Path) -> None:
    import torch

    coarse, whole = new_run(tmp_path / "bf16", precision="bf16"), new_run(tmp_path / "f32")
    coarse.run(lambda *_: None)
    whole.run(lambda *_: None)
    ours, theirs = coarse.learner.network.state_dict(), whole.learner.network.state_dict()
    assert all(weights.dtype == torch.float32 for weights in ours.values())
    assert any(not torch.equal(ours[name], theirs[name]) for name in theirs)
    assert coarse.progress.policy_loss == pytest.approx(whole.progress.policy_loss, rel=0.01)


def test_an_interrupted_run_ends_like_an_uninterrupted_one(tmp_path: Path) -> None:
    import torch

    whole, first = new_run(tmp_path / "whole"), new_run(tmp_path / "parts")
    whole.run(lambda *_: None)

    def stop(*_: object) -> None:
        """As Ctrl-C in the middle."""
        if first.progress.step == STEPS // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        first.run(stop)
    second = new_run(tmp_path / "parts")
    assert second.progress.step == STEPS // 2
    second.run(lambda *_: None)
    assert second.progress.positions == whole.progress.positions == STEPS * BATCH
    for part in ("network", "average"):
        ours, theirs = (getattr(run.learner, part).state_dict() for run in (second, whole))
        assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    new_run(tmp_path / "run").save()
    with pytest.raises(TrainingError, match="is of a run with seed 1, this one has 2"):
        new_run(tmp_path / "run", seed=2)
    with pytest.raises(TrainingError, match="is of a run with size"):
        new_run(tmp_path / "run", channels=16)


def test_a_run_begins_with_a_network_of_its_size(tmp_path: Path) -> None:
    from gtp_engine.learning.training.ranks.export import load_network

    run = new_run(tmp_path / "run")
    run.run(lambda *_: None)
    more = new_run(tmp_path / "more")
    more.start_from(tmp_path / "run" / "network.onnx")
    more.run(lambda *_: None)
    assert load_network(tmp_path / "more" / "network.onnx")[1].positions == 2 * STEPS * BATCH, "what it began with had learned, too"
    with pytest.raises(TrainingError, match="is a network of 3x8; this run's is one of 3x16"):
        new_run(tmp_path / "large", channels=16).start_from(tmp_path / "run" / "network.onnx")


def test_orthogonal_makes_singular_values_nearly_one() -> None:
    import torch

    from gtp_engine.learning.training.ranks.optimizer import orthogonal

    torch.manual_seed(1)
    values = torch.linalg.svdvals(orthogonal(torch.randn(3, 8, 40)))
    assert float(values.min()) > 0.6 and float(values.max()) < 1.3


def test_an_exported_network_says_the_same_and_comes_back(tmp_path: Path) -> None:
    from gtp_engine.learning.training.ranks.export import export, load_network

    network = random_network()
    difference = export(network, description(network), tmp_path / "net.onnx")
    assert difference < 1e-5
    again, described = load_network(tmp_path / "net.onnx")
    assert described == description(network)
    assert all(np.array_equal(ours, theirs) for ours, theirs in zip(outputs(again), outputs(network), strict=True))


def test_an_export_that_differs_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph that leaves out the blocks computes something else, and that is noticed."""
    from gtp_engine.learning.training.ranks import export, graph

    network = random_network()
    monkeypatch.setattr(graph.Graph, "block", lambda self, name, source, pooling: source)
    with pytest.raises(TrainingError, match="differ"):
        export.export(network, description(network), tmp_path / "net.onnx")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"", b"not a network", None])
def test_a_file_that_is_no_network_is_told(content: bytes | None, tmp_path: Path) -> None:
    from gtp_engine.learning.training.ranks.export import load_network

    path = tmp_path / "net.onnx"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(TrainingError, match=r"net\.onnx: expected a network"):
        load_network(path)


# ---------------------------------------------------------------- the command


def test_a_network_of_ranks_is_made_measured_and_quantized(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = tmp_path / "games"
    games.mkdir()
    for number in range(12):
        moves = "".join(f";{'BW'[n % 2]}[{'abcdefghi'[(n + n // 9 + number) % 9]}{'abcdefghi'[n % 9]}]" for n in range(18))
        (games / f"{number}.sgf").write_text(f"(;SZ[9]KM[7]BR[{number + 1}k]WR[5k]RE[B+R]{moves})")
    common = ["--size", "9", "--threads", "1"]
    words = ["train", "rank-network", str(games), "--folder", str(tmp_path / "run"), "--blocks", "1", "--channels", "8", "--batch", "8"]
    words += [*common, "--device", "cpu", "--held-out", "4", "--positions"]
    assert main([*words, "32"]) == 0
    assert "12 games are between persons of known ranks" in capsys.readouterr().err
    assert {path.name for path in (tmp_path / "run").iterdir()} == {"checkpoint.pt", "network.onnx", "log.jsonl"}
    assert json.loads((tmp_path / "run" / "log.jsonl").read_text())["held_out"]["games"]["positions"] >= 32
    assert main([*words, "64"]) == 0
    assert "goes on after 32 positions" in capsys.readouterr().err
    network = str(tmp_path / "run" / "network.onnx")
    assert main(["train", "ranks", str(games), "--network", network, "--games", "6", "--positions", "64", "--told", "4", *common]) == 0
    assert "covered" in capsys.readouterr().out
    fast = [network, str(games), str(tmp_path / "fast.onnx"), "--samples", "32", "--positions", "32", "--held-out", "4", *common]
    assert main(["train", "quantize", *fast]) == 0
    assert "wrote" in capsys.readouterr().err
