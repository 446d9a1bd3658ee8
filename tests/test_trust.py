"""Nothing leaves the machine, and no code from the current folder is run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from isolated import run_isolated

PATIENCE = 300.0  # seconds: kernels may have to be compiled
FOLDERS = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
OPEN_NETWORK = """
import time, {module}
from gtp_engine.engine.network.loading import RANKS, load_network
from gtp_engine.engine.search.params import SearchParams
load_network(RANKS, SearchParams(threads=1)).backend.new_batch(9).run()
time.sleep(2.0)
"""


def fresh_home(folder: Path, repository: Path) -> dict[str, str]:
    """An environment whose user has nothing but an empty folder, and whose compiled code is kept where it always is."""
    from gtp_engine.compiled.jit import cache_folder

    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    environment |= dict.fromkeys(FOLDERS, str(folder))
    return environment | {"PYTHONPATH": str(repository), "NUMBA_CACHE_DIR": str(cache_folder())}


@pytest.mark.parametrize("module", ["gtp_engine.engine.player.engine", "gtp_engine.tools.setup.doctor", "gtp_engine.cli.main"])
def test_a_network_writes_nothing_into_the_home(module: str, tmp_path: Path, repository: Path) -> None:
    """onnxruntime 1.32 keeps a device id and a database there, unless our package has switched that off."""
    command = [sys.executable, "-P", "-c", OPEN_NETWORK.format(module=module)]
    subprocess.run(command, env=fresh_home(tmp_path, repository), check=True, timeout=PATIENCE)
    assert list(tmp_path.rglob("*")) == []


def test_a_move_asks_for_no_name(tmp_path: Path, repository: Path) -> None:
    """onnxruntime asks some seconds after it was imported."""
    program = [sys.executable, "-P", "-c", OPEN_NETWORK.format(module="gtp_engine.engine.player.engine")]
    outcome = run_isolated(program, tmp_path, repository)
    assert (outcome.status, outcome.network, outcome.strays, outcome.home) == (0, [], [], set())


def test_openvino_does_not_find_what_tells_its_maker(tmp_path: Path, repository: Path) -> None:
    """It asks for its maker's server as soon as it is imported, unless the package for that is missing."""
    package = tmp_path / "openvino_telemetry"
    package.mkdir()
    (package / "__init__.py").write_text("print('imported')")
    program = "import {0}\ntry: import openvino_telemetry\nexcept ImportError: print('hidden')"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(repository)])}
    for module, said in (("gtp_engine", "hidden\n"), ("os", "imported\n")):
        command = [sys.executable, "-P", "-c", program.format(module)]
        process = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
        assert process.stdout == said, process.stderr


@pytest.mark.parametrize(
    "words", [["regress", "suite.tst", "--timeout", "60"], ["tune", "exploration", "0.1", "0.2", "--games", "0", "--playouts", "1"]]
)
def test_no_code_out_of_the_current_folder_is_run(words: list[str], tmp_path: Path, repository: Path) -> None:
    """Everything that starts ourselves uses -P."""
    trap = tmp_path / "gtp_engine.py"
    trap.write_text("open('trapped', 'w')\nraise SystemExit(1)\n")
    (tmp_path / "suite.tst").write_text("1 name\n#? [gtp_engine]\n")
    output = [] if words[0] == "regress" else ["--output", str(tmp_path / "out")]
    command = [sys.executable, "-P", "-m", "gtp_engine", *words, *output]
    subprocess.run(command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(repository)}, capture_output=True, timeout=PATIENCE)
    assert not (tmp_path / "trapped").exists()


def test_nobody_starts_python_without_p(repository: Path) -> None:
    """In the whole package: one place says how we start ourselves."""
    places = [path.name for path in (repository / "gtp_engine").rglob("*.py") if '"-m", "gtp_engine"' in path.read_text(encoding="utf-8")]
    assert places == ["own_command.py"]
