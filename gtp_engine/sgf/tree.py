"""Whole trees of game records, including variations: nodes with their properties as written.

reader.py interprets a record (board, rules, komi, handicap); this module is for variations, comments and marks.
"""

from dataclasses import dataclass, field

from gtp_engine import __version__
from gtp_engine.sgf.charsets import decode
from gtp_engine.sgf.library import sgf
from gtp_engine.sgf.nodes import TOKEN, split_games
from gtp_engine.sgf.text import MAX_BYTES, SgfError
from gtp_engine.sgf.values import APPLICATION, escaped

MAX_TREE_NODES = 20_000


@dataclass
class SgfTree:
    """A node and what follows it, the main line first."""

    properties: dict[str, list[str]] = field(default_factory=dict)  # name -> values as written, with their escapes
    children: list["SgfTree"] = field(default_factory=list)


def parse_tree(data: bytes) -> SgfTree:
    """The root of the first game in `data`. Takes what is cut off or stands in a wrong place as well as it can be taken.

    Raises SgfError where there is no game, and for more than MAX_BYTES or MAX_TREE_NODES.
    """
    games = split_games(decode(data, [])) if len(data) <= MAX_BYTES else []
    if not games:
        raise SgfError("there is no game record in the file")
    root = SgfTree()
    node, waiting, values, count = root, [root], [""], 0
    is_first = True
    for token in TOKEN.finditer(games[0]):
        if token["mark"] == "(":
            waiting.append(node)
        elif token["mark"] == ")":
            node = waiting.pop() if waiting else root
        elif token["mark"] == ";":
            if not is_first:
                node.children.append(SgfTree())
                node, count = node.children[-1], count + 1
            is_first, values = False, [""]
        elif token["name"] is not None:
            name = "".join(letter for letter in token["name"] if letter.isupper())
            values = node.properties.setdefault(name, [])
        else:
            values.append(token["value"])
        if count > MAX_TREE_NODES:
            raise SgfError(f"the record has more than {MAX_TREE_NODES} positions")
    return root


def dump_tree(root: SgfTree, size: int) -> str:
    """The tree as SGF text: FF[4] in UTF-8. The board's size and the program are named here, all else by the root's properties."""
    record = sgf.Sgf_game(size, "UTF-8")
    record.get_root().set("AP", (APPLICATION, __version__))
    waiting = [(root, record.get_root())]
    while waiting:
        node, written = waiting.pop()
        for name, values in node.properties.items():
            written.set_raw_list(name, [value.encode("utf-8", "replace") for value in values])
        waiting += [(child, written.new_child()) for child in node.children]
    text: str = record.serialise().decode("utf-8")
    return text


def text_value(text: str) -> str:
    """Text of several lines as it stands in a value; control characters vanish."""
    lines = ("".join(character if character.isprintable() else " " for character in line).rstrip() for line in text.splitlines())
    return escaped("\n".join(lines))
