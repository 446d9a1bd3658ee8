"""Sessions over real pipes: order, interrupts, the end of the input, readers that go away; and the engine loaded behind them."""

import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, cast

import pytest
from conftest import Client

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.engine.player import EngineError
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.interfaces.gtp.dispatcher import Dispatcher
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader
from gtp_engine.interfaces.gtp.session import Callbacks, Session, do_nothing

PATIENCE = 10.0  # seconds until a test that waits for another thread gives up


class Conversation:
    """A session over two pipes in a thread of its own, with commands that wait for what the test does."""

    def __init__(
        self,
        interrupt: Callable[[], None] = do_nothing,
        answered: Callable[[], None] = do_nothing,
        first_pause: Callable[[], None] = do_nothing,
        pause_after: float = 0.0,
    ) -> None:
        callbacks = Callbacks(interrupt, answered, first_pause=first_pause, pause_after=pause_after)
        source, self.to_session = os.pipe()
        from_session, sink = os.pipe()
        self.replies: BinaryIO = os.fdopen(from_session, "rb")
        self.sink: BinaryIO = os.fdopen(sink, "wb")
        self.dispatcher = Dispatcher(board_size=lambda: 9)
        self.dispatcher.add(self)
        self.session = Session(os.fdopen(source, "rb"), self.sink, self.dispatcher.answer, callbacks)
        self.waiting, self.released = threading.Event(), threading.Event()
        self.broken = False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        """The session; its output is closed when it ends, as at the end of a process."""
        try:
            self.session.run()
            self.sink.close()
        except BrokenPipeError:
            self.broken = True

    def cmd_echo(self, *words: str) -> str:
        """WORDS as they came."""
        return " ".join(words)

    def cmd_quit(self) -> None:
        """End."""

    def cmd_wait(self) -> str:
        """Answer when the test says so."""
        self.waiting.set()
        return "released" if self.released.wait(PATIENCE) else "nothing came"

    def cmd_analyze(self) -> Iterator[str]:
        """Send lines until a line arrives, as live analysis does."""
        yield "begun"
        deadline = time.monotonic() + PATIENCE
        while not self.session.inbox.line_is_waiting():
            if time.monotonic() > deadline:
                raise TimeoutError("no line arrived")
            time.sleep(0.001)

    def write(self, text: str | bytes) -> None:
        """Send `text` in one piece."""
        os.write(self.to_session, text.encode() if isinstance(text, str) else text)

    def close_input(self) -> None:
        """End the session's input."""
        os.close(self.to_session)

    def read_response(self) -> str:
        """The next response with its blank line."""
        lines: list[bytes] = []
        while lines[-1:] != [b"\n"]:
            line = self.replies.readline()
            assert line, f"the session ended after {lines}"
            lines.append(line)
        return b"".join(lines).decode()

    def read_rest(self) -> str:
        """Everything until the session ends."""
        rest = self.replies.read().decode()
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        return rest


def test_pipelined_commands_are_answered_in_order() -> None:
    """Pitfall 1: every response is flushed at once; the input stays open here."""
    conversation = Conversation()
    conversation.write("1 echo a\n2 echo b\r\n\n3 echo c\n")
    assert [conversation.read_response() for _ in range(3)] == ["=1 a\n\n", "=2 b\n\n", "=3 c\n\n"]


def test_quit_is_answered_and_ends_the_session_with_the_input_open() -> None:
    """Pitfall 12: the answer comes before the end; what follows quit is not answered."""
    conversation = Conversation()
    conversation.write("1 quit\n2 echo never\n")
    assert conversation.read_rest() == "=1 \n\n"


def test_end_of_input_ends_the_session_after_the_last_answer() -> None:
    """Pitfall 12: commands that were sent before the end are all answered, the last one even without a line end."""
    conversation = Conversation()
    conversation.write("wait\necho a\necho b")
    conversation.close_input()
    assert conversation.waiting.wait(PATIENCE)
    conversation.released.set()
    assert conversation.read_rest() == "= released\n\n= a\n\n= b\n\n"


def test_an_abandoned_session_stops_what_runs_and_begins_nothing_that_waits() -> None:
    """What stopped the first command must not be forgotten with its answer: the next one may be about to begin."""
    told: list[str] = []
    conversation = Conversation(lambda: told.append("interrupt"), answered=lambda: told.append("answered"))
    conversation.write("wait\necho never\n")
    assert conversation.waiting.wait(PATIENCE)
    conversation.session.abandon()
    conversation.released.set()
    assert conversation.read_rest() == "= released\n\n"
    assert told == ["interrupt"]


def test_a_reader_that_goes_away_ends_the_session() -> None:
    """Pitfall 12: a closed output is BrokenPipeError, which the command line ends quietly on."""
    conversation = Conversation()
    conversation.replies.close()
    conversation.write("echo a\n")
    conversation.thread.join(PATIENCE)
    assert conversation.broken


def test_interrupt_reaches_a_running_command() -> None:
    """`# interrupt` acts while the command runs, and is no command itself."""
    interrupted = threading.Event()
    conversation = Conversation(interrupt=interrupted.set)
    conversation.write("wait\n")
    assert conversation.waiting.wait(PATIENCE)
    conversation.write("# interrupt\n")
    assert interrupted.wait(PATIENCE)
    conversation.released.set()
    conversation.write("quit\n")
    assert conversation.read_rest() == "= released\n\n= \n\n"


def test_interrupt_of_nothing_is_a_comment() -> None:
    """`# interrupt` while nothing runs must not reach the next command."""
    interrupts: list[str] = []
    conversation = Conversation(interrupt=lambda: interrupts.append("interrupt"))
    conversation.write("echo a\n")
    assert conversation.read_response() == "= a\n\n"
    while conversation.session.lines_done < conversation.session.lines_read:
        time.sleep(0.001)
    conversation.write("# interrupt\necho b\nquit\n")
    assert conversation.read_rest() == "= b\n\n= \n\n"
    assert interrupts == []


@pytest.mark.parametrize("line", ["\n", "protocol_version\n", "# a comment\n", "\xe9\n"])
def test_any_line_stops_an_analysis(line: str) -> None:
    """Pitfall 3: any line, even an empty one; pitfalls 4 and 6: exactly one blank line, then only the answer to that line."""
    conversation = Conversation()
    conversation.write("5 analyze\n")
    assert conversation.replies.readline() == b"=5 begun\n"
    conversation.write(line)
    assert conversation.replies.readline() == b"\n"
    conversation.write("quit\n")
    rest = conversation.read_rest()
    assert rest.endswith("= \n\n")
    assert rest.count("\n\n") == (2 if line.strip() in ("protocol_version", "\xe9") else 1)


def test_an_analysis_sees_a_line_of_the_same_chunk() -> None:
    """Pitfall 2: `select` would miss the second line of a chunk, the reader thread does not."""
    conversation = Conversation()
    conversation.write("analyze\necho a\nquit\n")
    assert conversation.read_rest() == "= begun\n\n= a\n\n= \n\n"


def test_an_ordinary_command_is_not_stopped_by_input() -> None:
    """Pitfall 5: only a command that asks for waiting lines ends by them."""
    conversation = Conversation()
    conversation.write("wait\necho a\nquit\n")
    assert conversation.waiting.wait(PATIENCE)
    conversation.released.set()
    assert conversation.read_rest() == "= released\n\n= a\n\n= \n\n"


def test_the_end_of_the_input_stops_an_analysis() -> None:
    conversation = Conversation()
    conversation.write("analyze\n")
    assert conversation.replies.readline() == b"= begun\n"
    conversation.close_input()
    assert conversation.read_rest() == "\n"


def test_a_huge_line_and_wrong_bytes_pass() -> None:
    """Pitfall 9: no limit to a line's length; bytes that are no UTF-8 come back as `?`."""
    conversation = Conversation()
    words = "d4 " * 300_000
    threading.Thread(target=conversation.write, args=(f"1 echo {words}\n",), daemon=True).start()
    assert conversation.read_response() == f"=1 {words.strip()}\n\n"
    conversation.write(b"2 echo \xff\xfe\n")
    assert conversation.read_response() == "=2 ??\n\n"


def test_first_pause_comes_once_after_the_first_burst() -> None:
    """Pitfall 16: the queries that a GUI sends at once are all answered before anything heavy begins."""
    pauses: list[int] = []
    paused = threading.Event()

    def pause() -> None:
        pauses.append(conversation.session.lines_done)
        paused.set()

    conversation = Conversation(first_pause=pause, pause_after=0.5)
    conversation.write("echo a\necho b\necho c\n")
    assert paused.wait(PATIENCE)
    conversation.write("echo d\n")
    conversation.close_input()
    assert conversation.read_rest() == "= a\n\n= b\n\n= c\n\n= d\n\n"
    assert pauses == [3]


def test_nothing_heavy_begins_before_the_first_line() -> None:
    pauses: list[int] = []
    conversation = Conversation(first_pause=lambda: pauses.append(0))
    conversation.write("quit\n")
    assert conversation.read_rest() == "= \n\n"
    assert pauses == []


class SmallEngine:
    """Loads like the engine: built, then warmed up, both when the test says so."""

    def __init__(self) -> None:
        self.params = SearchParams()
        self.may_warm_up = threading.Event()

    def warm_up(self) -> None:
        """Wait for the test."""
        assert self.may_warm_up.wait(PATIENCE)


def test_the_engine_is_built_once_and_usable_before_it_is_warm() -> None:
    built: list[SmallEngine] = []

    def build() -> Any:
        built.append(SmallEngine())
        return built[-1]

    loader = EngineLoader(build)
    loader.interrupt()  # of nothing
    assert built == []
    loader.start()
    engine = cast(Any, loader.engine())
    assert built == [engine]
    assert not loader.is_warm.is_set()
    loader.interrupt()
    assert loader.cancelled.is_set()
    loader.answered()
    assert not loader.cancelled.is_set()
    engine.may_warm_up.set()
    assert cast(Any, loader.warm_engine()) is engine
    assert len(built) == 1


def test_an_engine_that_fails_to_warm_up_still_takes_positions(capsys: pytest.CaptureFixture[str]) -> None:
    class ColdEngine(SmallEngine):
        def warm_up(self) -> None:
            raise ValueError("no such network")

    loader = EngineLoader(cast(Any, ColdEngine))
    with pytest.raises(GtpError, match="could not be loaded: ValueError: no such network"):
        loader.warm_engine()
    assert isinstance(loader.engine(), ColdEngine)
    assert capsys.readouterr().err.count("Traceback") == 1


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (MemoryError(), "the system gives too little memory; see `ulimit -v`, or close other programs"),
        (EngineError("ranks need a human network"), "ranks need a human network"),
    ],
)
def test_what_the_user_can_mend_is_one_sentence(error: Exception, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    class FailingEngine(SmallEngine):
        def warm_up(self) -> None:
            raise error

    loader = EngineLoader(cast(Any, FailingEngine))
    with pytest.raises(GtpError, match=re.escape(f"could not be loaded: {sentence}")):
        loader.warm_engine()
    assert capsys.readouterr().err == f"gtp_engine: {sentence}\n"


def test_a_failing_load_is_answered_and_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Pitfall 14 holds for a broken installation, too."""

    def build() -> Any:
        raise ImportError("no numba here")

    loader = EngineLoader(build)
    for _ in range(2):
        with pytest.raises(GtpError, match="could not be loaded: ImportError: no numba here"):
            loader.engine()
    with pytest.raises(GtpError, match="no numba here"):
        loader.warm_engine()
    assert capsys.readouterr().err.count("Traceback") == 1


def test_a_dropped_engine_is_let_go_of(gtp: Client) -> None:
    """So that its memory can be given back; what ponders ends first."""
    gtp.ok("kata-set-param ponder true")
    gtp.ok("genmove black")
    gtp.loader.drop_engine()
    assert gtp.loader.loaded is None
    gtp.loader.drop_engine()  # nothing is left to let go of
