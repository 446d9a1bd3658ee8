"""GTP 2 framing: a line becomes a Command, a reply becomes text. Knows no Go and imports nothing of ours.

Input is cleaned as section 3.1 of the GTP 2 draft says: control characters vanish, tabs are spaces, `#` starts a comment.
"""

import re
from dataclasses import dataclass, field

PROTOCOL_VERSION = 2
MAX_ID = 2**31 - 1

# For characters that must not reach a command or a client: HT becomes a space, other control characters are removed.
CLEANED = {**dict.fromkeys((*range(32), 127)), ord("\t"): " "}
CLEANED_LINES = {code: replacement for code, replacement in CLEANED.items() if code != ord("\n")}


# Output of engines that would affect a terminal or break a line: escape sequences, controls except tab and line feed, separators.
ESCAPE_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]?|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?)?")
INVISIBLE = {code: None for code in (*range(32), *range(127, 160), 0x2028, 0x2029) if chr(code) not in "\t\n"}


class GtpError(Exception):
    """A command that can't be answered; str() is the text after the `?`."""


@dataclass(frozen=True)
class Command:
    """One command line, in words. `name` is empty for a line with only an id."""

    id: int | None
    name: str
    arguments: tuple[str, ...]
    rest: str = field(default="", compare=False)  # the arguments as written, with their spaces


def parse(line: str) -> Command | None:
    """The command in `line` (with or without its line end); None for blank lines and comments, which get no response.

    A first word of digits up to 2**31 - 1 is the id; any other first word is the command's name.
    """
    text = line.translate(CLEANED).split("#", 1)[0].strip(" ")
    if not text:
        return None
    first, _, rest = text.partition(" ")
    command_id = parse_id(first)
    if command_id is not None:
        first, _, rest = rest.lstrip(" ").partition(" ")
    rest = rest.lstrip(" ")
    return Command(command_id, first, tuple(word for word in rest.split(" ") if word), rest)


def parse_id(word: str) -> int | None:
    """The id in `word`, or None if it isn't one."""
    if word.isascii() and word.isdigit() and len(word) <= 10 and int(word) <= MAX_ID:
        return int(word)
    return None


def success(command_id: int | None, text: str = "") -> str:
    """The whole response `= text`, including the closing blank line. There is always a space before the text, which GoGui needs."""
    return head("=", command_id) + reply_text(text) + "\n\n"


def failure(command_id: int | None, text: str) -> str:
    """The whole response `? text`, including the closing blank line."""
    return head("?", command_id) + reply_text(text) + "\n\n"


def head(sign: str, command_id: int | None) -> str:
    """The start of a response: the sign, directly followed by the id if there is one, and a space."""
    return f"{sign}{'' if command_id is None else command_id} "


def harmless(text: str) -> str:
    """Another program's text, without characters that affect a terminal or look like line ends; tabs and line feeds stay."""
    return ESCAPE_SEQUENCE.sub("", text).translate(INVISIBLE)


def reply_text(text: str) -> str:
    """`text` without characters that break the framing: controls, trailing line ends, and empty lines, which would end the response.

    The first line may be empty, because it follows the `= `.
    """
    first, *rest = text.translate(CLEANED_LINES).split("\n")
    return "\n".join([first, *(line for line in rest if line)])
