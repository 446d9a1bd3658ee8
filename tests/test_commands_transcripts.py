"""Transcripts in tests/gtp, in the form that gogui-regress reads too.

A command with an id is checked against the `#? [regular expression]` line behind it; a command without one must succeed.
"""

import re
from pathlib import Path

import pytest
from conftest import Client

FOLDER = Path(__file__).resolve().parent / "gtp"
EXPECTATION = re.compile(r"#\? \[(.*)\]")
CHECKED = re.compile(r"[0-9]+ ")


def read_transcript(text: str) -> list[tuple[str, str | None]]:
    """(command, pattern of its answer or None) for each command. ValueError for a checked command without a pattern, and the reverse."""
    commands: list[tuple[str, str | None]] = []
    open_id = False
    for line in text.splitlines():
        expectation = EXPECTATION.fullmatch(line)
        if expectation:
            if not open_id:
                raise ValueError(f"an answer without its command: {line}")
            commands[-1] = (commands[-1][0], expectation[1])
            open_id = False
        elif line.strip() and not line.startswith("#"):
            if open_id:
                raise ValueError(f"no answer before {line}")
            commands.append((line, None))
            open_id = CHECKED.match(line) is not None
    if open_id:
        raise ValueError("no answer at the end")
    return commands


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.tst")), ids=lambda path: path.stem)
def test_transcript(path: Path, gtp: Client) -> None:
    commands = read_transcript(path.read_text())
    assert any(pattern is not None for _, pattern in commands)
    for line, pattern in commands:
        response = gtp.ask(line)
        assert response.startswith("="), f"{line} -> {response}"
        if pattern is not None:
            answer = response.partition(" ")[2].strip()
            assert re.fullmatch(pattern, answer), f"{line} -> {answer!r}, not {pattern!r}"


@pytest.mark.parametrize("text", ["10 name\n", "10 name\n11 version\n#? [1]\n", "name\n#? [x]\n"])
def test_a_transcript_that_checks_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="answer"):
        read_transcript(text)
