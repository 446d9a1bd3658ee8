"""Nothing leaves the machine, and no code from the current folder is run."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PATIENCE = 300.0  # seconds: kernels may have to be compiled
FOLDERS = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
OPEN_NETWORK = """
import time, {module}
from gtp_engine.network.loading import shipped_network
from gtp_engine.network.session import open_backend
open_backend(shipped_network(9)).new_question(9).ask()
time.sleep(2.0)
"""
RESOLVER = """
import os, select, socket, subprocess, sys
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 53))
child = subprocess.Popen(sys.argv[1:])
while child.poll() is None:
    if select.select([server], [], [], 0.1)[0]:
        print("asked for", server.recv(4096), flush=True)
"""


def fresh_home(folder: Path, repository: Path) -> dict[str, str]:
    """An environment whose user has nothing but an empty folder, and whose compiled code is kept where it always is."""
    from gtp_engine.jit import cache_folder

    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    environment |= dict.fromkeys(FOLDERS, str(folder))
    return environment | {"PYTHONPATH": str(repository), "NUMBA_CACHE_DIR": str(cache_folder())}


@pytest.mark.parametrize("module", ["gtp_engine.player.engine", "gtp_engine.tools.doctor", "gtp_engine.cli.main"])
def test_a_network_writes_nothing_into_the_home(module: str, tmp_path: Path, repository: Path) -> None:
    """onnxruntime 1.32 keeps a device id and a database there, unless our package has switched that off."""
    command = [sys.executable, "-P", "-c", OPEN_NETWORK.format(module=module)]
    subprocess.run(command, env=fresh_home(tmp_path, repository), check=True, timeout=PATIENCE)
    assert list(tmp_path.rglob("*")) == []


def test_a_move_asks_for_no_name(tmp_path: Path, repository: Path) -> None:
    """In a network of its own, with a resolver that notes each question; only where the system lets a user have one."""
    resolv = tmp_path / "resolv.conf"
    resolv.write_text("nameserver 127.0.0.1\n")
    home = tmp_path / "home"
    home.mkdir()
    program = [sys.executable, "-P", "-c", OPEN_NETWORK.format(module="gtp_engine.player.engine")]
    resolver = [sys.executable, "-c", RESOLVER]
    script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
    isolated = ["unshare", "--user", "--map-root-user", "--net", "--mount", "sh", "-c", script, str(resolv)]
    try:
        able = subprocess.run([*isolated, "ip", "link", "show", "lo"], capture_output=True, timeout=PATIENCE).returncode == 0
    except FileNotFoundError:
        able = False
    if not able:
        pytest.skip("this system gives a user no network namespace: the test of the home's files stands alone")
    asks = [sys.executable, "-c", "import socket\ntry: socket.gethostbyname('example.org')\nexcept OSError: pass"]
    control = subprocess.run(
        [*isolated, *resolver, *asks], capture_output=True, env=os.environ | {"RES_OPTIONS": "timeout:1 attempts:1"}, timeout=PATIENCE
    )
    assert b"example" in control.stdout, "the resolver hears a name that is asked for"
    process = subprocess.run([*isolated, *resolver, *program], capture_output=True, env=fresh_home(home, repository), timeout=PATIENCE)
    assert (process.stdout, process.stderr, process.returncode) == (b"", b"", 0)


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
    assert places == ["client_lines.py"]
