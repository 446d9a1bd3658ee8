"""The doctor: every check looks at something that can be wrong; and the lines for clients."""

import sys
from pathlib import Path

import pytest
from kata_blocks import Residual
from kata_twin import Twin

from gtp_engine.cli.main import main, make_parser
from gtp_engine.engine.config.sources import user_file
from gtp_engine.engine.network import choice
from gtp_engine.engine.network.katago import conversion
from gtp_engine.engine.network.katago.calibration import observe
from gtp_engine.tools.setup import doctor
from gtp_engine.tools.setup.client_lines import CLIENT_LINES, own_command


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Configuration and logs of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


def test_a_good_installation_passes(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, repository: Path) -> None:
    monkeypatch.setattr(doctor, "SPEED_SECONDS", 0.2)
    monkeypatch.setattr(doctor, "SLOWEST", 1)  # the machine that runs the tests may be busy
    monkeypatch.setenv("PYTHONPATH", str(repository))
    assert main(["doctor"]) == 0
    text = capsys.readouterr().out
    assert "FAIL" not in text
    assert [line[6:20].strip() for line in text.splitlines() if line.startswith("ok")] == list(doctor.CHECKS)
    for line in CLIENT_LINES:
        assert line.text(own_command()) in text


def test_a_failed_check_is_told_and_fails_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that raises is a failed one, and the others are still made."""
    monkeypatch.setattr(doctor, "CHECKS", {"first": doctor.check_log_folder, "broken": lambda: 1 // 0, "last": doctor.check_python})
    assert main(["doctor"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line[:4].strip() for line in lines[:3]] == ["ok", "FAIL", "ok"]
    assert "ZeroDivisionError" in lines[1]


def test_an_old_python_is_no_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "OLDEST_PYTHON", (9, 0))
    is_good, detail = doctor.check_python()
    assert not is_good and "9.0 or newer" in detail


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PACKAGES", ("no-such-package",))
    monkeypatch.setattr(doctor, "CHECKS", {"packages": doctor.check_packages})
    check = next(doctor.run_checks())
    assert not check.is_good and "no-such-package" in check.detail


def test_a_wrong_configuration_is_found() -> None:
    user_file().parent.mkdir(parents=True)
    user_file().write_text("plyouts = 5\n")
    is_good, detail = doctor.check_configuration()
    assert not is_good and "did you mean playouts?" in detail


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="file"):
        doctor.check_writable(tmp_path / "file")


def test_an_engine_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "own_command", lambda: [sys.executable, "-c", "import sys; sys.exit(3)"])
    is_good, detail = doctor.check_handshake()
    assert not is_good and "sys.exit(3)" in detail


def test_a_slow_machine_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "SPEED_SECONDS", 0.05)
    monkeypatch.setattr(doctor, "SLOWEST", 10**9)
    is_good, detail = doctor.check_speed()
    assert not is_good and "machine busy" in detail


@pytest.mark.parametrize("line", CLIENT_LINES, ids=lambda line: line.client)
def test_every_clients_options_are_ours_and_documented(line: object, repository: Path) -> None:
    """What the doctor says stands in the documents too, word for word but for the path."""
    client = next(each for each in CLIENT_LINES if each is line)
    make_parser([client.subcommand]).parse_args([client.subcommand, *client.arguments])
    documentation = "".join((repository / "docs" / page).read_text(encoding="utf-8") for page in ("clients.md", "servers.md"))
    assert f"## {client.client}\n" in documentation
    assert client.text(["/path/to/gtp-engine"]) in documentation


def test_lines_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--lines"]) == 0
    assert "Python" not in capsys.readouterr().out.replace("Python client", "")


def test_a_network_of_katagos_is_timed_in_both_precisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = Twin(8, (Residual,)).save(tmp_path / "twin")
    monkeypatch.setattr(conversion, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(conversion, "observe", lambda content, header: observe(content, header, games=((5, 10),)))
    monkeypatch.setattr(choice, "SLICE", 0.001)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("GTP_ENGINE_NETWORK", str(path))
    is_good, detail = doctor.check_network()
    assert is_good and "twin.bin.gz" in detail
    assert "auto is twin.bin.gz, onnxruntime " in detail
    assert "twin.bin.gz, onnxruntime f32 " in detail and "twin.bin.gz, onnxruntime int8 " in detail
    assert list(choice.recall(path)), "what the doctor found is remembered"
