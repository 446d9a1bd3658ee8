"""The whole process over pipes: how it starts, ends, is interrupted and fails."""

import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 10.0  # seconds until a test gives up on a process that needs no kernels


def start_process(repository: Path, *arguments: str, **options: Any) -> subprocess.Popen[bytes]:
    """`python -m gtp_engine` with pipes."""
    command = [sys.executable, "-m", "gtp_engine", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=repository, bufsize=0, **options)


def test_quit_ends_the_process_with_the_input_open(repository: Path) -> None:
    process = start_process(repository)
    assert process.stdin and process.stdout
    process.stdin.write(b"1 name\n2 quit\n")
    assert process.stdout.read() == b"=1 gtp_engine\n\n=2 \n\n"
    assert process.wait(PATIENCE) == 0


def test_end_of_input_is_quit(repository: Path) -> None:
    """Pitfall 12."""
    process = start_process(repository)
    output, errors = process.communicate(b"protocol_version", PATIENCE)
    assert (output, process.returncode) == (b"= 2\n\n", 0)
    assert b"Traceback" not in errors


def test_a_closed_output_ends_the_process_quietly(repository: Path) -> None:
    """Pitfall 12: no traceback, status 0."""
    process = start_process(repository)
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(b"name\n")
    process.stdout.readline()
    process.stdout.close()
    process.stdin.write(b"name\nname\nname\n")
    assert process.wait(PATIENCE) == 0
    assert b"Traceback" not in process.stderr.read()


def test_control_c_ends_the_process_quietly(repository: Path) -> None:
    process = start_process(repository)
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(b"name\n")
    process.stdout.readline()
    process.send_signal(2)
    assert process.wait(PATIENCE) == 130
    assert b"Traceback" not in process.stderr.read()


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_closed_stream_is_no_crash(closed: int, repository: Path) -> None:
    """Some parents close what they don't use: no input is the end of the input, no stderr is silence."""
    script = f'exec "$0" -m gtp_engine {closed}>&-'
    process = subprocess.run(["sh", "-c", script, sys.executable], input=b"name\n", capture_output=True, cwd=repository, timeout=PATIENCE)
    assert (process.stdout, process.returncode) == ((b"= gtp_engine\n\n", 0) if closed == 2 else (b"", 0))


def test_what_libraries_print_goes_to_stderr(repository: Path) -> None:
    """Pitfall 8: stdout is GTP's alone, also for C libraries."""
    code = (
        "import os, sys; from gtp_engine.cli.gtp import take_standard_output; sink = take_standard_output();"
        "print('from Python', flush=True); os.write(1, b'from C\\n'); sink.write(b'= \\n\\n'); sink.flush()"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=repository, timeout=PATIENCE)
    assert process.stdout == b"= \n\n"
    assert process.stderr == b"from Python\nfrom C\n"


def test_a_game_over_pipes(repository: Path) -> None:
    """Pitfall 7: a whole game leaves no more on stderr than a person would read, and no name that bridges parse."""
    moves = [f"{number} genmove {'bw'[number % 2]}" for number in range(40)]
    lines = ["boardsize 5", "clear_board", *moves, "final_score", "quit"]
    process = start_process(repository, "--playouts", "20", "--seed", "1", "--no-resign")
    output, errors = process.communicate("\n".join(lines).encode(), 120)
    responses = output.decode().split("\n\n")
    assert responses.pop() == ""
    assert len(responses) == len(lines)
    for number in range(40):
        assert re.fullmatch(rf"={number} ([A-E][1-5]|pass)", responses[number + 2])
    assert re.fullmatch(r"= ([BW]\+[0-9.]+|0)", responses[-2])
    assert len(errors.splitlines()) < 10
    assert b"KataGo" not in errors


def test_interrupt_ends_a_long_genmove(repository: Path) -> None:
    """GoGui's `# interrupt`: the best move now. Sent until it is answered, as it may come before the search has begun."""
    process = start_process(repository, "--seconds", "3600")
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(b"genmove b\n")
    answered = threading.Event()

    def interrupt() -> None:
        while not answered.wait(0.05):
            process.stdin.write(b"# interrupt\n")  # type: ignore[union-attr]  # checked above

    sender = threading.Thread(target=interrupt)
    sender.start()
    response = process.stdout.readline()
    answered.set()  # before anything is asserted: a failure must not leave the sender behind
    sender.join()
    process.communicate(b"quit\n", PATIENCE)
    assert re.fullmatch(rb"= [A-T][0-9]+\n", response)
    assert process.returncode == 0


def test_a_broken_installation_still_answers_the_handshake(repository: Path, tmp_path: Path) -> None:
    """Pitfall 14: an engine that can't be imported is told on stderr and in the answers of the commands that need it."""
    (tmp_path / "numba.py").write_text("raise ImportError('this numba is broken')")
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    process = start_process(repository, env=environment)
    output, errors = process.communicate(b"1 name\n2 play b d4\n3 genmove b\n4 version\n5 quit\n", PATIENCE)
    responses = output.decode().split("\n\n")
    assert responses[0] == "=1 gtp_engine"
    assert responses[1].startswith("?2 the engine could not be loaded: ImportError: this numba is broken")
    assert responses[2].startswith("?3 the engine could not be loaded")
    assert responses[3].startswith("=4 ")
    assert errors.count(b"Traceback") == 1
    assert process.returncode == 0


def test_nobody_at_either_pipe_ends_a_long_thought(repository: Path) -> None:
    """A client that was killed: the engine thinks, or compiles, for nobody."""
    process = start_process(repository, "--seconds", "300", "--evaluator", "playouts", "--size", "9")
    assert process.stdin and process.stdout
    process.stdin.write(b"name\ngenmove b\n")
    process.stdout.readline()
    process.stdin.close()
    process.stdout.close()
    assert process.wait(PATIENCE) == 0
