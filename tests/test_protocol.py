"""Lines become commands and replies become text, as GTP 2 and its clients want them."""

from collections.abc import Iterator

import pytest
from conftest import response_to
from hypothesis import given
from hypothesis import strategies as st

from gtp_engine.base.gtp_protocol import Command, GtpError, failure, parse, success
from gtp_engine.interfaces.gtp.dispatcher import Dispatcher, named


class SampleCommands:
    """A few commands that need no engine."""

    def cmd_greet(self, name: str, times: int = 1) -> str:
        """Greet NAME."""
        return "\n".join([f"hello {name}"] * times)

    def cmd_ping(self) -> None:
        """Answer nothing."""

    def cmd_refuse(self) -> None:
        """Refuse."""
        raise GtpError("no such thing")

    def cmd_fail(self) -> None:
        """Fail in a way that nobody thought of."""
        raise RuntimeError("first line\nsecond line")

    @named("count-up")
    def cmd_count_up(self, last: int) -> Iterator[str]:
        """Send the numbers up to LAST as they come; not 0, and not past 3."""
        if last == 0:
            raise GtpError("nothing to count")
        for number in range(1, last + 1):
            if number > 3:
                raise RuntimeError("too far")
            yield str(number)


@pytest.fixture
def dispatcher() -> Dispatcher:
    sample = Dispatcher(board_size=lambda: 9)
    sample.add(SampleCommands())
    return sample


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("name", Command(None, "name", ())),
        ("name\n", Command(None, "name", ())),
        ("name\r\n", Command(None, "name", ())),
        ("  12   play\tb  d4 ", Command(12, "play", ("b", "d4"))),
        ("protocol_version # x", Command(None, "protocol_version", ())),
        ("protocol_version# x", Command(None, "protocol_version", ())),
        ("proto\x01col_\x7fversion", Command(None, "protocol_version", ())),
        ("0 name", Command(0, "name", ())),
        ("2147483647 name", Command(2**31 - 1, "name", ())),
        ("2147483648 name", Command(None, "2147483648", ("name",))),
        ("-1 name", Command(None, "-1", ("name",))),
        ("7", Command(7, "", ())),
        ("Name", Command(None, "Name", ())),
        ("loadsgf d\xe9j\xe0.sgf", Command(None, "loadsgf", ("d\xe9j\xe0.sgf",))),
    ],
)
def test_parse(line: str, command: Command) -> None:
    """Pitfall 9: CR, tabs, comments and control characters are part of ordinary input."""
    assert parse(line) == command


@pytest.mark.parametrize("line", ["", "\n", "   ", "\t\r\n", "# a comment", "   # a comment", "\x01\x02"])
def test_blank_lines_and_comments_want_no_response(line: str, dispatcher: Dispatcher) -> None:
    """Probe 2.1, whitespace-only line: silence."""
    assert parse(line) is None
    assert response_to(dispatcher, line) == ""


@pytest.mark.parametrize(
    ("line", "response"),
    [
        ("greet go", "= hello go\n\n"),
        ("17 greet go", "=17 hello go\n\n"),
        ("0 ping", "=0 \n\n"),
        ("ping", "= \n\n"),
        ("ping and some words", "= \n\n"),
        ("greet go 3", "= hello go\nhello go\nhello go\n\n"),
        ("refuse", "? no such thing\n\n"),
        ("5 refuse", "?5 no such thing\n\n"),
        ("nothing", "? unknown command\n\n"),
        ("PING", "? unknown command\n\n"),
        ("__init__", "? unknown command\n\n"),
        ("greet", "? syntax error\n\n"),
        ("greet go x", "? syntax error\n\n"),
        ("greet go 1 more", "? syntax error\n\n"),
        ("7", "?7 unknown command\n\n"),
        ("12345678901234567890 ping", "? unknown command\n\n"),
    ],
)
def test_the_response_to_a_line(line: str, response: str, dispatcher: Dispatcher) -> None:
    """Probe 2.1: an id alone is answered under that id, a command in upper case is another command; both framed by one blank line."""
    assert response_to(dispatcher, line) == response


def test_an_unexpected_exception_is_one_line_and_leaves_a_traceback(dispatcher: Dispatcher, capsys: pytest.CaptureFixture[str]) -> None:
    """Pitfall 14: whatever happens becomes `? ...` and the process lives."""
    assert response_to(dispatcher, "3 fail") == "?3 internal error: RuntimeError: first line second line\n\n"
    assert response_to(dispatcher, "ping") == "= \n\n"
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" in captured.err
    assert "second line" in captured.err


def test_lines_are_sent_as_they_come(dispatcher: Dispatcher) -> None:
    """Pitfall 4: a streamed response ends with exactly one blank line."""
    assert list(dispatcher.answer(Command(4, "count-up", ("2",)))) == ["=4 1\n", "2\n", "\n"]


def test_a_stream_that_fails_keeps_the_framing(dispatcher: Dispatcher, capsys: pytest.CaptureFixture[str]) -> None:
    """Before its first line a stream can still be an error; afterwards it can only end."""
    assert response_to(dispatcher, "count-up 0") == "? nothing to count\n\n"
    assert response_to(dispatcher, "count-up 9") == "= 1\n2\n3\n\n"
    assert "too far" in capsys.readouterr().err
    assert response_to(dispatcher, "count-up -1") == "= \n\n"


@pytest.mark.parametrize(
    ("text", "response"),
    [
        ("", "= \n\n"),
        ("D4", "= D4\n\n"),
        ("\nA B\n1 .", "= \nA B\n1 .\n\n"),
        ("one\n\n\ntwo\n", "= one\ntwo\n\n"),
        ("a\tb\x07\r", "= a b\n\n"),
    ],
)
def test_success_never_holds_an_empty_line(text: str, response: str) -> None:
    """Pitfall 13: an empty line inside a response would end it."""
    assert success(None, text) == response


@given(st.text(), st.one_of(st.none(), st.integers(0, 2**31 - 1)))
def test_any_text_is_framed(text: str, command_id: int | None) -> None:
    for response in (success(command_id, text), failure(command_id, text)):
        assert response.endswith("\n\n")
        assert "\n\n" not in response[:-1]
        assert not {*map(chr, range(32)), "\x7f"} - {"\n"} & set(response)


@given(st.text())
def test_any_line_is_answered_at_most_once(line: str) -> None:
    sample = Dispatcher(board_size=lambda: 9)
    sample.add(SampleCommands())
    response = response_to(sample, line)
    assert response.count("\n\n") == (0 if parse(line) is None else 1)
    assert response[:1] in ("", "=", "?")


def test_two_methods_for_one_command_are_refused(dispatcher: Dispatcher) -> None:
    with pytest.raises(ValueError, match="two methods"):
        dispatcher.add(SampleCommands())
