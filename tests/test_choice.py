"""`auto`: every backend and precision is timed once, the answer is remembered, and no first move waits for it."""

import json
from collections.abc import Iterator
from pathlib import Path

import numba
import pytest
from kata_blocks import Residual
from kata_twin import Twin
from networks import save_network

from gtp_engine.compiled import jit
from gtp_engine.engine.network import choice
from gtp_engine.engine.network.choice import BackendOption, choose, options_for, reason, recall, remember, time_network
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.loading import SHIPPED, SHIPPED_SMALL, NetworkLoader
from gtp_engine.engine.search.params import AUTO, SearchParams

ANYTHING = SearchParams(backend=AUTO, precision=AUTO)
F32, INT8 = ("onnxruntime", "f32"), ("onnxruntime", "int8")


@pytest.fixture(autouse=True)
def home(tmp_path: Path) -> Iterator[Path]:
    """A cache folder of the test's own, but for compiled code; short times."""
    folder = str(jit.cache_folder())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_CACHE_DIR", folder)
        patch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        patch.setattr(choice, "SLICE", 0.001)
        yield tmp_path
    numba.config.reload_config()  # numba would do so later, since its variable is gone, and forget our folder
    numba.config.CACHE_DIR = folder


@pytest.fixture
def twin(tmp_path: Path) -> Path:
    """A tiny network in KataGo's format."""
    return Twin(8, (Residual,)).save(tmp_path / "twin")


def speeds_of(name: str, **speeds: float) -> choice.Speeds:
    """Evaluations a second of onnxruntime by precision."""
    return {BackendOption(name, "onnxruntime", precision): speed for precision, speed in speeds.items()}


@pytest.mark.parametrize(("f32", "int8", "chosen"), [(100.0, 200.0, INT8), (100.0, 110.0, F32), (100.0, 50.0, F32)])
def test_fewer_bits_must_be_clearly_faster(twin: Path, f32: float, int8: float, chosen: tuple[str, str]) -> None:
    assert choose(twin, speeds_of(twin.name, f32=f32, int8=int8), ANYTHING) == BackendOption(twin.name, *chosen)


def test_what_the_settings_name_is_not_chosen_anew(twin: Path) -> None:
    speeds = speeds_of(twin.name, f32=100.0, int8=200.0)
    assert choose(twin, speeds, SearchParams(backend=AUTO)) == BackendOption(twin.name, *F32)
    assert choose(twin, speeds, SearchParams(backend="openvino", precision=AUTO)) == BackendOption(twin.name, "openvino", "f32")


def test_the_reason_names_every_speed(twin: Path) -> None:
    text = reason(twin, speeds_of(twin.name, f32=100.0, int8=220.0))
    assert text.startswith("auto is twin.bin.gz, onnxruntime int8: clearly faster than the first")
    assert "f32 100" in text and "int8 220" in text


def test_every_option_is_timed_and_remembered(twin: Path) -> None:
    speeds = time_network(twin, SearchParams())
    assert list(speeds) == options_for(twin)
    assert [(option.backend, option.precision) for option in speeds][:2] == [F32, INT8]
    assert all(speed > 0.0 for speed in speeds.values())
    assert recall(twin) == {}
    remember(twin, speeds)
    assert recall(twin) == speeds


def test_an_option_that_cannot_be_computed_is_left_out(twin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It opens, and is refused when it is compiled for a board: there is no CUDA."""
    usable, other = BackendOption(twin.name, *F32), BackendOption(twin.name, "cuda", "f32")
    monkeypatch.setattr("onnxruntime.get_available_providers", lambda: ["CPUExecutionProvider"])
    monkeypatch.setattr(choice, "options_for", lambda path: [usable, other])
    assert list(time_network(twin, SearchParams())) == [usable]
    monkeypatch.setattr(choice, "options_for", lambda path: [other, usable])
    with pytest.raises(NetworkError, match="has no CUDA"):
        time_network(twin, SearchParams())


def test_what_was_timed_on_another_machine_is_not_used(twin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(twin, speeds_of(twin.name, f32=1.0))
    monkeypatch.setattr(choice, "machine", lambda: "another one")
    assert recall(twin) == {}


@pytest.mark.parametrize("damage", ["", "[]", "{", '{"%s": 3}', '{"%s": {"machine": "%s", "speeds": [[1]]}}'])
def test_a_damaged_memory_is_no_memory(twin: Path, damage: str) -> None:
    remember(twin, speeds_of(twin.name, f32=1.0))
    names = [choice.digest_of(twin), choice.machine()]
    choice.memory_file().write_text(damage % tuple(names[: damage.count("%s")]))
    assert recall(twin) == {}
    remember(twin, speeds_of(twin.name, f32=2.0))
    assert recall(twin) == speeds_of(twin.name, f32=2.0)


def test_the_memory_does_not_grow_without_end(twin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "REMEMBERED", 2)
    for seed in range(3):
        remember(Twin(8, (Residual,), seed=seed).save(twin.parent / str(seed)), speeds_of("x", f32=1.0))
    assert len(json.loads(choice.memory_file().read_text())) == 2


def test_a_converted_network_in_eight_bits_may_be_computed_in_float32(tmp_path: Path) -> None:
    """By the file that it was made from, beside it: on processors without instructions for whole numbers that is faster."""
    for name in ("small-int8.kata.onnx", "small.bin.gz"):
        save_network(tmp_path / name)
    path = tmp_path / "small-int8.kata.onnx"
    assert {option.file for option in options_for(path)} == {"small.bin.gz", "small-int8.kata.onnx"}
    remember(path, {BackendOption("small-int8.kata.onnx", *F32): 100.0, BackendOption("small.bin.gz", *F32): 150.0})
    assert choose(path, recall(path), ANYTHING).file == "small.bin.gz"


@pytest.mark.parametrize("path", [SHIPPED, SHIPPED_SMALL])
def test_the_included_networks_may_be_computed_in_float32(path: Path) -> None:
    """Their originals have another ending, and are not tried in int8: that is what the file itself is."""
    original = path.name.replace("-int8.kata.onnx", ".bin.gz")
    tried = [(option.file, option.precision) for option in options_for(path)]
    assert tried[:1] == [(path.name, "f32")] and (original, "f32") in tried
    assert not any(precision == "int8" for _, precision in tried)


def test_nobody_waits_for_the_times(twin: Path, home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The first start plays in float32, and says so; a process beside it takes the times."""
    params = SearchParams(network=str(twin), backend=AUTO, precision=AUTO)
    loader = NetworkLoader()
    first = loader.network(params, 9)
    assert loader.network(params, 9) is first
    assert capfd.readouterr().err.count("timed on this machine") == 1
    assert [path.name for path in (home / "cache" / "gtp_engine" / "networks").glob("*-int8.onnx")] == []
    loader.wait_for_times()
    assert list(recall(twin)) == options_for(twin)
    assert loader.network(params, 9) is first, "one process never changes how it computes"


def test_the_next_start_uses_the_answer(twin: Path, home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    remember(twin, speeds_of(twin.name, f32=100.0, int8=200.0))
    NetworkLoader().network(SearchParams(network=str(twin), backend=AUTO, precision=AUTO), 9)
    assert "timed on this machine" not in capfd.readouterr().err
    assert len(list((home / "cache" / "gtp_engine" / "networks").glob("*-int8.onnx"))) == 1


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NetworkError, match="No such file"):
        recall(tmp_path / "none.bin.gz")
    with pytest.raises(NetworkError, match="No such file"):
        NetworkLoader().network(SearchParams(network=str(tmp_path / "none.bin.gz"), backend=AUTO), 9)
