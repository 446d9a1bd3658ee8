"""The configuration: sources and their order, and how each kind of mistake is told."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from gtp_engine.cli.main import main
from gtp_engine.engine.config.front_end import FrontEnd
from gtp_engine.engine.config.sources import SETTINGS, ConfigError, Configuration, gather, user_file
from gtp_engine.engine.search.params import SearchParams


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A configuration folder of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path


def write(path: Path, text: str) -> Path:
    """A file with this text, its folder made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_without_any_source_the_defaults_hold() -> None:
    configuration = gather({})
    assert configuration.search_params() == SearchParams()
    assert configuration.front_end() == FrontEnd()
    assert {setting.source for setting in configuration.settings.values()} == {"default"}


def test_no_two_settings_share_a_name() -> None:
    assert len(SETTINGS) == len(vars(SearchParams())) + len(vars(FrontEnd()))


def test_the_stronger_source_wins(home: Path) -> None:
    """Each source sets what the stronger ones leave to it."""
    own = write(user_file(), "playouts = 1\nseconds = 1\nthreads = 1\nmemory = 101\n")
    given = write(home / "given.toml", "seconds = 2\nthreads = 2\nmemory = 102\n")
    configuration = gather({"GTP_ENGINE_THREADS": "3", "GTP_ENGINE_MEMORY": "103", "OTHER": "x"}, given)
    configuration.read_assignments(["memory=104"])
    found = {name: configuration.settings[name] for name in ("playouts", "seconds", "threads", "memory", "seed")}
    assert [setting.value for setting in found.values()] == [1, 2.0, 3, 104, 0]
    assert [setting.source for setting in found.values()] == [
        f"{own}, line 1",
        f"{given}, line 1",
        "GTP_ENGINE_THREADS",
        "--set memory",
        "default",
    ]


def test_a_variable_may_name_the_file(home: Path) -> None:
    path = write(home / "named.toml", 'rules = "japanese"\nkgs_chat = true\n')
    other = write(home / "other.toml", "komi = 0.5\n")
    assert gather({"GTP_ENGINE_CONFIG": str(path)}).front_end() == FrontEnd(rules="japanese", kgs_chat=True)
    assert gather({"GTP_ENGINE_CONFIG": str(path)}, other).front_end() == FrontEnd(komi=0.5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# a comment\n\nplyouts = 5\n", "line 3: unknown setting plyouts; did you mean playouts?"),
        ("playouts = 'many'\n", "line 1: playouts must be a number"),
        ("playouts = true\n", "line 1: playouts must be a number"),
        ("playouts = 1.5\n", "line 1: '1.5' is not a whole number; the nearest is 2"),
        ("seconds = 0.0\n", "line 1: seconds must be between 0.001 and 86400"),
        ("seconds = inf\n", "line 1: 'inf' is not a finite number"),
        ("resign = 'no'\n", "line 1: resign must be true or false"),
        ("gtp_name = 5\n", "line 1: gtp_name must be a text"),
        ("rules = 'chineese'\n", "line 1: rules must be one of .*; did you mean chinese?"),
        ("\nplayouts = = 5\n", "line 2"),
        ("[search]\nplayouts = 5\n", "line 1: unknown setting search"),
    ],
)
def test_a_mistake_in_a_file_is_told_with_its_line(text: str, message: str, home: Path) -> None:
    path = write(home / "bad.toml", text)
    with pytest.raises(ConfigError, match=message) as error:
        gather({}, path)
    assert str(path) in str(error.value)


def test_a_file_that_cannot_be_read(home: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        gather({}, home / "missing.toml")
    (home / "bytes.toml").write_bytes(b"gtp_name = '\xff'\n")
    with pytest.raises(ConfigError, match=r"bytes\.toml"):
        gather({}, home / "bytes.toml")


@pytest.mark.parametrize(
    ("variable", "text", "message"),
    [
        ("GTP_ENGINE_PLYOUTS", "5", "GTP_ENGINE_PLYOUTS: unknown setting plyouts; did you mean playouts?"),
        ("GTP_ENGINE_PLAYOUTS", "", "GTP_ENGINE_PLAYOUTS: '' is not a whole number"),
        ("GTP_ENGINE_RULES", "japanese", "no variable sets rules"),
        ("GTP_ENGINE_SIZE", "9", "no variable sets size"),
        ("GTP_ENGINE_KOMI", "5", "no variable sets komi"),
        ("GTP_ENGINE_LEVEL", "5", "no variable sets level"),
    ],
)
def test_a_mistake_in_the_environment(variable: str, text: str, message: str) -> None:
    """Rules and board are never changed by a variable forgotten in a shell's profile."""
    with pytest.raises(ConfigError) as error:
        gather({variable: text})
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("playouts", "key=value"),
        ("plyouts=5", "did you mean playouts?"),
        ("playouts=x", "whole number"),
        (f"playouts={10**400}", "nearest is 1e+09"),
        (f"komi={10**400}", "not a finite number"),
    ],
)
def test_a_mistake_in_an_assignment(assignment: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        Configuration().read_assignments([assignment])
    assert message in str(error.value)


@pytest.mark.parametrize("text", ["true", "Yes", "on", "1"])
def test_switches_as_texts(text: str) -> None:
    configuration = Configuration()
    configuration.read_assignments([f"kgs-chat={text}", "resign = off"])
    assert configuration.front_end().kgs_chat and not configuration.search_params().resign


# ---------------------------------------------------------------- the command


def test_config_show_is_toml_with_sources(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    path = write(home / "given.toml", 'gtp_name = "A \\"name\\""\n')
    assert main(["config", "show", "--config", str(path), "--set", "threads=2", "--playouts", "7", "--no-resign"]) == 0
    text = capsys.readouterr().out
    assert {name: type(value) for name, value in tomllib.loads(text).items()} == {
        name: type(item.default) for name, item in SETTINGS.items()
    }
    sources = dict(line.split(" = ", 1) for line in text.splitlines())
    assert sources["gtp_name"].endswith(f"# {path}, line 1") and json.loads(sources["gtp_name"].split("#")[0]) == 'A "name"'
    assert sources["threads"].split() == ["2", "#", "--set", "threads"]
    assert sources["playouts"].split(maxsplit=2) == ["7", "#", "command line"]
    assert sources["resign"].startswith("false") and sources["resign"].endswith("# command line")
    assert sources["komi"].endswith("# default")


def test_what_config_show_prints_can_be_read_back(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    main(["config", "show", "--set", "seconds=0.5", "--set", "rules=aga"])
    path = write(home / "saved.toml", capsys.readouterr().out)
    configuration = gather({}, path)
    assert configuration.search_params() == SearchParams(seconds=0.5)
    assert configuration.front_end() == FrontEnd(rules="aga")


def test_config_path(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "path"]) == 0
    assert capsys.readouterr().out == f"{user_file()}\n"


def test_a_mistake_ends_any_command_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("gtp", "config show", "play"):
        with pytest.raises(SystemExit) as stop:
            main([*command.split(), "--set", "plyouts=5"])
        assert stop.value.code == 2
        captured = capsys.readouterr()
        assert captured.out == "" and "did you mean playouts?" in captured.err and "Traceback" not in captured.err


def test_a_reader_that_stops_early_is_no_error(repository: Path) -> None:
    """`gtp-engine config show | head -1`: the reader goes before all is written."""
    read, write = os.pipe()
    command = [sys.executable, "-P", "-m", "gtp_engine", "config", "show"]
    os.close(read)
    process = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(repository)})
    os.close(write)
    assert process.stderr == ""
