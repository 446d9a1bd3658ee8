"""Networks of KataGo's form that learn from games, on the command line and step by step. Needs the extra `train`."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_kata_training import FILES, new_run
from test_training_records import make_records
from test_training_targets import COUNTED, WALLS, searched

from gtp_engine.cli.main import main
from gtp_engine.engine.network.katago.reader import read_model
from gtp_engine.learning.training.katago.record_labels import RecordLabels
from gtp_engine.learning.training.owners import owners_of

pytestmark = pytest.mark.train


def game_labels() -> RecordLabels:
    """Three games: one was counted, another's count can't be, and one was given up."""
    return RecordLabels("games", replace(COUNTED, owners=owners_of(COUNTED, 1, lambda done: None)), np.zeros(3, bool))


def test_a_tiny_network_learns_games_by_heart(tmp_path: Path) -> None:
    """Few positions: the error must fall well below that of guessing, log 26 = 3.26."""
    run = new_run(tmp_path / "run", game_labels(), 16 * 600)
    run.run(lambda *_: None)
    assert run.progress.step == 600 and run.progress.policy_loss < 1.5


def test_what_nobody_knows_is_not_learned(tmp_path: Path) -> None:
    """Of games that were given up neither lead nor owners: these weights stay, and nothing becomes not a number."""
    import torch

    run = new_run(tmp_path / "run", RecordLabels("games", make_records([WALLS]), np.zeros(1, bool)), 16 * 10)
    before = {name: weights.clone() for name, weights in run.learner.network.state_dict().items()}
    run.run(lambda *_: None)
    after = run.learner.network.state_dict()
    assert all(torch.isfinite(weights).all() for weights in after.values())
    still = {name for name in after if torch.equal(before[name], after[name])}
    assert {"value.ownership.weights", "value.score.bias"} <= still
    assert not {"value.value.bias", "policy.last.weights"} & still


def test_lead_and_owners_are_learned_where_they_are_known(tmp_path: Path) -> None:
    run = new_run(tmp_path / "run", game_labels(), 16 * 40)
    run.run(lambda *_: None)
    assert float(run.learner.network.value.ownership.weights.detach().abs().sum()) > 0.0
    assert float(run.learner.network.value.score.bias[2].detach().abs()) > 0.0


def test_searched_positions_are_learned(tmp_path: Path) -> None:
    run = new_run(tmp_path / "run", RecordLabels("self-play", searched(), np.zeros(3, bool)), 16 * 4)
    run.run(lambda *_: None)
    assert run.progress.step == 4 and np.isfinite(run.progress.policy_loss)


def test_nearly_all_processors_draw_positions_for_a_graphics_card() -> None:
    from gtp_engine.learning.training.run import RunSettings
    from gtp_engine.learning.training.schedule import Schedule

    drawers = {
        (device, threads): RunSettings(Schedule(), threads=threads, device=device).drawers
        for device in ("cpu", "cuda")
        for threads in (1, 16)
    }
    assert drawers == {("cpu", 1): 1, ("cpu", 16): 1, ("cuda", 1): 1, ("cuda", 16): 15}


def test_many_threads_draw_the_same_batches_in_the_same_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the CPU, with as many threads as beside a graphics card: the run ends with the same weights."""
    import torch

    from gtp_engine.learning.training.run import RunSettings

    one, many = (new_run(tmp_path / name, game_labels(), 96) for name in ("one", "many"))
    one.run(lambda *_: None)
    monkeypatch.setattr(RunSettings, "drawers", 6)
    many.run(lambda *_: None)
    ours, theirs = one.learner.network.state_dict(), many.learner.network.state_dict()
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs)


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
    from gtp_engine.learning.training import devices

    monkeypatch.setattr(devices, "processor_abilities", lambda: abilities)
    monkeypatch.setattr(devices, "bf16_gain", lambda: gain)
    assert devices.best_precision("cpu") == precision


def test_the_gain_of_bf16_is_timed() -> None:
    from gtp_engine.learning.training import devices

    assert 0.01 < devices.bf16_gain() < 100.0
    assert devices.bf16_gain() == devices.bf16_gain(), "timed once: it must not change within a process"


def test_the_rate_rises_stays_and_falls() -> None:
    from gtp_engine.learning.training.schedule import Schedule

    schedule = Schedule(positions=1000, hold=0.35)
    rates = [schedule.rate(schedule.progress(0.0, n)) for n in (0, 10, 20, 340, 675, 1000, 1100)]
    assert rates == pytest.approx([0.01, 0.5, 1.0, 1.0, 0.505, 0.01, 0.01], abs=0.01)
    assert Schedule(seconds=50.0).progress(25.0, 7) == 0.5


def test_a_lower_rate_is_lower_all_the_way() -> None:
    from gtp_engine.learning.training.schedule import Schedule

    usual, gentle = Schedule(positions=1000), Schedule(positions=1000, highest=0.25)
    for progress in (0.0, 0.01, 0.02, 0.3, 0.7, 1.0):
        assert gentle.rate(progress) == pytest.approx(0.25 * usual.rate(progress))


# ---------------------------------------------------------------- the command


def write_games(folder: Path, count: int = 12) -> Path:
    """SGF files of short games."""
    folder.mkdir()
    for i in range(count):
        letters = "abcde"
        moves = "".join(f";{'BW'[n % 2]}[{letters[(n + i) % 5]}{letters[n % 5]}]" for n in range(5))
        (folder / f"{i}.sgf").write_text(f"(;SZ[5]KM[6.5]RE[B+R]{moves})")
    (folder / "other.sgf").write_text("(;SZ[9]RE[B+R];B[aa])")
    return folder


TINY = ["--size", "5", "--threads", "1", "--device", "cpu", "--batch", "8"]


def test_train_evaluate_and_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, folder = str(write_games(tmp_path / "games")), tmp_path / "run"
    assert main(["train", "imitation", games, "--new", "1x8", "--folder", str(folder), "--positions", "64", *TINY]) == 0
    assert "left out 1: another board size" in capsys.readouterr().err
    assert {path.name for path in folder.iterdir()} == FILES
    network = str(folder / "network.bin.gz")
    assert main(["train", "evaluate", games, "--network", network, "--size", "5", "--threads", "1"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["network"] == network
    figures = found["held_out"]["5x5"]
    assert figures["positions"] == 5 and figures["nats"] > 0.0 and figures["lead_error"] is None and 0.0 <= figures["winner"] <= 1.0
    logged = json.loads((folder / "log.jsonl").read_text())["held_out"]["5x5"]
    assert logged["winner"] == figures["winner"] and logged["win_error"] == pytest.approx(figures["win_error"], abs=0.01)
    assert main(["train", "imitation", games, "--folder", str(folder), "--positions", "128", *TINY]) == 0
    assert "goes on after 64 positions" in capsys.readouterr().err
    more = ["--from", network, "--layers", "2", "--folder", str(tmp_path / "more"), "--positions", "16", *TINY]
    assert main(["train", "imitation", games, *more]) == 0
    assert len(read_model(tmp_path / "more" / "network.bin.gz").trunk.blocks) == 2


def test_several_sources_are_mixed_and_measured_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SGF files of two boards, and a record file."""
    games = write_games(tmp_path / "games")
    for number in range(12):
        (games / f"nine{number}.sgf").write_text("(;SZ[9]KM[7]BR[1k]WR[1d]RE[W+R];B[ee];W[cc];B[gg])")
    assert main(["train", "records", str(games), str(tmp_path / "five.npz"), "--size", "5"]) == 0
    words = ["train", "imitation", str(games), str(tmp_path / "five.npz"), "--new", "1x8", "--folder", str(tmp_path / "run")]
    words += [*TINY[2:], "--size", "5,9", "--positions", "64"]
    with pytest.raises(SystemExit):
        main([*words, "--shares", "1,2"])
    assert "--shares has 2 numbers, and there are 3 sources" in capsys.readouterr().err
    assert main([*words, "--shares", "1,2,1"]) == 0
    line = json.loads((tmp_path / "run" / "log.jsonl").read_text())
    assert set(line["held_out"]) == {"games, 5x5", "games, 9x9", "five.npz, 5x5"}
    strong = [*words[:3], "--new", "1x8", "--folder", str(tmp_path / "strong"), *TINY[2:], "--size", "9", "--positions", "8"]
    assert main([*strong, "--least-rank", "1k"]) == 0
    assert "12 games have players of the rank asked for" in capsys.readouterr().err


LARGEST_FILE = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))"  # writing beyond fails, as on a full disk


def test_a_full_disk_is_told_and_the_last_checkpoint_stays(tmp_path: Path) -> None:
    games, folder = write_games(tmp_path / "games"), tmp_path / "run"
    arguments = ["train", "imitation", str(games), "--folder", str(folder), "--positions"]
    assert main([*arguments, "64", "--new", "1x16", *TINY]) == 0
    checkpoint, network = (folder / "checkpoint.pt").read_bytes(), (folder / "network.bin.gz").read_bytes()
    assert min(len(checkpoint), len(network)) > 40_000
    program = f"{LARGEST_FILE}; import sys; from gtp_engine.cli.main import main; sys.exit(main(sys.argv[1:]))"
    full = subprocess.run([sys.executable, "-c", program, *arguments, "128", *TINY], capture_output=True, text=True, check=False)
    assert full.returncode == 1
    assert "the one before stays" in full.stderr and "free some space, and give the same command again" in full.stderr
    assert (folder / "checkpoint.pt").read_bytes() == checkpoint and (folder / "network.bin.gz").read_bytes() == network
    assert main([*arguments, "128", *TINY]) == 0


def test_a_full_disk_leaves_the_log_whole(tmp_path: Path) -> None:
    """The log is made the largest file, so that it alone finds no room."""
    games, folder = write_games(tmp_path / "games"), tmp_path / "run"
    arguments = ["train", "imitation", str(games), "--folder", str(folder), *TINY, "--positions"]
    assert main([*arguments, "64", "--new", "1x8"]) == 0
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
        (["imitation", "missing", "--new", "1x8"], "missing does not exist"),
        (["evaluate", "missing", "--network", "none.onnx"], "none.onnx: No such file or directory; expected a network"),
        (["imitation", "missing"], "say what to begin with"),
        (["imitation", "missing", "--time", "soon"], "'soon' is not a time like 90s, 30m or 2h"),
        (["imitation", "missing", "--from", "none.bin.gz"], "none.bin.gz"),
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
    command = [sys.executable, "-m", "gtp_engine", "train", "imitation", games, "--new", "1x8", "--folder", str(folder), "--time", "1h"]
    command += TINY
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
