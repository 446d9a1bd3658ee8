"""`gtp-engine analysis` as a process: pipes, the end of the input, signals, and the options that KataGo is started with."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from networks import save_network

from gtp_engine.base.processors import processors
from gtp_engine.cli.analysis import read_setup
from gtp_engine.cli.main import main, make_parser
from gtp_engine.cli.options.shared import configuration_of
from gtp_engine.engine.config.katago_file import read_katago_file, read_pairs
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.go.points import BLACK

COMMAND = [sys.executable, "-m", "gtp_engine", "analysis", "--evaluator", "playouts", "--memory", "32", "--seed", "1"]
QUERY: dict[str, Any] = {"id": "q", "moves": [], "rules": "chinese", "boardXSize": 5, "boardYSize": 5}
PATIENCE = 120  # seconds for a process on a busy machine


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever runs the tests may have a configuration of their own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


@pytest.fixture
def process(repository: Path) -> Iterator["subprocess.Popen[str]"]:
    """The engine, with two positions at once."""
    command = [*COMMAND, "--positions", "2", "--threads", "1"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=repository
    ) as engine:
        yield engine
        engine.kill()


def lines_of(*messages: dict[str, Any]) -> str:
    """Messages as they are sent."""
    return "".join(json.dumps(message) + "\n" for message in messages)


def read_message(process: "subprocess.Popen[str]") -> dict[str, Any]:
    """The next message."""
    assert process.stdout is not None
    message: dict[str, Any] = json.loads(process.stdout.readline())
    return message


def send(process: "subprocess.Popen[str]", *messages: dict[str, Any]) -> None:
    """Write messages."""
    assert process.stdin is not None
    process.stdin.write(lines_of(*messages))
    process.stdin.flush()


def test_all_that_was_asked_is_finished_when_the_input_ends(process: "subprocess.Popen[str]") -> None:
    queries = [QUERY | {"id": str(number), "maxVisits": 50} for number in range(6)]
    output, errors = process.communicate(lines_of({"id": "v", "action": "query_version"}, *queries), timeout=PATIENCE)
    messages = [json.loads(line) for line in output.splitlines()]
    assert messages[0]["version"]
    assert sorted(message["id"] for message in messages[1:]) == [query["id"] for query in queries]
    assert process.returncode == 0
    assert "ready for queries, 2 at a time" in errors


def test_a_visit_later_than_the_others_may_be_answered_first(process: "subprocess.Popen[str]") -> None:
    send(process, QUERY | {"id": "long", "maxVisits": 10**9}, QUERY | {"id": "short", "maxVisits": 10})
    assert read_message(process)["id"] == "short"
    send(process, {"id": "t", "action": "terminate", "terminateId": "long"})
    assert {read_message(process)["id"], read_message(process)["id"]} == {"t", "long"}


def test_ctrl_c_ends_it_at_once(process: "subprocess.Popen[str]") -> None:
    send(process, QUERY | {"maxVisits": 10**9, "reportDuringSearchEvery": 0.05})
    assert read_message(process)["isDuringSearch"]
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in errors


def test_a_client_that_has_gone_ends_it(process: "subprocess.Popen[str]") -> None:
    send(process, QUERY | {"maxVisits": 10**9, "reportDuringSearchEvery": 0.05})
    assert read_message(process)["isDuringSearch"]
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    assert process.wait(PATIENCE) == 0
    assert "Traceback" not in process.stderr.read()


def test_quitting_without_waiting(repository: Path) -> None:
    queries = lines_of(*(QUERY | {"id": str(number), "maxVisits": 10**9} for number in range(50)))
    command = [*COMMAND, "-quit-without-waiting"]
    done = subprocess.run(command, input=queries, capture_output=True, text=True, timeout=PATIENCE, cwd=repository)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) <= processors()


def test_the_example_of_the_page(process: "subprocess.Popen[str]", repository: Path) -> None:
    page = (repository / "docs" / "analysis.md").read_text(encoding="utf-8")
    example = re.search(r"^    echo '(.*)' \| scripts/gtp-engine analysis$", page, re.MULTILINE)
    assert example is not None
    send(process, json.loads(example[1]))
    assert read_message(process)["rootInfo"]["visits"] >= 200


def test_it_starts_as_katago_is_started(repository: Path, tmp_path: Path) -> None:
    """With a network's file, a configuration file of KataGo's, and parameters that nobody knows."""
    save_network(tmp_path / "tiny.kata.onnx")
    (tmp_path / "katago.cfg").write_text("# comment\nmaxVisits = 30\nreportAnalysisWinratesAs = BLACK # whose\nnnMaxBatchSize = 96\n\n")
    command = [*COMMAND[:4], "-model", f"{tmp_path}/tiny.kata.onnx", "-human-model", "none", "-config", f"{tmp_path}/katago.cfg"]
    command += ["-override-config", f"homeDataDir={tmp_path},maxVisits=20", "-analysis-threads", "1", "--threads", "1"]
    queries = lines_of({"id": "m", "action": "query_models"}, QUERY | {"includePolicy": True})
    done = subprocess.run(command, input=queries, capture_output=True, text=True, timeout=PATIENCE, cwd=repository)
    models, result = map(json.loads, done.stdout.splitlines())
    assert models["models"][0]["name"] == "tiny.kata.onnx"
    assert result["rootInfo"]["visits"] == 21, "the root that the network was asked about counts, too"
    assert "not used: nnMaxBatchSize, homeDataDir" in done.stderr


def test_the_speed_script_measures(repository: Path) -> None:
    command = [sys.executable, "tests/tools/analysis_speed.py", "--size", "7", "--visits", "10", "--positions", "3", "--rounds", "2"]
    done = subprocess.run([*command, "--least", "0"], capture_output=True, text=True, timeout=PATIENCE, cwd=repository)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 3
    assert float(done.stdout.split()[-1]) > 0.0


# ---------------------------------------------------------------- options


def setup_of(*words: str) -> Any:
    """What the options ask for."""
    args = make_parser(["analysis"]).parse_args(["analysis", *words])
    return read_setup(args, configuration_of(args))


def test_threads_are_divided_among_positions() -> None:
    setup = setup_of()
    assert (setup.positions, setup.params.threads) == (processors(), 1)
    setup = setup_of("--positions", "3", "--threads", "5")
    assert (setup.positions, setup.params.threads) == (3, 5)
    setup = setup_of("--positions", "1")
    assert (setup.positions, setup.params.threads) == (1, processors())


def test_a_file_for_a_graphics_card_is_cut_down_to_the_processors(tmp_path: Path) -> None:
    (tmp_path / "a.cfg").write_text("numAnalysisThreads = 12\nnumSearchThreads = 8\n")
    setup = setup_of("-config", str(tmp_path / "a.cfg"))
    assert setup.positions == min(12, processors())
    assert setup.positions * setup.params.threads <= processors()


def test_parameters_of_katago_become_settings(capsys: pytest.CaptureFixture[str]) -> None:
    setup = setup_of(
        "-override-config", "wideRootNoise=0.04,reportAnalysisWinratesAs=BLACK,analysisPVLen=3", "-override-config", "maxTime=2"
    )
    assert (setup.params.root_noise, setup.params.seconds, setup.is_timed) == (0.04, 2.0, True)
    assert (setup.report.perspective, setup.report.variation_length) == (BLACK, 3)
    assert not setup_of("--playouts", "5").is_timed
    assert capsys.readouterr().err == ""


def test_a_network_of_katagos_gives_way_to_ours(capsys: pytest.CaptureFixture[str]) -> None:
    assert setup_of("-model", "nothing.zip").params.network == ""
    assert "nothing.zip" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--positions", "-1"], "--positions"),
        (["-override-config", "maxVisits=many"], "maxVisits"),
        (["-override-config", "maxVisits"], "key = value"),
        (["-override-config", "numAnalysisThreads=none"], "numAnalysisThreads"),
        (["-config", "missing.cfg"], "missing.cfg"),
    ],
)
def test_wrong_options_are_refused_in_a_sentence(words: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["analysis", *words])
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert text in error and "Traceback" not in error


def test_a_file_of_katagos_is_read_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "a.cfg"
    file.write_text('a = 1\n  b=two words # not this\n# c = 3\nd = "quoted"\ne =\n')
    assert read_katago_file(file) == {"a": "1", "b": "two words", "d": "quoted", "e": ""}
    assert read_pairs("a=1, b = 2 ,") == {"a": "1", "b": "2"}
    file.write_text("a = 1\nnonsense\n")
    with pytest.raises(ConfigError, match=r"a\.cfg, line 2: expected key = value"):
        read_katago_file(file)
