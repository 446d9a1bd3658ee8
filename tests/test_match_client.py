"""The client of an engine, on what it reads: from pipes that are scripted, and from engines of one line of shell."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

import pytest

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.tools.match import client as client_module
from gtp_engine.tools.match.client import CannotStart, Died, EngineClient, Nonsense, TimedOut, _answer, _status_text, _StderrDrain
from gtp_engine.tools.match.pipes import PipeReader

PATIENCE = 20.0


@pytest.mark.parametrize(
    ("response", "text"),
    [(["= C3"], "C3"), (["=12 C3"], "C3"), (["="], ""), (["=7"], ""), (["= a", "b", " c "], "a\nb\n c"), (["=12"], ""), (["=1 2"], "2")],
)
def test_an_answer_is_read_without_its_id(response: list[str], text: str) -> None:
    assert _answer(response) == text


@pytest.mark.parametrize(
    ("response", "text"), [(["? no"], "no"), (["?12 no"], "no"), (["?"], "an error without a text"), (["? a", "b"], "a\nb")]
)
def test_a_refusal_is_an_error(response: list[str], text: str) -> None:
    with pytest.raises(GtpError) as error:
        _answer(response)
    assert str(error.value) == text


@pytest.mark.parametrize(
    ("status", "text"),
    [(3, "exit status 3"), (128, "exit status 128"), (129, "signal SIGHUP"), (137, "signal SIGKILL"), (250, "exit status 250")],
)
def test_how_an_engine_ended_is_told(status: int, text: str) -> None:
    assert _status_text(status) == text


class Pipe:
    """Gives these pieces in turn, the end after them once it is told to."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces, self.ended = list(pieces), threading.Event()

    def wait(self, seconds: float | None) -> bool:
        """See PipeReader. Who waits for ever waits for the end."""
        if seconds is None:
            self.ended.wait(PATIENCE)
        return bool(self.pieces) or self.ended.is_set()

    def read(self) -> bytes:
        """See PipeReader."""
        return self.pieces.pop(0) if self.pieces else b""


def drain_of(monkeypatch: pytest.MonkeyPatch, *pieces: bytes) -> tuple[_StderrDrain, Pipe]:
    """What keeps the last ten bytes of stderr, four of which come at once."""
    monkeypatch.setattr(client_module, "MAX_STDERR", 10)
    monkeypatch.setattr(client_module, "READ", 4)
    pipe = Pipe(*pieces)
    return _StderrDrain(cast(PipeReader, pipe)), pipe


def test_what_came_on_stderr_is_taken_once_and_its_end_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    drain, pipe = drain_of(monkeypatch, b"abcd", b"ef")
    assert drain.take() == "abcdef"
    assert drain.take() == ""
    assert drain.last_text() == "abcdef"
    pipe.pieces += [b"ghij", b"kl"]
    assert drain.take() == "ghijkl"
    assert drain.last_text() == "cdefghijkl"
    pipe.ended.set()
    drain.finish()
    assert not drain.thread.is_alive()


def test_what_nobody_takes_is_kept_to_its_end_when_the_engine_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    drain, pipe = drain_of(monkeypatch, b"0123", b"4567", b"89ab", b"cdef", b"gh")
    pipe.ended.set()
    drain.finish()
    assert not drain.thread.is_alive()
    assert (drain.fresh_size, list(drain.fresh)) == (10, [b"89ab", b"cdef", b"gh"][-3:])
    assert drain.last_text() == "89abcdefgh"
    assert drain.take() == "89abcdefgh"
    assert drain.fresh_size == 0


def test_who_takes_from_a_flood_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """After as much as is kept."""
    drain, pipe = drain_of(monkeypatch, *[b"wxyz"] * 50)
    assert drain.take() == "yzwxyzwxyz"
    assert len(pipe.pieces) == 50 - 3
    pipe.ended.set()
    drain.finish()


# ---------------------------------------------------------------- engines of one line

Shell = Callable[[str], EngineClient]


@pytest.fixture
def shell() -> Iterator[Shell]:
    """Engines that run this line of shell; ended after the test."""
    with started() as make:
        yield make


@contextmanager
def started() -> Iterator[Shell]:
    """See `shell`."""
    clients: list[EngineClient] = []

    def make(line: str) -> EngineClient:
        clients.append(EngineClient(["sh", "-c", line]))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


ECHO = "while read line; do printf '= %s\\n\\n' \"$line\"; done"


def test_each_command_gets_its_answer(shell: Shell) -> None:
    client = shell(ECHO)
    assert [client.ask(line, PATIENCE) for line in ("one", "two")] == ["one", "two"]
    assert client.starts == 1
    client.restart()
    assert client.ask("three", PATIENCE) == "three"
    assert client.starts == 2


def test_lines_outside_of_an_answer_are_skipped(shell: Shell) -> None:
    assert shell("read line; printf 'hello\\n\\n= yes\\nand no\\n\\n'; read line").ask("name", PATIENCE) == "yes\nand no"


def test_what_came_before_the_command_answers_nothing(shell: Shell) -> None:
    client = shell("printf '= early\\n\\n'; echo ready >&2; read line; printf '= late\\n\\n'; read line")
    client.start()
    while not client.take_stderr():
        time.sleep(0.01)
    assert client.ask("name", PATIENCE) == "late"


def test_an_engine_that_says_something_else_is_told_with_it(shell: Shell) -> None:
    with pytest.raises(TimedOut) as error:
        shell("read line; echo 'Usage: engine'; read line").ask("name", 1.0)
    assert str(error.value) == "did not answer in 1 s, but wrote 'Usage: engine', which is no response"


def test_an_engine_that_says_nothing(shell: Shell) -> None:
    with pytest.raises(TimedOut, match=r"^did not answer in 0\.5 s$"):
        shell("read line; read line").ask("name", 0.5)


def test_how_an_engine_died_is_told_with_its_last_words(shell: Shell) -> None:
    client = shell("read line; echo first >&2; echo 'no such network' >&2; exit 3")
    with pytest.raises(Died) as error:
        client.ask("name", PATIENCE)
    assert str(error.value) == "died with exit status 3: no such network"
    assert client.last_stderr() == "first\nno such network"
    assert client.last_stderr(1) == "no such network"


def test_a_program_that_is_not_there_cannot_be_started() -> None:
    with EngineClient(["/nowhere/at/all"]) as client, pytest.raises(CannotStart):
        client.ask("name", PATIENCE)


@pytest.mark.parametrize(("length", "is_too_long"), [(96, False), (97, True)])
def test_an_answer_is_only_so_long(length: int, is_too_long: bool, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """`= `, the text, and an empty line, each with its end."""
    monkeypatch.setattr(client_module, "MAX_RESPONSE", 100)
    client = shell(f"read line; printf '= %0{length}d\\n\\n' 7; read line")
    monkeypatch.setattr(client, "_skip_stray_output", lambda: None)
    if is_too_long:
        with pytest.raises(Nonsense, match="in answer to 'name'"):
            client.ask("name", PATIENCE)
    else:
        assert int(client.ask("name", PATIENCE)) == 7
