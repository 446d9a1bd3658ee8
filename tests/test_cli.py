"""The command line: what it accepts, how it refuses, and the scripts that start it."""

import os
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from gtp_engine import __version__
from gtp_engine.cli.main import SUBCOMMANDS, main, make_parser
from gtp_engine.cli.options import configuration_of, option_name
from gtp_engine.search.params import SearchParams

NO_SUBCOMMANDS = {"opinion", "__init__", "main", "parser", "streams", "options", "train_options"}


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever runs the tests may have a configuration of their own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in [name for name in os.environ if name.startswith("GTP_ENGINE_")]:
        monkeypatch.delenv(name)


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What is printed on stderr for a command line that must be refused with status 2."""
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["version"]) == 0
    assert capsys.readouterr().out == f"gtp-engine {__version__}\n"


def test_every_subcommand_module_is_a_subcommand(repository: Path) -> None:
    modules = {path.stem for path in (repository / "gtp_engine" / "cli").glob("*.py")}
    assert modules - NO_SUBCOMMANDS == set(SUBCOMMANDS)


@pytest.mark.parametrize("arguments", [["--help"], *([name, "--help"] for name in SUBCOMMANDS)])
def test_help(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 0
    assert "usage: gtp-engine" in capsys.readouterr().out


def test_help_has_examples_and_every_search_parameter(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["gtp", "--help"])
    text = capsys.readouterr().out
    assert "examples:" in text
    for item in fields(SearchParams):
        assert option_name(item.name) in text


def test_options_become_search_params() -> None:
    words = ["gtp", "--playouts", "100", "--seconds", "0.5", "--no-resign", "--evaluator", "mixed", "--resign-moves=2"]
    params = configuration_of(make_parser(["gtp"]).parse_args(words)).search_params()
    assert params == SearchParams(playouts=100, seconds=0.5, resign=False, evaluator="mixed", resign_moves=2)


def test_without_options_the_defaults_hold() -> None:
    assert configuration_of(make_parser(["gtp"]).parse_args(["gtp"])).search_params() == SearchParams()


@pytest.mark.parametrize(
    ("arguments", "nearest"),
    [
        (["--playout", "10"], "--playouts"),
        (["--plyouts=10"], "--playouts"),
        (["gtp", "--no-resing"], "--no-resign"),
        (["gtpp"], "gtp"),
        (["versoin"], "version"),
        (["--rules", "chineese"], "chinese"),
        (["--evaluator", "playout"], "playouts"),
        (["--playouts", "-5"], "the nearest is 0"),
        (["--playouts", "10.4"], "the nearest is 10"),
        (["--resign-threshold", "0.9"], "the nearest is 0.5"),
        (["--size", "25"], "the nearest is 19"),
        (["--size", "nine"], "not a whole number"),
    ],
)
def test_a_mistake_is_refused_with_the_nearest_right_word(arguments: list[str], nearest: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert nearest in refusal(capsys, *arguments)


@pytest.mark.parametrize("value", ["many", "nan", "inf", "1e999", ""])
def test_what_is_no_number_is_refused(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "number" in refusal(capsys, "--seconds", value)
    assert "number" in refusal(capsys, "--komi", value)
    assert "number" in refusal(capsys, "--playouts", value)


def test_unknown_words_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "xyzzy" in refusal(capsys, "gtp", "xyzzy")
    assert "xyzzy" in refusal(capsys, "xyzzy")


def test_name_and_version_can_be_set(repository: Path) -> None:
    command = [sys.executable, "-m", "gtp_engine", "--gtp-name", "Some Name", "--gtp-version", "9.9"]
    process = subprocess.run(command, input="name\nversion\n", capture_output=True, text=True, cwd=repository)
    assert process.stdout == "= Some Name\n\n= 9.9\n\n"


# ---------------------------------------------------------------- the scripts, with an environment that stands for a finished one


@pytest.fixture
def checkout(tmp_path: Path, repository: Path) -> Path:
    """A copy of what the scripts need, in a folder with a space in its name, with an environment whose Python prints what it is asked."""
    root = (tmp_path / "a checkout").resolve()
    shutil.copytree(repository / "scripts", root / "scripts")
    shutil.copy(repository / "pyproject.toml", root)
    python = root / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\npwd -P\nfor word in "$0" "$@"; do echo "$word"; done\n')
    python.chmod(0o755)
    for extra in ("run", "test"):
        (root / ".venv" / f"stamp-{extra}").write_text(f"{root}\n{(root / 'pyproject.toml').read_text()}")
    return root


def run_script(script: Path, *arguments: str, cwd: Path, path: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run a script, optionally with another PATH."""
    environment = os.environ | ({} if path is None else {"PATH": path})
    return subprocess.run([script, *arguments], capture_output=True, text=True, cwd=cwd, env=environment)


def test_the_engine_starts_from_any_folder_and_through_links(checkout: Path, tmp_path: Path) -> None:
    here = (tmp_path / "here").resolve()
    here.mkdir()
    (here / "link").symlink_to(checkout / "scripts" / "gtp-engine")
    (here / "relative").symlink_to("link")
    expected = f"{here}\n{checkout}/.venv/bin/python\n-P\n-m\ngtp_engine\n--rules\ntwo words\n"
    for script in (checkout / "scripts" / "gtp-engine", here / "link", here / "relative"):
        process = run_script(script, "--rules", "two words", cwd=here)
        assert (process.stdout, process.stderr, process.returncode) == (expected, "", 0)


def test_the_tests_run_in_the_checkout(checkout: Path, tmp_path: Path) -> None:
    process = run_script(checkout / "scripts" / "test", "-k", "some test", cwd=tmp_path)
    assert process.stdout == f"{checkout}\n.venv/bin/python\n-m\npytest\n-k\nsome test\n"


@pytest.mark.parametrize("change", ["pyproject", "stamp", "python", "moved"])
def test_whatever_changed_calls_for_a_set_up(change: str, checkout: Path, tmp_path: Path) -> None:
    """Without any Python on the PATH the set-up can only say what is missing, on stderr, and fail."""
    if change == "pyproject":
        (checkout / "pyproject.toml").write_text("[project]\n")
    elif change == "stamp":
        (checkout / ".venv" / "stamp-run").unlink()
    elif change == "python":
        (checkout / ".venv" / "bin" / "python").unlink()
    else:
        checkout = checkout.rename(tmp_path / "elsewhere")
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "cat", "cmp", "dirname", "readlink"):
        (tools / tool).symlink_to(shutil.which(tool) or "")
    process = run_script(checkout / "scripts" / "gtp-engine", cwd=tmp_path, path=str(tools))
    assert process.stdout == ""
    assert "needs Python 3.11 or newer" in process.stderr
    assert process.returncode != 0


def test_a_set_up_that_fails_says_why_and_leaves_no_stamp(checkout: Path) -> None:
    """A half-made environment is made anew, and a pyproject.toml that can't be installed is an error on stderr."""
    (checkout / "pyproject.toml").write_text("this is no TOML")
    leftover = checkout / ".venv" / "leftover"
    leftover.touch()
    for path in (checkout / ".venv").glob("stamp-*"):
        path.unlink()  # written last: without them the environment was never finished
    process = run_script(checkout / "scripts" / "gtp-engine", cwd=checkout)
    assert process.stdout == ""
    assert "could not be set up" in process.stderr
    assert process.returncode == 1
    assert not leftover.exists()
    assert list((checkout / ".venv").glob("stamp-*")) == []
