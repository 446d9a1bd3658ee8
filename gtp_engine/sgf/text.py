"""From the bytes of an SGF file to the nodes of its main line: encodings, damage and limits.

The main line of a record is all that stands before the first `)` outside a property value, because the first variation is the main
one at every fork. So only that part is cut up; the rest is checked for its parentheses and for stray text.
Everything here takes time linear in the size of the file, whatever its bytes are.
"""

import codecs
import re
from collections.abc import Iterator

from gtp_engine.sgf.nodes import START, VALUE, MainLine, main_line

Properties = dict[str, list[str]]  # of a node: name -> values as written, with their escapes

MAX_BYTES = 4_000_000  # a record with a whole analysis in its comments has about 1 MB
MAX_OUTSIDE = 200_000  # bytes of the main line outside values; a long game has about 5,000
MAX_NODES = 10_000  # in the main line; the longest games have some hundred moves
MAX_DEPTH = 1_000  # of nested variations
HEADER_BYTES = 4_000  # where the property CA is looked for

VALUE_OR_CLOSE = re.compile(VALUE.pattern + r"|\)", re.DOTALL)
PARENTHESIS = re.compile(r"[()]")
STRAY = re.compile(r"[^A-Za-z\s;()]", re.ASCII)  # what may not stand outside a value
CHARSET = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_.:-]{1,40})\s*\]")
EASTERN_BYTES = re.compile(rb"[\x80-\xff]{2}|[\x81\x83]")  # the two begin katakana, whose second byte may be a letter
HALF_WIDTH_KATAKANA = re.compile("[\uff61-\uff9f]")

BYTE_ORDER_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
# Python's names of the charsets that CA may name: text of ordinary size only, so nothing like zip or punycode.
WESTERN = {"ascii", "utf-8", "iso8859-1", "iso8859-2", "iso8859-15", "cp1250", "cp1251", "cp1252", "koi8-r"}
CHINESE = {"gb2312", "gbk", "gb18030", "hz", "big5", "big5hkscs", "cp950"}
JAPANESE_AND_KOREAN = {"shift_jis", "cp932", "euc_jp", "iso2022_jp", "euc_kr", "cp949"}
KNOWN_CHARSETS = WESTERN | CHINESE | JAPANESE_AND_KOREAN


class SgfError(Exception):
    """A file that cannot be read as a game record; str() is one sentence for the user."""


class SgfMoveError(SgfError):
    """A move that cannot be played: what stands before move `number` is a game all the same."""

    def __init__(self, reason: str, number: int) -> None:
        super().__init__(reason)
        self.number = number


def read_nodes(data: bytes, warnings: list[str]) -> list[Properties]:
    """The nodes of the main line of the first game in `data`, at least one, empty ones left out.

    Appends a sentence to `warnings` for whatever had to be guessed. Raises SgfError for a file that is no record, is cut off or
    damaged, or is larger than any record. Doesn't look at the meaning of properties, CA excepted.
    """
    if len(data) > MAX_BYTES:
        raise SgfError(f"the file is larger than {MAX_BYTES // 1_000_000} MB")
    text = decode(data, warnings)
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


def decode(data: bytes, warnings: list[str]) -> str:
    """The text of a file: by its byte order mark, by CA, as UTF-8, as Chinese or Japanese, at last as Latin-1, which always fits."""
    for mark, charset in BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            return data.decode(charset, "replace")
    named = _named_charset(data, warnings)
    if named:
        try:
            return data.decode(named)
        except UnicodeDecodeError:
            warnings.append(f"the file is not written in {named}, the charset that it names")
    return next(text for text in _guesses(data) if text is not None)


def _named_charset(data: bytes, warnings: list[str]) -> str:
    """Python's name of the charset in CA; empty when there is none or we don't know it."""
    match = CHARSET.search(data[:HEADER_BYTES])
    if match is None:
        return ""
    name = match[1].decode("ascii")
    try:
        charset = codecs.lookup(name).name
    except LookupError:
        charset = ""
    if charset not in KNOWN_CHARSETS:
        warnings.append(f"unknown charset {name}: it is guessed; if a name looks wrong, save the record in UTF-8")
        return ""
    return "cp932" if charset == "shift_jis" else charset  # Microsoft's Shift-JIS is a superset, and what programs write


def _guesses(data: bytes) -> Iterator[str | None]:
    """The text in each charset that is likely without CA, None where it doesn't fit; the last one always fits.

    Western text has single bytes above 127 between letters; Chinese and Japanese text has runs of them. Japanese has bytes that
    GB2312 excludes, and Chinese read as Japanese is full of half-width katakana, which nobody uses in names.
    """
    yield _try(data, "utf-8")
    if EASTERN_BYTES.search(data):
        yield _try(data, "gb2312")
        japanese = _try(data, "cp932")
        yield None if japanese is None or HALF_WIDTH_KATAKANA.search(japanese) else japanese
        yield _try(data, "gb18030")
    yield data.decode("latin-1")


def _try(data: bytes, charset: str) -> str | None:
    try:
        return data.decode(charset)
    except UnicodeDecodeError:
        return None


def _end_of_game(structure: str, first_line: int) -> int:
    """Where the first game ends, behind its last `)`."""
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
    what = "an unescaped ]: put a \\ before it" if stray[0] == "]" else f"stray text ({stray[0]!a}): take it out"
    raise SgfError(f"in line {line}, node {node} of the record, there is {what}")


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
