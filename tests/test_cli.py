"""The command line: what it accepts, how it refuses, and the scripts that start it."""

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from gtp_engine import __version__
from gtp_engine.cli.main import SUBCOMMANDS, main, make_parser
from gtp_engine.cli.options.shared import configuration_of, option_name
from gtp_engine.cli.options.train import ACTIONS
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.tools.review.settings import ReviewSettings

SHARED_OPTIONS = {"__init__", "shared", "jobs", "training"}

pytestmark = pytest.mark.usefixtures("no_settings_of_this_machine")


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


def test_every_subcommand_has_a_module_of_options_and_one_that_runs(repository: Path) -> None:
    names = {*SUBCOMMANDS, *(f"train_{action.replace('-', '_')}" for action in ACTIONS)}
    folder = repository / "gtp_engine" / "cli"
    assert {path.stem for path in (folder / "options").glob("*.py")} - SHARED_OPTIONS == names
    assert names <= {path.stem for path in folder.glob("*.py")}


@pytest.mark.parametrize("arguments", [["--help"], *([name, "--help"] for name in SUBCOMMANDS)])
def test_help(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 0
    assert "usage: gtp-engine" in capsys.readouterr().out


def test_help_has_examples_and_every_search_parameter(capsys: pytest.CaptureFixture[str]) -> None:
    """Each is an option, or else one of those that `--set` sets."""
    with pytest.raises(SystemExit):
        main(["gtp", "--help-all"])
    options = capsys.readouterr().out
    assert "examples:" in options
    with pytest.raises(SystemExit):
        main(["gtp", "--help-parameters"])
    parameters = capsys.readouterr().out
    for item in fields(SearchParams):
        is_option = re.search(rf"{option_name(item.name)}[ ,]", options) is not None
        assert is_option != (f"\n{item.name}=" in parameters), item.name


def help_text(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What `--help` prints, in one line."""
    with pytest.raises(SystemExit):
        main([*arguments, "--help"])
    return capsys.readouterr().out


def test_help_shows_a_dozen_options(capsys: pytest.CaptureFixture[str]) -> None:
    text = help_text(capsys, "gtp")
    shown = [line.split()[0].rstrip(",") for line in text.splitlines() if line.startswith("  -")]
    assert len(shown) <= 14
    assert {"--help-all", "--rules", "--komi", "--level", "--rank", "--visits", "--seconds", "--resign"} <= set(shown)


@pytest.mark.parametrize(
    ("subcommand", "default"),
    [
        ("gtp", "size of the board, until the client sets it (default: 19)"),
        ("play", "size of the board (default: 9)"),
        ("review", f"visits for each position where the lead swings (default: {ReviewSettings.playouts}, with a large network"),
    ],
)
def test_help_tells_the_defaults_of_its_own_command(subcommand: str, default: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert default in " ".join(help_text(capsys, subcommand).split())


def test_one_word_for_one_thing(capsys: pytest.CaptureFixture[str]) -> None:
    """The number of steps is counted in playouts everywhere."""
    for subcommand in SUBCOMMANDS:
        with pytest.raises(SystemExit):
            main([subcommand, "--help-all" if "--help-all" in help_text(capsys, subcommand) else "--help"])
        text = capsys.readouterr().out
        assert "rollout" not in text
        assert "simulation" not in text or subcommand == "bench"  # which measures both


def test_options_become_search_params() -> None:
    words = ["gtp", "--playouts", "100", "--seconds", "0.5", "--no-resign", "--evaluator", "mixed", "--set", "resign_moves=2"]
    params = configuration_of(make_parser(["gtp"]).parse_args(words)).search_params()
    assert params == SearchParams(playouts=100, seconds=0.5, resign=False, evaluator="mixed", resign_moves=2)


def test_visits_are_playouts() -> None:
    """Other engines count visits; it is the same number."""
    for subcommand in ("gtp", "play", "analysis", "regress", "config"):
        words = [subcommand, *(["show"] if subcommand == "config" else ["x.tst"] if subcommand == "regress" else []), "--visits", "100"]
        assert configuration_of(make_parser([subcommand]).parse_args(words)).search_params().playouts == 100


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


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["gtp", "--playouts"], "playouts must be between 0 and 1e+09"),
        (["solve", "x.sgf", "--nodes"], "is too large"),
        (["tune", "--output", "x", "--seconds"], "is not a finite number"),
    ],
)
def test_a_number_that_nothing_can_hold_is_refused(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([*words, "9" * 310])
    assert sentence in capsys.readouterr().err.splitlines()[0]


def test_unknown_words_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "xyzzy" in refusal(capsys, "gtp", "xyzzy")
    assert "xyzzy" in refusal(capsys, "xyzzy")


def test_name_and_version_can_be_set(repository: Path) -> None:
    command = [sys.executable, "-m", "gtp_engine", "--gtp-name", "Some Name", "--gtp-version", "9.9"]
    process = subprocess.run(command, input="name\nversion\n", capture_output=True, text=True, cwd=repository)
    assert process.stdout == "= Some Name\n\n= 9.9\n\n"
