"""From the bytes of an SGF file to the nodes of its main line: damage and limits.

The main line of a record is all that stands before the first `)` outside a property value, because the first variation is the main
one at every fork. So only that part is cut up; the rest is checked for its parentheses and for stray text.
Everything here takes time linear in the size of the file, whatever its bytes are.
"""

import re

from gtp_engine.sgf.charsets import decode
from gtp_engine.sgf.nodes import START, VALUE, MainLine, main_line

Properties = dict[str, list[str]]  # of a node: name -> values as written, with their escapes

MAX_BYTES = 4_000_000  # a record with a whole analysis in its comments has about 1 MB
MAX_OUTSIDE = 200_000  # bytes of the main line outside values; a long game has about 5,000
MAX_NODES = 10_000  # in the main line; the longest games have some hundred moves
MAX_DEPTH = 1_000  # of nested variations

VALUE_OR_CLOSE = re.compile(VALUE.pattern + r"|\)", re.DOTALL)
PARENTHESIS = re.compile(r"[()]")
STRAY = re.compile(r"[^A-Za-z\s;()]", re.ASCII)  # what may not stand outside a value


class SgfError(Exception):
    """A file that cannot be read as a game record; str() is one sentence for the user."""


class SgfMoveError(SgfError):
    """A move that cannot be played: what stands before move `number` is a game all the same."""

    def __init__(self, reason: str, number: int) -> None:
        super().__init__(reason)
        self.number = number


def read_nodes(data: bytes | str, warnings: list[str]) -> list[Properties]:
    """The nodes of the main line of the first game in `data`, a file or its text, at least one, empty ones left out.

    Appends a sentence to `warnings` for whatever had to be guessed. Raises SgfError for a file that is no record, is cut off or
    damaged, or is larger than any record. Doesn't look at the meaning of properties, CA excepted.
    """
    if len(data) > MAX_BYTES:
        raise SgfError(f"the file is larger than {MAX_BYTES // 1_000_000} MB")
    text = data if isinstance(data, str) else decode(data, warnings)
    start = START.search(text)
    if start is None:
        raise SgfError(
            "there is no game record in the file: a record begins with (;" if text.strip() else "the file is empty: save the game again"
        )
    record = text[start.start() :]
    structure = VALUE.sub(lambda value: "v" + "\n" * value[0].count("\n"), record)  # lines keep their numbers
    first_line = text.count("\n", 0, start.start()) + 1
    end = _end_of_game(structure, first_line)
    _refuse_stray_text(structure[:end], first_line)
    if START.search(structure, end) is not None:
        warnings.append("the file holds more than one game: only the first is read; to read another, give it a file of its own")
    if "(" in structure[structure.index(")") : end]:
        warnings.append("the record has variations: only its main line is read")
    outside = structure[: structure.index(")")]
    if len(outside) > MAX_OUTSIDE or outside.count(";") > MAX_NODES:
        raise SgfError("the main line is longer than any game")
    end = next(match.start() for match in VALUE_OR_CLOSE.finditer(record) if match[0] == ")")
    return _properties(main_line(record[:end]), record)


def _end_of_game(structure: str, first_line: int) -> int:
    """The end of the first game, after its last `)`."""
    depth = 0
    for match in PARENTHESIS.finditer(structure):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return match.end()
        if depth > MAX_DEPTH:
            raise SgfError(f"variations are nested deeper than {MAX_DEPTH}")
    line = first_line + structure.rstrip().count("\n")
    raise SgfError(f"the record is cut off in line {line}: its last parenthesis is missing; get the file again, or put a ) at its end")


def _refuse_stray_text(structure: str, first_line: int) -> None:
    """Raise SgfError for anything but property names, `;` and parentheses outside values."""
    stray = STRAY.search(structure)
    if stray is None:
        return
    line = first_line + structure.count("\n", 0, stray.start())
    node = structure.count(";", 0, stray.start())
    problem = "an unescaped ]: put a \\ before it" if stray[0] == "]" else f"stray text ({stray[0]!a}): take it out"
    raise SgfError(f"in line {line}, node {node} of the record, there is {problem}")


def _properties(main_line: MainLine, text: str) -> list[Properties]:
    """The properties of each node that has any, by name. Raises SgfError where names or values are missing."""
    number = 0  # of the `;` before the node
    for node in main_line.nodes:
        number += number == 0 or text[node.start] == ";"
        for name, item in node.properties.items():
            if item.values and not name:
                raise SgfError(
                    f"there is a value without a property name in node {number} of the record: names are capital letters before the ["
                )
            if not item.values and name:
                raise SgfError(f"the property {name[:10]} has no value in node {number} of the record: add [] behind it, or take it out")
            if not item.values:
                raise SgfError(f"there is stray text in node {number} of the record: take it out")
    nodes = [{name: item.values for name, item in node.properties.items()} for node in main_line.nodes if node.properties]
    return nodes or [{}]
