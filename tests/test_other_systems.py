"""Every subcommand without what only POSIX has, which on Windows is all that there is; and what Windows does differently."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest
from test_isolation import CASES, OURS, lay_out

from gtp_engine.base.files import delete_unless_held
from gtp_engine.base.systems import join_command, kill_with_all_below, lock_at_once, split_command, unlock, wait_for_lock
from gtp_engine.compiled.jit import cache_folder
from gtp_engine.tools.match.launch import launch_alone
from gtp_engine.tools.match.pipes import PipeReader, PolledReader, ThreadReader
from gtp_engine.tools.setup.client_lines import CLIENT_LINES

PATIENCE = 600.0  # seconds; kernels may have to be compiled
WITHOUT_POSIX = Path(__file__).resolve().parent / "posixless"
PLACES = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "LOCALAPPDATA", "APPDATA")


def run_without_posix(words: list[str], folder: Path, repository: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """A program in `folder`/work, with an empty home, where no process has what only POSIX has."""
    environment = os.environ | dict.fromkeys(PLACES, str(folder / "home")) | {"NUMBA_CACHE_DIR": str(cache_folder())}
    environment["PYTHONPATH"] = os.pathsep.join(map(str, (WITHOUT_POSIX, repository)))
    return subprocess.run(words, input=text, capture_output=True, text=True, cwd=folder / "work", env=environment, timeout=PATIENCE)


# ---------------------------------------------------------------- every subcommand


@pytest.mark.slow
@pytest.mark.parametrize(("words", "text", "outputs"), [case[:3] for case in CASES], ids=[" ".join(case[0][:2]) for case in CASES])
def test_every_subcommand_runs_without_posix(words: list[str], text: str, outputs: set[str], tmp_path: Path, repository: Path) -> None:
    given = lay_out(tmp_path / "work", repository)
    done = run_without_posix([*OURS, *words], tmp_path, repository, text)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert {path.name for path in (tmp_path / "work").iterdir()} == given | outputs


def test_where_there_are_no_locks_nobody_waits(tmp_path: Path, repository: Path) -> None:
    program = "from gtp_engine.compiled.jit import compiling_alone\nwith compiling_alone(lambda: print('waits')): print('alone')"
    (tmp_path / "work").mkdir()
    assert run_without_posix([sys.executable, "-P", "-c", program], tmp_path, repository).stdout == "alone\n"


@pytest.mark.skipif(os.name == "nt", reason="it is so")
@pytest.mark.parametrize("use", ["import fcntl", "import os; os.fork", "import select; select.poll", "import pwd"])
def test_what_is_not_there_is_noticed(use: str, tmp_path: Path, repository: Path) -> None:
    """The tests above can fail."""
    (tmp_path / "work").mkdir()
    assert run_without_posix([sys.executable, "-c", use], tmp_path, repository).returncode == 1


# ---------------------------------------------------------------- pipes and processes


def pipe_with(content: bytes, kind: type[PolledReader] | type[ThreadReader]) -> tuple[PipeReader, int]:
    """A reader of a pipe in which `content` is, and the writing end."""
    reader, writer = os.pipe()
    os.write(writer, content)
    return kind(reader), writer


@pytest.mark.parametrize("kind", [ThreadReader, *([] if os.name == "nt" else [PolledReader])])
def test_a_pipe_tells_what_is_there_and_its_end(kind: type[PolledReader] | type[ThreadReader]) -> None:
    pipe, writer = pipe_with(b"abc", kind)
    assert pipe.wait(PATIENCE) and pipe.read() == b"abc"
    began = time.monotonic()
    assert not pipe.wait(0.05) and time.monotonic() - began >= 0.04
    os.write(writer, b"d")
    assert pipe.wait(None) and pipe.read() == b"d"
    os.close(writer)
    assert pipe.wait(PATIENCE) and pipe.read() == b"" and pipe.read() == b""


def test_a_thread_does_not_read_without_end() -> None:
    """Whoever floods us waits in the end, and nothing is lost."""
    pipe, writer = pipe_with(b"", ThreadReader)
    flood = subprocess.Popen([sys.executable, "-c", "import os\nfor _ in range(40): os.write(1, bytes(100_000))"], stdout=writer)
    os.close(writer)
    time.sleep(0.2)
    assert flood.poll() is None, "it waits"
    received = 0
    while data := pipe.read():
        received += len(data)
    assert received == 4_000_000 and flood.wait(PATIENCE) == 0


def test_a_process_is_ended_with_all_that_it_has_started() -> None:
    program = "import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', 'input()']); print(child.pid, flush=True); input()"
    launched = launch_alone([sys.executable, "-c", program], None)
    assert launched.process.stdout
    child = int(launched.process.stdout.readline())
    launched.end()
    assert launched.process.wait(PATIENCE) != 0
    deadline = time.monotonic() + PATIENCE
    while psutil.pid_exists(child) and psutil.Process(child).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    kill_with_all_below(launched.process.pid)  # which has ended: nothing to do
    for stream in (launched.process.stdin, launched.process.stdout, launched.process.stderr):
        assert stream
        stream.close()


# ---------------------------------------------------------------- standard input


def test_only_who_has_taken_standard_input_reads_it() -> None:
    """A library that looks at descriptor 0 must not meet the thread that reads: Windows would let it wait for the next line."""
    looks = "import os; from gtp_engine.base.systems import take_standard_input; source = take_standard_input()"
    program = f"{looks}; print(os.read(0, 9), source.readline())"
    done = subprocess.run([sys.executable, "-c", program], input=b"line\n", capture_output=True)
    assert done.stdout.split() == [b"b''", b"b'line\\n'"], done.stderr


def test_an_engine_loads_while_its_client_is_silent() -> None:
    """On Windows numba was not loaded before the next line came, and the client waited for an answer before it sent one."""
    with subprocess.Popen([*OURS, "gtp", "--playouts", "2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as engine:
        assert engine.stdin and engine.stdout
        watch = threading.Timer(PATIENCE, engine.kill)
        watch.start()
        engine.stdin.write(b"boardsize 9\n")
        assert engine.stdout.readline() == b"= \n"
        watch.cancel()
        engine.stdin.close()


def test_a_helper_ends_with_its_standard_input() -> None:
    begins = "import time; from gtp_engine.base.systems import end_with_standard_input; end_with_standard_input()"
    program = f"{begins}; print(1, flush=True); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as helper:
        assert helper.stdin and helper.stdout
        assert helper.stdout.readline() and helper.poll() is None
        helper.stdin.close()
        assert helper.wait(PATIENCE) == 1


# ---------------------------------------------------------------- locks


def test_a_file_is_locked_until_it_is_unlocked_or_closed(tmp_path: Path) -> None:
    first, second = (os.open(tmp_path / "lock", os.O_RDWR | os.O_CREAT) for _ in range(2))
    assert lock_at_once(first)
    assert not lock_at_once(second)
    unlock(first)
    assert lock_at_once(second)
    os.close(second)
    wait_for_lock(first)
    os.close(first)


def test_a_folder_is_held_by_several_until_the_last_has_ended(tmp_path: Path, repository: Path) -> None:
    """The second and the third are killed. Those of Windows lock different bytes of the same file."""
    program = (
        "import sys; from pathlib import Path; from gtp_engine.base.files import hold_folder; hold_folder(Path(sys.argv[1]), 'in-use')"
    )
    command = [sys.executable, "-P", "-c", f"{program}; print(1, flush=True); input()", str(tmp_path / "folder")]
    environment = os.environ | {"PYTHONPATH": str(repository)}
    holders = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) for _ in range(3)]
    for holder in holders:
        assert holder.stdout and holder.stdin
        assert holder.stdout.readline()
    holders[0].communicate(b"\n")
    (tmp_path / "folder" / "code").touch()
    for holder in holders[1:]:
        delete_unless_held(tmp_path / "folder", "in-use")
        assert (tmp_path / "folder" / "code").exists()
        holder.kill()
        holder.communicate()
    delete_unless_held(tmp_path / "folder", "in-use")
    assert not (tmp_path / "folder").exists()


# ---------------------------------------------------------------- command lines


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (r"C:\Go\gtp-engine.exe gtp --level 5", [r"C:\Go\gtp-engine.exe", "gtp", "--level", "5"]),
        (r'"C:\Program Files\Go\engine.exe" --x "a b"', [r"C:\Program Files\Go\engine.exe", "--x", "a b"]),
        ("engine", ["engine"]),
    ],
)
def test_command_lines_of_windows(text: str, words: list[str]) -> None:
    assert split_command(text, is_windows=True) == words
    assert split_command(join_command(words, is_windows=True), is_windows=True) == words


def test_every_client_has_a_line_on_windows() -> None:
    """Sabaki's starts a program, not a batch file: Node refuses these."""
    command = [r"C:\My Go\.venv\Scripts\python.exe", "-P", "-m", "gtp_engine"]
    lines = {line.client: line.text(command, is_windows=True) for line in CLIENT_LINES}
    assert lines["Sabaki"] == r"C:\My Go\.venv\Scripts\python.exe   arguments: -P -m gtp_engine gtp"
    assert lines["GoGui"] == r'"C:\My Go\.venv\Scripts\python.exe" -P -m gtp_engine gtp'
    assert lines["KaTrain"].endswith("analysis")
    assert lines["kgsGtp"] == r"engine=C:\\My Go\\.venv\\Scripts\\python.exe -P -m gtp_engine gtp"
