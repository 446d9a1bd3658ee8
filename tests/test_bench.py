"""`gtp-engine bench`: the keys of its JSON, its table, and a signature that depends on the search alone."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gtp_engine.cli.bench import as_table
from gtp_engine.cli.main import main
from gtp_engine.tools.setup import benchmark
from gtp_engine.tools.setup.benchmark import BenchReport, signature
from gtp_engine.tools.setup.cold_start import cold_start, start_seconds

SIZES = {"9", "13", "19"}


def bench(repository: Path, seconds: str) -> dict[str, Any]:
    """The JSON of a run in a process of its own."""
    command = [sys.executable, "-m", "gtp_engine", "bench", "--json", "--seconds", seconds]
    process = subprocess.run(command, capture_output=True, text=True, cwd=repository, check=True)
    assert process.stdout.count("\n") == 1, "one JSON object and nothing else on stdout"
    assert "gtp-engine bench:" in process.stderr
    report: dict[str, Any] = json.loads(process.stdout)
    return report


@pytest.fixture(scope="module")
def ours() -> str:
    """The signature of the search as it is."""
    return signature()


def test_json_has_its_keys_and_the_signature_is_ours(repository: Path, ours: str) -> None:
    """Another process, another time limit, the same signature as here."""
    report = bench(repository, "0.2")
    for speeds in ("light_playouts_per_s", "simulations_per_s"):
        assert set(report[speeds]) == SIZES
        assert all(value > 0 for value in report[speeds].values())
    assert report["warm_start_s"] > 0
    assert report["cold_compile_s"] is report["entries"] is report["yardstick_s"] is None, "it takes long, and only --cold measures it"
    assert report["peak_memory_mb"] > 0 and report["solver_nodes_per_s"] > 0
    assert report["signature"] == ours


@pytest.mark.slow
def test_a_cold_start_is_measured_beside_a_yardstick() -> None:
    said: list[str] = []
    seconds, entries, yardstick = cold_start(said.append)
    start_seconds({})  # compiles, where no start has done so yet
    assert seconds > start_seconds({})
    assert entries > 10 and yardstick > 0 and len(said) == 2
    report = BenchReport(cold_compile_s=seconds, entries=entries, yardstick_s=yardstick)
    assert f"{seconds:.1f} s to the first move, {entries} functions" in as_table(report)


@pytest.mark.slow
def test_the_signature_does_not_depend_on_the_time(repository: Path) -> None:
    assert bench(repository, "0.5")["signature"] == bench(repository, "20")["signature"]


def test_the_signature_notices_a_change_of_the_search(ours: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(ours) == 12 and int(ours, 16) >= 0
    monkeypatch.setattr(benchmark, "KOMI", 30.5)
    assert signature() != ours


def test_the_table_shows_every_size_and_the_signature() -> None:
    speeds = {"9": 100_000.0, "13": 50_000.0, "19": 25_000.0}
    report = BenchReport(threads=4, signature="abc")
    for name, value in report.as_dict().items():
        if isinstance(value, dict):
            setattr(report, name, speeds)
    table = as_table(report)
    assert all(f"{size}x{size}" in table for size in SIZES)
    assert "not measured; --cold does" in table
    assert "100,000" in table and "abc" in table and "with 4 threads" in table


@pytest.mark.parametrize("arguments", [["--seconds", "0"], ["--seconds", "x"], ["--threads", "0"], ["--jsn"]])
def test_bad_options_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["bench", *arguments])
    assert stop.value.code == 2
    assert arguments[-1] in capsys.readouterr().err
