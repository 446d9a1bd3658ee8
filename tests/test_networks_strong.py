"""`--network strong`: which of the networks that are here; and those that came with other programs."""

import json
import os
import sys
from pathlib import Path

import pytest
from kata_blocks import Residual
from kata_twin import Twin

from gtp_engine.cli.main import main
from gtp_engine.cli.options.shared import find_strong_network
from gtp_engine.engine.config.sources import COMMAND_LINE, ConfigError, gather
from gtp_engine.engine.network import clients, strongest
from gtp_engine.engine.network.choice import BackendOption
from gtp_engine.engine.network.clients import client_networks
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.folder import user_folder
from gtp_engine.engine.network.strongest import strongest_network


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home without any network, and no program elsewhere."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(clients, "SHARED_FOLDERS", ())
    return tmp_path


def put(path: Path, is_human: bool = False) -> Path:
    """A network of KataGo's form there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Twin(15, (Residual,), has_metadata=is_human).save(path.parent / path.name.removesuffix(".bin.gz"))
    return path


def test_networks_of_other_programs_are_found(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    package = home / "site" / "katrain"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.delitem(sys.modules, "katrain", raising=False)
    wanted = [
        put(package / "models" / "b10c384.bin.gz"),
        put(home / ".katrain" / "own.bin.gz"),
        put(home / ".katago" / "default_model.bin.gz"),
        put(home / "opt" / "katago" / "model.bin.gz"),
        put(home / "Lizzie" / "weights" / "default.bin.gz"),
        put(home / "my networks" / "sabaki.bin.gz"),
    ]
    program = home / "opt" / "katago" / "katago"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (home / "bin").mkdir()
    os.symlink(program, home / "bin" / "katago")
    settings = home / ".config" / "Sabaki" / "settings.json"
    settings.parent.mkdir(parents=True)
    link = home / "nets"
    link.symlink_to(home / "my networks")
    engines = [{"path": "katago", "args": f"gtp -model {link}/sabaki.bin.gz -config {home}/gtp.cfg"}, {"args": "-model ~/none.bin.gz"}]
    settings.write_text(json.dumps({"engines.list": engines}))
    os.symlink(wanted[2], home / ".katrain" / "same.bin.gz")
    assert [path.resolve() for path in client_networks()] == [path.resolve() for path in wanted]
    assert main(["networks"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert str(wanted[1]) in listed and str(wanted[4]) in listed


def test_settings_that_cannot_be_read_are_passed_over(home: Path) -> None:
    settings = home / ".config" / "Sabaki" / "settings.json"
    settings.parent.mkdir(parents=True)
    os.mkfifo(settings)
    assert client_networks() == []


def test_without_a_network_it_is_said_how_to_get_one(home: Path) -> None:
    with pytest.raises(NetworkError, match=r"`gtp-engine networks get strong` fetches one .* or put one into .*networks"):
        strongest_network()
    put(user_folder() / "b18c384nbt-humanv0.bin.gz", is_human=True)
    with pytest.raises(NetworkError, match="no strong network is here"):
        strongest_network()


def test_the_strongest_that_is_fast_enough(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weak, strong, slow = (put(user_folder() / name) for name in ("b6c96.bin.gz", "b10c384.bin.gz", "b28c512.bin.gz"))
    speeds = {weak.name: 300.0, strong.name: 9.0, slow.name: 2.0}
    monkeypatch.setattr(strongest, "recall", lambda path: {BackendOption(path.name, "onnxruntime", "f32"): speeds[path.name]})
    assert strongest_network() == (strong, "about 9 evaluations a second on 19x19 in one thread, timed here")
    speeds[slow.name] = 6.0
    assert strongest_network()[0] == slow
    speeds.update({weak.name: 3.0, strong.name: 2.0, slow.name: 1.0})
    assert strongest_network()[0] == weak, "nothing is fast enough, so the fastest"


def test_a_network_for_9x9_alone_is_not_the_strongest(home: Path) -> None:
    put(user_folder() / "kata9x9-b18c384nbt-20231025.bin.gz")
    everywhere = put(user_folder() / "g170-b6c96.bin.gz")
    assert strongest_network()[0] == everywhere


def test_a_damaged_network_is_passed_over(home: Path) -> None:
    sound = put(user_folder() / "b6c96.bin.gz")
    (user_folder() / "b10c384.bin.gz").write_bytes(b"no network")
    path, why = strongest_network()
    assert path == sound and why.endswith("guessed by its size")


def test_the_setting_becomes_the_file_computed_the_fastest_way(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = put(user_folder() / "b10c384.bin.gz")
    configuration = gather({})
    configuration.set("network", "strong", COMMAND_LINE)
    find_strong_network(configuration)
    params = configuration.search_params()
    assert (params.network, params.backend, params.precision) == (str(path), "auto", "auto")
    assert f"--network strong is {path}: about" in capsys.readouterr().err
    configuration = gather({"GTP_ENGINE_NETWORK": "strong", "GTP_ENGINE_PRECISION": "f32"})
    find_strong_network(configuration)
    assert configuration.search_params().precision == "f32"


def test_without_a_network_the_setting_is_refused(home: Path) -> None:
    configuration = gather({"GTP_ENGINE_NETWORK": "strong"})
    with pytest.raises(ConfigError, match="--network strong: no strong network is here"):
        find_strong_network(configuration)
