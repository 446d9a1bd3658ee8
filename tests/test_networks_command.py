"""`gtp-engine networks`: lists, describes and times; and `--network NAME` finds a file of the user's folder."""

import json
from pathlib import Path
from typing import Any

import pytest
from kata_blocks import Residual
from kata_twin import Twin
from networks import save_network

from gtp_engine.cli.main import main
from gtp_engine.engine.network import choice
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.folder import MODELS, named_network, user_folder
from gtp_engine.engine.network.loading import network_path
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Folders of the test's own; short times."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(choice, "SLICE", 0.001)
    return tmp_path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with networks of two kinds, and something else."""
    folder = tmp_path / "models"
    folder.mkdir()
    Twin(15, (Residual, Residual), has_metadata=True).save(folder / "human")
    save_network(folder / "ours.kata.onnx", blocks=3)
    (folder / "readme.txt").write_text("no network")
    return folder


def listed(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> list[dict[str, Any]]:
    """The rows of `networks --json`."""
    assert main(["networks", "--json", *words]) == status
    rows: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
    return rows


def test_every_network_of_a_folder_is_described(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    human, ours = listed(capsys, "--folder", str(folder))
    assert (human["file"], human["format"], human["version"], human["name"]) == (
        str(folder / "human.bin.gz"),
        "KataGo",
        15,
        "tiny-twin",
    )
    assert (human["blocks"], human["channels"], human["knows_players"]) == (2, 6, True)
    assert human["megabytes"] == round((folder / "human.bin.gz").stat().st_size / 1e6, 2)
    assert (ours["format"], ours["blocks"], ours["knows_players"]) == ("KataGo, as ONNX", 3, False)
    assert human["evaluations_per_s"] == {} and human["auto"] == ""


def test_times_are_told_and_remembered(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    path = folder / "ours.kata.onnx"
    (timed,) = listed(capsys, "--time", str(path))
    assert timed["evaluations_per_s"]["ours.kata.onnx, onnxruntime f32"] > 0
    assert timed["auto"].startswith("ours.kata.onnx, ")
    assert listed(capsys, str(path)) == [timed]
    assert main(["networks", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == str(path) and "3 blocks of 6 channels" in lines[1] and "ours.kata.onnx, onnxruntime f32" in lines[2]


def test_without_a_folder_our_own_are_listed(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert main(["networks"]) == 0
    captured = capsys.readouterr()
    assert str(user_folder()) in captured.err and "no networks there" in captured.err
    assert str(MODELS / "b7c96-ranks-int8.kata.onnx") in captured.out
    user_folder().parent.mkdir(parents=True)
    folder.rename(user_folder())
    assert [Path(row["file"]).name for row in listed(capsys)][:2] == ["human.bin.gz", "ours.kata.onnx"]


def test_a_damaged_network_is_told_and_the_others_are_listed(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    (folder / "broken.bin.gz").write_bytes(b"no gzip")
    assert main(["networks", "--json", "--folder", str(folder)]) == 1
    captured = capsys.readouterr()
    assert "broken.bin.gz: expected a network packed by gzip" in captured.err and "Traceback" not in captured.err
    assert len(json.loads(captured.out)) == 2


def test_a_folder_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["networks", "--folder", str(tmp_path / "none")])
    assert stop.value.code == 2
    assert "No such file or directory" in capsys.readouterr().err


def test_a_network_below_no_home_is_refused() -> None:
    with pytest.raises(NetworkError, match=r"^~nobody-of-that-name/mine.onnx: there is no such home folder$"):
        network_path(SearchParams(network="~nobody-of-that-name/mine.onnx"), 9)


def test_a_name_alone_is_found_in_the_users_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    user_folder().parent.mkdir(parents=True)
    folder.rename(user_folder())
    assert network_path(SearchParams(network="human.bin.gz"), 9) == user_folder() / "human.bin.gz"
    assert named_network("./human.bin.gz") == Path("human.bin.gz"), "a path is taken as it stands"
    monkeypatch.chdir(user_folder())
    assert named_network("human.bin.gz") == Path("human.bin.gz"), "what lies here comes first"
    assert named_network("none.bin.gz") == Path("none.bin.gz")


def test_the_models_in_use_have_what_their_files_say(folder: Path) -> None:
    engine = Engine(SearchParams(network=str(folder / "human.bin.gz"), memory=16, threads=1), size=9)
    assert engine.evaluators.models(engine.params) == [
        {
            "name": "human.bin.gz",
            "internalName": "tiny-twin",
            "maxBatchSize": 1,
            "usesHumanSLProfile": True,
            "version": 15,
            "usingFP16": "false",
        }
    ]
