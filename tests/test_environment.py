"""The scripts of a checkout, and the environment that they set up."""

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import load_script

LONG = 120.0  # seconds; a machine under load is slow

# ---------------------------------------------------------------- the scripts, with an environment that stands for a finished one


@pytest.fixture
def checkout(tmp_path: Path, repository: Path) -> Path:
    """A copy of what the scripts need, in a folder with a space in its name, with an environment whose Python prints what it is asked."""
    root = (tmp_path / "a checkout").resolve()
    shutil.copytree(repository / "scripts", root / "scripts")
    shutil.copy(repository / "pyproject.toml", root)
    (root / "gtp_engine" / "base").mkdir(parents=True)
    for module in ("__init__.py", "base/__init__.py", "base/systems.py"):  # which the set-up imports
        shutil.copy(repository / "gtp_engine" / module, root / "gtp_engine" / module)
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
    assert "needs Python 3.11 or newer" in process.stderr and process.stderr.count("\n") == 1
    assert process.returncode == 1


def test_a_set_up_that_fails_says_why_and_leaves_no_stamp(checkout: Path) -> None:
    (checkout / "pyproject.toml").write_text("this is no TOML")
    for path in (checkout / ".venv").glob("stamp-*"):
        path.unlink()  # written last: without them the environment was never finished
    process = run_script(checkout / "scripts" / "gtp-engine", cwd=checkout)
    assert process.stdout == ""
    assert "could not be set up: pyproject.toml cannot be used" in process.stderr
    assert process.returncode == 1
    assert list((checkout / ".venv").glob("stamp-*")) == []


# ---------------------------------------------------------------- the set-up and its faults


@pytest.fixture
def fresh(checkout: Path) -> Path:
    """A checkout that nothing was set up in."""
    shutil.rmtree(checkout / ".venv")
    return checkout


@pytest.fixture
def silent_index() -> Iterator[str]:
    """The address of a package index that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/simple"


def without_packages() -> dict[str, str]:
    """An environment in which pip finds nothing, as without a network."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PIP_")} | {
        "PIP_NO_INDEX": "1",
        "PIP_CONFIG_FILE": os.devnull,
    }


def test_without_packages_one_sentence_says_so_and_the_next_start_begins_anew(fresh: Path) -> None:
    for _ in range(2):
        leftover = fresh / ".venv" / "leftover"  # of a set-up that was killed
        leftover.parent.mkdir(exist_ok=True)
        leftover.touch()
        process = subprocess.run([fresh / "scripts" / "gtp-engine"], capture_output=True, text=True, env=without_packages(), timeout=LONG)
        assert (process.stdout, process.returncode) == ("", 1)
        *progress, complaint = process.stderr.splitlines()
        assert [line.split()[1] for line in progress] == ["setting", "installing"]
        assert "pip failed: No matching distribution found for" in complaint and complaint.endswith("the next start tries again")
        assert list((fresh / ".venv").glob("stamp-*")) == [] and not leftover.exists()


def test_ctrl_c_in_the_middle_is_one_sentence(fresh: Path, silent_index: str) -> None:
    environment = without_packages() | {"PIP_INDEX_URL": silent_index}
    del environment["PIP_NO_INDEX"]
    process = subprocess.Popen(
        [fresh / "scripts" / "gtp-engine"], stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )
    assert process.stderr
    while "installing" not in process.stderr.readline():
        assert process.poll() is None
    time.sleep(1.0)  # both pips may begin
    os.killpg(process.pid, signal.SIGINT)
    assert process.stderr.read() == "gtp_engine: interrupted while the environment was set up; the next start does it\n"
    assert process.wait(LONG) in (130, -signal.SIGINT)
    assert list((fresh / ".venv").glob("stamp-*")) == []


def test_a_second_start_waits_for_the_first_and_says_so(checkout: Path) -> None:
    stamp = checkout / ".venv" / "stamp-run"
    finished = stamp.read_text()
    stamp.unlink()
    (checkout / ".venv" / "bin" / "python").write_text("#!/bin/sh\nexit 0\n")
    with open(checkout / ".venv.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        process = subprocess.Popen([checkout / "scripts" / "gtp-engine"], stderr=subprocess.PIPE, text=True)
        assert process.stderr
        assert process.stderr.readline() == "gtp_engine: another start sets up the environment: waiting for it\n"
        stamp.write_text(finished)
    assert process.stderr.read() == ""
    assert process.wait(LONG) == 0


def test_every_extra_is_made_of_packages(repository: Path) -> None:
    set_up = load_script(repository / "scripts" / "set_up_environment.py")
    run, test, dev = (set_up.requirements(extra) for extra in ("run", "test", "dev"))
    assert set(run) < set(test) < set(dev)
    assert not any(requirement.startswith("gtp-engine") for requirement in dev)
    first = set_up.chosen(run, set_up.FIRST + set_up.BESIDE)
    assert len(first) == len(set_up.FIRST + set_up.BESIDE), "what compiling needs is among the packages"


def test_pip_is_a_module_also_before_it_is_installed(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows pip refuses to install pip when a program named `pip` is what runs."""
    set_up = load_script(repository / "scripts" / "set_up_environment.py")
    monkeypatch.setattr(set_up, "PYTHON", sys.executable)
    for wheel in (None, set_up.bundled_pip()):
        pip = set_up.start_pip(["--help"], wheel)
        pip.communicate()
        assert (pip.args[1:3], pip.returncode) == (["-m", "pip"], 0)


def test_kernels_can_be_compiled_before_the_other_packages_are_there(repository: Path) -> None:
    """And where all is compiled already, nothing is said."""
    set_up = load_script(repository / "scripts" / "set_up_environment.py")
    names = [requirement.split(">")[0] for requirement in set_up.requirements("run")]
    others = set(names) - {*set_up.FIRST, *set_up.BESIDE}
    assert others >= {"rich"}
    hide = f"import sys; sys.modules.update(dict.fromkeys({sorted(others)}))"
    for _ in range(2):
        process = subprocess.run([sys.executable, "-c", f"{hide}; {set_up.COMPILE}"], cwd=repository, capture_output=True, text=True)
        assert process.returncode == 0, process.stderr
    assert process.stderr == ""
