"""Training itself, with tiny networks. Needs the extra `train`, which is why torch is imported inside."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from test_training_records import DIAGONAL, make_records

from gtp_engine.cli.main import main
from gtp_engine.engine.network.features import FEATURES_VERSION, PLANES
from gtp_engine.engine.network.model_file import Description
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.records import Records

if TYPE_CHECKING:
    from gtp_engine.learning.training.model import Network
    from gtp_engine.learning.training.trainer import Trainer

pytestmark = pytest.mark.train

BATCH, STEPS = 8, 6


def two_games() -> Records:
    """Something to learn from."""
    return make_records([DIAGONAL, [12, 7, 11, 13, 17, 2]], margins=[-1.0, 4.5], winners=[1, -1])


def new_trainer(seed: int = 1, positions: int = STEPS * BATCH, precision: str = "f32", taught: bool = False) -> "Trainer":
    """A run of a tiny network, perhaps `taught` by one that is a little larger."""
    from gtp_engine.learning.training.model import Size
    from gtp_engine.learning.training.trainer import Schedule, Settings, Trainer

    settings = Settings(Size(3, 8), Schedule(positions=positions), BATCH, seed, 1, "cpu", precision, (), Size(3, 12) if taught else None)
    return Trainer([two_games()], settings)


def random_network(blocks: int = 3, channels: int = 8) -> "Network":
    """A network all of whose weights are random, those that begin as 0 too."""
    import torch

    from gtp_engine.learning.training.model import Network, Size

    torch.manual_seed(5)
    network = Network(Size(blocks, channels))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.05)
    return network


def description(network: "Network") -> Description:
    """Of a network that nobody trained."""
    return Description(FEATURES_VERSION, PLANES, network.size.blocks, network.size.channels, 0, 0, "nothing", 0.0, 0.0)


def outputs(network: "Network", size: int = 5) -> list[np.ndarray]:
    """Policy, value, score and reply for some random planes."""
    import torch

    planes = np.random.default_rng(1).random((2, PLANES, size, size), np.float32)
    with torch.no_grad():
        return [output.numpy() for output in network(torch.from_numpy(planes))]


def test_a_tiny_network_learns_two_games_by_heart() -> None:
    """Without symmetries two short games have few positions: the error must fall well below that of guessing, log 26 = 3.26."""
    trainer = new_trainer(positions=120 * BATCH)
    trainer.sampler.samplers[0].augment = False
    trainer.run(lambda: True)
    assert trainer.progress.step == 120 and trainer.progress.policy_loss < 1.5


def test_bf16_multiplies_in_16_bits_and_learns_nearly_the_same() -> None:
    import torch

    trainer, whole = new_trainer(precision="bf16"), new_trainer()
    trainer.run(lambda: True)
    whole.run(lambda: True)
    ours, theirs = trainer.network.state_dict(), whole.network.state_dict()
    assert all(weights.dtype == torch.float32 for weights in ours.values())
    assert any(not torch.equal(ours[name], theirs[name]) for name in theirs)
    assert trainer.progress.policy_loss == pytest.approx(whole.progress.policy_loss, rel=0.01)


@pytest.mark.parametrize(
    ("abilities", "gain", "precision"),
    [
        ({}, 2.0, "f32"),
        ({"avx2": True, "avx512_bf16": False}, 2.0, "f32"),
        ({"avx512_bf16": True}, 0.6, "f32"),
        ({"avx512_bf16": True}, 1.9, "bf16"),
    ],
)
def test_bf16_is_for_processors_that_are_faster_in_it(
    abilities: dict[str, bool], gain: float, precision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gtp_engine.learning.training import trainer

    monkeypatch.setattr(trainer, "processor_abilities", lambda: abilities)
    monkeypatch.setattr(trainer, "bf16_gain", lambda: gain)
    assert trainer.best_precision("cpu") == precision


def test_the_gain_of_bf16_is_timed() -> None:
    from gtp_engine.learning.training import trainer

    assert 0.01 < trainer.bf16_gain() < 100.0
    assert trainer.bf16_gain() == trainer.bf16_gain(), "timed once: it must not change within a process"


@pytest.mark.parametrize("taught", [False, True])
def test_an_interrupted_run_ends_like_an_uninterrupted_one(tmp_path: Path, taught: bool) -> None:
    import torch

    whole = new_trainer(taught=taught)
    whole.run(lambda: True)
    first = new_trainer(taught=taught)
    first.run(lambda: first.progress.step < STEPS // 2)
    first.save(tmp_path / "checkpoint.pt")
    second = new_trainer(taught=taught)
    second.load(tmp_path / "checkpoint.pt")
    assert second.progress.step == STEPS // 2
    second.run(lambda: True)
    assert second.progress.positions == whole.progress.positions == STEPS * BATCH
    for learner in ("learner", "teacher") if taught else ("learner",):
        for part in ("network", "average"):
            ours, theirs = (getattr(getattr(run, learner), part).state_dict() for run in (second, whole))
            assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    new_trainer(seed=2).save(tmp_path / "checkpoint.pt")
    with pytest.raises(TrainingError, match="is of a run with seed 2, this one has 1"):
        new_trainer().load(tmp_path / "checkpoint.pt")
    with pytest.raises(TrainingError, match="is of a run with teacher none, this one has 3x12"):
        new_trainer(seed=2, taught=True).load(tmp_path / "checkpoint.pt")
    new_trainer(taught=True).save(tmp_path / "taught.pt")
    with pytest.raises(TrainingError, match="is of a run with teacher 3x12, this one has none"):
        new_trainer().load(tmp_path / "taught.pt")
    (tmp_path / "broken.pt").write_bytes(b"broken")
    with pytest.raises(TrainingError, match="is not a checkpoint"):
        new_trainer().load(tmp_path / "broken.pt")


def test_the_rate_rises_stays_and_falls() -> None:
    from gtp_engine.learning.training.trainer import Schedule

    schedule = Schedule(positions=1000)
    rates = [schedule.rate(schedule.progress(0.0, n)) for n in (0, 10, 20, 340, 675, 1000, 1100)]
    assert rates == pytest.approx([0.01, 0.5, 1.0, 1.0, 0.505, 0.01, 0.01], abs=0.01)
    assert Schedule(seconds=50.0).progress(25.0, 7) == 0.5


def test_a_lower_rate_is_lower_all_the_way() -> None:
    from gtp_engine.learning.training.trainer import Schedule

    usual, gentle = Schedule(positions=1000), Schedule(positions=1000, highest=0.25)
    for progress in (0.0, 0.01, 0.02, 0.3, 0.7, 1.0):
        assert gentle.rate(progress) == pytest.approx(0.25 * usual.rate(progress))


def test_orthogonal_makes_singular_values_nearly_one() -> None:
    import torch

    from gtp_engine.learning.training.optimizer import orthogonal

    torch.manual_seed(1)
    values = torch.linalg.svdvals(orthogonal(torch.randn(3, 8, 40)))
    assert float(values.min()) > 0.6 and float(values.max()) < 1.3


# ---------------------------------------------------------------- export and growth


def test_an_exported_network_says_the_same_and_comes_back(tmp_path: Path) -> None:
    from gtp_engine.learning.training.export import export, load_network

    network = random_network()
    difference = export(network, description(network), tmp_path / "net.onnx")
    assert difference < 1e-5
    again, described = load_network(tmp_path / "net.onnx")
    assert described == description(network)
    assert all(np.array_equal(ours, theirs) for ours, theirs in zip(outputs(again), outputs(network), strict=True))


def test_an_export_that_differs_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph that leaves out the blocks computes something else, and that is noticed."""
    from gtp_engine.learning.training import export, graph

    network = random_network()
    monkeypatch.setattr(graph.Graph, "block", lambda self, name, source, pooling: source)
    with pytest.raises(TrainingError, match="differ"):
        export.export(network, description(network), tmp_path / "net.onnx")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", [b"", b"not a network", None])
def test_a_file_that_is_no_network_is_told(content: bytes | None, tmp_path: Path) -> None:
    from gtp_engine.learning.training.export import load_network

    path = tmp_path / "net.onnx"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(TrainingError, match=r"net\.onnx: expected a network"):
        load_network(path)


@pytest.mark.parametrize("size", [(3, 8), (3, 12), (7, 8), (6, 24)])
def test_a_grown_network_says_the_same(size: tuple[int, int]) -> None:
    from gtp_engine.learning.training.growth import grow
    from gtp_engine.learning.training.model import Size

    network = random_network()
    larger = grow(network, Size(*size))
    assert larger.size == Size(*size)
    for ours, theirs in zip(outputs(larger, 9), outputs(network, 9), strict=True):
        assert np.allclose(ours, theirs, atol=1e-4)


def test_a_network_cannot_shrink() -> None:
    from gtp_engine.learning.training.growth import grow
    from gtp_engine.learning.training.model import Size

    with pytest.raises(TrainingError, match="3x8 cannot become one of 2x8"):
        grow(random_network(), Size(2, 8))


# ---------------------------------------------------------------- the command


def write_games(folder: Path, count: int = 6) -> Path:
    """SGF files of short games."""
    folder.mkdir()
    for i in range(count):
        letters = "abcde"
        moves = "".join(f";{'BW'[n % 2]}[{letters[(n + i) % 5]}{letters[n % 5]}]" for n in range(5))
        (folder / f"{i}.sgf").write_text(f"(;SZ[5]KM[6.5]RE[B+R]{moves})")
    (folder / "other.sgf").write_text("(;SZ[9]RE[B+R];B[aa])")
    return folder


COMMON = ["--size", "5", "--threads", "1"]
TINY = [*COMMON, "--device", "cpu", "--blocks", "1", "--channels", "8", "--batch", "8", "--held-out", "2"]


def test_train_evaluate_and_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from gtp_engine.learning.training.export import load_network

    games, folder = str(write_games(tmp_path / "games")), tmp_path / "run"
    assert main(["train", "imitation", games, "--folder", str(folder), "--positions", "64", *TINY]) == 0
    assert "left out 1: another board size" in capsys.readouterr().err
    assert {path.name for path in folder.iterdir()} == {"checkpoint.pt", "network.onnx", "log.jsonl", "accuracy.md", "accuracy.svg"}
    network = str(folder / "network.onnx")
    assert main(["train", "evaluate", games, "--network", network, "--games", "3", "--positions", "100", *COMMON]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["games"] == 3 and line["learned_from"] == 64 and line["left_out"] == {"another board size": 1}
    assert 0 <= line["top1"] <= line["top5"] <= 1 and line["nll"] > 0 and 0 <= line["value_error"] <= 1
    counted = ["train", "evaluate", games, "--network", network, "--counted", *COMMON]
    with pytest.raises(SystemExit):
        main(counted)
    assert "none of the last 4,000 games is one of those asked for" in capsys.readouterr().err
    (tmp_path / "games" / "0.sgf").write_text((tmp_path / "games" / "0.sgf").read_text().replace("B+R", "B+3.5"))
    assert main(counted) == 0 and json.loads(capsys.readouterr().out)["games"] == 1
    assert main(["train", "imitation", games, "--folder", str(folder), "--positions", "128", *TINY]) == 0
    assert "goes on after 64 positions" in capsys.readouterr().err
    more = ["--from", network, "--folder", str(tmp_path / "more"), "--positions", "16", *TINY, "--channels", "16"]
    assert main(["train", "imitation", games, *more]) == 0
    assert "begins with" in capsys.readouterr().err
    both = str(tmp_path / "both.onnx")
    assert main(["train", "export", str(tmp_path / "more" / "checkpoint.pt"), both]) == 0
    for described in (tmp_path / "more" / "network.onnx", Path(both)):
        assert load_network(described)[1].positions == 128 + 16  # what it began with had learned, too
    assert main(["train", "export", str(folder / "checkpoint.pt"), str(tmp_path / "net.onnx")]) == 0
    assert (tmp_path / "net.onnx").stat().st_size > 10_000
    mean = str(tmp_path / "mean.onnx")
    assert main(["train", "average", network, network, games, mean, "--positions", "32", "--held-out", "2", *COMMON]) == 0
    assert f"wrote {mean}" in capsys.readouterr().err
    arguments = [network, games, str(tmp_path / "fast.onnx"), "--samples", "32", "--positions", "32"]
    assert main(["train", "quantize", *arguments, "--size", "5", "--threads", "1", "--held-out", "2"]) == 0
    assert "wrote" in capsys.readouterr().err


LARGEST_FILE = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))"  # writing beyond fails, as on a full disk


def test_a_full_disk_is_told_and_the_last_checkpoint_stays(tmp_path: Path) -> None:
    games, folder = write_games(tmp_path / "games"), tmp_path / "run"
    arguments = ["train", "imitation", str(games), "--folder", str(folder), "--positions"]
    assert main([*arguments, "64", *TINY]) == 0
    checkpoint, network = (folder / "checkpoint.pt").read_bytes(), (folder / "network.onnx").read_bytes()
    assert min(len(checkpoint), len(network)) > 40_000
    program = f"{LARGEST_FILE}; import sys; from gtp_engine.cli.main import main; sys.exit(main(sys.argv[1:]))"
    full = subprocess.run([sys.executable, "-c", program, *arguments, "128", *TINY], capture_output=True, text=True, check=False)
    assert full.returncode == 1
    assert "the one before stays" in full.stderr and "free some space, and give the same command again" in full.stderr
    assert (folder / "checkpoint.pt").read_bytes() == checkpoint and (folder / "network.onnx").read_bytes() == network
    assert main([*arguments, "128", *TINY]) == 0


def test_a_full_disk_leaves_the_log_whole(tmp_path: Path) -> None:
    """The log is made the largest file, so that it alone finds no room."""
    games, folder = write_games(tmp_path / "games"), tmp_path / "run"
    arguments = ["train", "imitation", str(games), "--folder", str(folder), *TINY, "--positions"]
    assert main([*arguments, "64"]) == 0
    log = folder / "log.jsonl"
    log.write_text(json.dumps(json.loads(log.read_text()) | {"note": 1_000_000 * "x"}) + "\n")
    before, limits = log.read_text(), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 20, limits[1]))
    try:
        assert main([*arguments, "128"]) == 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert log.read_text() == before
    assert main([*arguments, "128"]) == 0
    assert len(log.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["imitation", "missing"], "missing does not exist"),
        (["evaluate", "missing", "--network", "none.onnx"], "none.onnx: No such file or directory; expected a network"),
        (["export", "none.pt", "out.onnx"], "none.pt is not a checkpoint"),
        (["imitation", "missing", "--time", "soon"], "'soon' is not a time like 90s, 30m or 2h"),
        (["imitation", "missing", "--teacher", "large"], "large: expected a network in ONNX form: No such file or directory"),
        (["imitation", "missing", "--batch", "0"], "'0' is not above 0"),
        (["imitation", "missing", "--rate", "2"], "'2' is not above 0 and at most 1"),
        (["imitation", "missing", "--rate", "low"], "'low' is not a number"),
        (["imitation", "missing", "--shares", "3,0"], "'3,0' is not a list of numbers above 0, like 3,1"),
        (["imitation", "missing", "--least-rank", "10d"], "'10d' is not a rank from 30k to 1k or 1d to 9d"),
    ],
)
def test_bad_input_is_one_sentence(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["train", *arguments])
    error = capsys.readouterr().err
    assert ended.value.code == 2 and message in error and "Traceback" not in error


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 130)])
def test_an_interrupt_saves_a_checkpoint(number: signal.Signals, status: int, tmp_path: Path) -> None:
    games, folder = str(write_games(tmp_path / "games")), tmp_path / "run"
    command = [sys.executable, "-m", "gtp_engine", "train", "imitation", games, "--folder", str(folder), "--time", "1h", *TINY]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent, env={**os.environ})
    assert process.stderr is not None
    for line in process.stderr:
        if "learns" in line:
            break
    time.sleep(1.0)
    process.send_signal(number)
    _, error = process.communicate(timeout=300)
    assert process.returncode == status and "Traceback" not in error
    assert (folder / "checkpoint.pt").exists()
