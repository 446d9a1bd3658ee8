"""Standard streams and files that fail: what is said then, and that stderr never changes what stands on stdout."""

import os
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gtp_engine.base.files import read_file, write_file, write_whole

PATIENCE = 120.0  # seconds: a machine that others use, too
CONVERSATION = b"boardsize 5\ngenmove b\nboardsize 25\nno_such_command\nloadsgf /no/such/file\ngenmove w\nquit\n"
OURS = [sys.executable, "-P", "-m", "gtp_engine"]


def run(
    words: list[str], repository: Path, redirection: str = "", data: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Our program with these words, its streams redirected by a shell."""
    script = f'exec "$@" {redirection}'
    command = ["sh", "-c", script, "sh", *OURS, *words]
    values = {**os.environ, "PYTHONPATH": str(repository), **environment}
    return subprocess.run(command, input=data, capture_output=True, timeout=PATIENCE, env=values)


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-"])
@pytest.mark.parametrize("option", ["--chat-variation", "--live-graphics"])
def test_stderr_never_matters(redirection: str, option: str, repository: Path) -> None:
    words = ["--playouts", "20", "--seed", "1", "--threads", "1", "--evaluator", "playouts", option]
    plain = run(words, repository, "", CONVERSATION)
    broken = run(words, repository, redirection, CONVERSATION)
    assert plain.stdout.count(b"\n\n") == 7
    assert (broken.stdout, broken.returncode) == (plain.stdout, 0)


def test_a_reader_of_stderr_that_sleeps_stops_no_answer(repository: Path) -> None:
    """A pipe takes 64 kB; each of these refusals writes a traceback or a warning, and nobody reads."""
    code = (
        "from gtp_engine.cli.streams import prepare_streams; import sys; prepare_streams()\n"
        "for number in range(3000): print('x' * 99, file=sys.stderr)\n"
        "print('done')"
    )
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(repository)},
    ) as process:
        assert process.stdout
        assert select.select([process.stdout], [], [], PATIENCE)[0], "it waits for its reader"
        assert process.stdout.read() == b"done\n"
        process.wait(PATIENCE)


def test_a_byte_order_mark_before_the_first_command(repository: Path) -> None:
    process = run([], repository, "", b"\xef\xbb\xbfname\n\xef\xbb\xbf1 name\nquit\n")
    assert process.stdout.startswith(b"= gtp_engine\n\n? unknown command"), "only the first line may have one"


def test_a_byte_order_mark_before_a_query_or_a_table(tmp_path: Path, repository: Path) -> None:
    path = tmp_path / "file.toml"
    path.write_bytes(b"\xef\xbb\xbfseed = 37\n")
    assert b"37" in run(["config", "show", "--config", str(path)], repository).stdout
    assert b"unknown key 'seeds'" in refused_tournament(path, b"\xef\xbb\xbfseeds = 1\n", repository)
    assert b'"version"' in run(["analysis"], repository, "", b'\xef\xbb\xbf{"id":"a","action":"query_version"}\n').stdout


def refused_tournament(path: Path, content: bytes, repository: Path) -> bytes:
    """What `match` says to a tournament file."""
    path.write_bytes(content)
    return run(["match", str(path), "--output", str(path.with_suffix(".out"))], repository).stderr


@pytest.mark.parametrize(
    "words", [["version"], ["config", "show"], ["config", "path"], ["doctor", "--lines"], ["picture"], ["gtp", "--help"]]
)
def test_a_full_standard_output_is_one_sentence(words: list[str], repository: Path) -> None:
    process = run(words, repository, ">/dev/full")
    assert process.returncode == 2
    assert b"No space left on device" in process.stderr
    assert b"Traceback" not in process.stderr and b"Exception" not in process.stderr


def test_a_log_on_a_full_disk_is_one_sentence(repository: Path) -> None:
    process = run(["--log", "/dev/full"], repository, "", b"name\nversion\nquit\n")
    assert process.stdout.startswith(b"= gtp_engine\n\n") and process.returncode == 0
    assert process.stderr.count(b"\n") == 1 and b"cannot write the log /dev/full" in process.stderr


@pytest.mark.parametrize("words", [["picture", "--search", "mcts", "--game", "go", "--rounds", "1000000"], ["doctor"]])
def test_control_c_is_no_traceback(words: list[str], repository: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(repository)}
    with subprocess.Popen([*OURS, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        time.sleep(2.0)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
    assert b"Traceback" not in errors
    assert process.returncode == 130


def test_a_terminal_that_knows_only_ascii(repository: Path) -> None:
    words = ["play", "--playouts", "10", "--size", "5", "--evaluator", "playouts"]
    process = run(words, repository, "", b"board\nquit\n", PYTHONIOENCODING="ascii")
    assert process.returncode == 0, process.stderr
    assert b" 5 . . . . . 5" in process.stdout
    assert b"?" not in process.stdout.split(b" 5 ")[1]


def test_files_deeply_nested_or_without_end(tmp_path: Path, repository: Path) -> None:
    deep = tmp_path / "deep.toml"
    deep.write_text("a = " + "[" * 5000 + "]" * 5000)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for words, said in (
        (["config", "show", "--config", str(deep)], b"nested too deeply"),
        (["match", str(deep), "--output", str(tmp_path / "out")], b"nested too deeply"),
        (["config", "show", "--config", "/dev/zero"], b"not an ordinary file"),
        (["config", "show", "--config", str(pipe)], b"not an ordinary file"),
        (["regress", "/dev/zero"], b"not an ordinary file"),
    ):
        process = run(words, repository)
        assert said in process.stderr, words
        assert process.returncode == 2 and b"Traceback" not in process.stderr
    process = run(["--network", "/dev/zero", "--evaluator", "network"], repository, "", b"boardsize 5\ngenmove b\nquit\n")
    assert b"/dev/zero: it is not an ordinary file" in process.stdout + process.stderr
    assert process.returncode == 0


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_file(path, 5) == b"12345"
    with pytest.raises(OSError, match="larger than"):
        read_file(path, 4)


def test_a_write_that_fails_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(TypeError):
        write_file(path, "no bytes")  # type: ignore[arg-type]
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("file", b"old")]
    (tmp_path / "link").symlink_to(path)
    write_file(tmp_path / "link", b"new")
    assert path.read_bytes() == b"new" and (tmp_path / "link").is_symlink()
    with pytest.raises(OSError, match="No space left"):
        write_file(Path("/dev/full"), b"new")


def test_one_waits_for_another_that_writes_the_same_file(tmp_path: Path) -> None:
    """Or else the second would cut off what the first has written so far, and half a file would be put in its place."""
    path, begun, other_has_written = tmp_path / "file", threading.Event(), threading.Event()
    found: list[bytes] = []

    def write_slowly(partial: Path) -> None:
        with partial.open("wb", buffering=0) as file:
            file.write(b"first ")
            begun.set()
            other_has_written.wait(0.3)  # in vain
            file.write(b"half and second half")
        found.append(partial.read_bytes())

    slow = threading.Thread(target=write_whole, args=(path, write_slowly))
    slow.start()
    begun.wait()
    write_file(path, b"other")
    other_has_written.set()
    slow.join()
    assert found == [b"first half and second half"]
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("file", b"other")]


HOLD = """
import sys, time
from pathlib import Path
from gtp_engine.base.files import write_whole
def write(partial):
    partial.write_bytes(b"half of it and more")
    print(partial.name, flush=True)
    time.sleep(600)
write_whole(Path(sys.argv[1]), write)
"""


def test_nobody_waits_for_a_process_that_was_killed(tmp_path: Path, repository: Path) -> None:
    """What it has left is overwritten."""
    path, values = tmp_path / "file", {**os.environ, "PYTHONPATH": str(repository)}
    with subprocess.Popen([sys.executable, "-P", "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True, env=values) as process:
        assert process.stdout is not None
        left = process.stdout.readline().strip()
        process.kill()
    assert (tmp_path / left).exists()
    write_file(path, b"new")
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("file", b"new")]


@pytest.mark.parametrize("error", ["MemoryError", 'RuntimeError("can\'t start new thread")'])
def test_memory_that_is_not_there_is_one_sentence(error: str, repository: Path) -> None:
    program = f"import sys\nimport gtp_engine.cli.main as m\ndef run(words): raise {error}\nm.run = run\nsys.exit(m.main())"
    values = {**os.environ, "PYTHONPATH": str(repository)}
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, env=values)
    assert found.returncode == 2 and found.stdout == ""
    assert found.stderr.startswith("gtp-engine: the system gives no more memory") and found.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["picture"], ["solve", "board.txt"], ["play", "--game", "tictactoe", "--color", "none"]])
def test_a_reader_that_has_gone_ends_every_subcommand_alike(words: list[str], tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(". . . # O\n# # # # O\nO O O O O\nO . O . O\nO O O O O\n")
    read, write = os.pipe()
    os.close(read)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parent.parent)}
    command = [sys.executable, "-m", "gtp_engine", *words]
    process = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=write, stderr=subprocess.PIPE, cwd=tmp_path, env=environment)
    os.close(write)
    assert (process.returncode, b"Traceback" in process.stderr, b"Error" in process.stderr) == (1, False, False)
