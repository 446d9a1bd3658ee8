"""Splits SGF text into games, nodes of the main line, and properties, with their places. Values stay as written.

Nothing is refused here: text.py detects damage, reader.py interprets a record. Takes time linear in the length of the text.
"""

import re
from dataclasses import dataclass, field

VALUE = re.compile(r"\[(?P<value>[^\]\\]*+(?:\\.?+[^\]\\]*+)*+)(?:\]|\Z)", re.DOTALL)  # an unclosed one extends to the end
TOKEN = re.compile(VALUE.pattern + r"|(?P<name>[A-Za-z]++)|(?P<mark>[;()])", re.DOTALL)
START = re.compile(r"\(\s*(?=;|[A-Za-z]{1,20}\s*\[)", re.ASCII)  # the first `;` is sometimes missing
COLOR_NAMES = ("B", "W")


@dataclass
class SgfProperty:
    """A property of a node. A repeated property in a node is one property with all values."""

    name: str  # empty for invalid names and for values without a name
    end: int  # after its last value
    values: list[str] = field(default_factory=list)  # as written
    spans: list[tuple[int, int]] = field(default_factory=list)  # start and end in the text of each occurrence


@dataclass
class SgfNode:
    """A node of the main line. The text of a node without a `;` begins at its first property."""

    start: int  # of its `;`
    end: int  # after its last property
    properties: dict[str, SgfProperty]
    begins_tree: bool  # True: the first node of a game tree, which has its own parentheses

    @property
    def color_name(self) -> str:
        """`B` or `W` if it has a move, otherwise empty."""
        return next((name for name in COLOR_NAMES if name in self.properties), "")


@dataclass
class MainLine:
    """The main line of a game: all nodes up to the first `)`, and the ends of the game trees on it."""

    nodes: list[SgfNode]
    closings: list[int]  # the place of the `)` of each of these game trees, outermost first
    trees: list[int]  # for each node, the index of its game tree


def split_games(text: str) -> list[str]:
    """The text of each game in a file, in order. Text after the last complete game is also a game if it begins like one."""
    games: list[str] = []
    place = 0
    while start := START.search(text, place):
        depth, end = 0, len(text)
        for token in TOKEN.finditer(text, start.start()):
            depth += {"(": 1, ")": -1}.get(token["mark"] or "", 0)
            if depth == 0 and token["mark"]:
                end = token.end()
                break
        games.append(text[start.start() : end])
        place = end
    return games


def main_line(text: str) -> MainLine:
    """Split one game, which begins with its `(`. Truncated or misplaced parts are used as far as possible."""
    nodes: list[SgfNode] = []
    trees: list[int] = []
    closings: list[int] = []
    open_trees: list[int] = []  # for every open `(`, its index among the main line's trees, or -1
    is_main, begins_tree = True, False
    latest: SgfProperty | None = None
    for token in TOKEN.finditer(text):
        mark = token["mark"]
        if mark == "(":
            open_trees.append(len(closings) if is_main else -1)
            if is_main:
                closings.append(0)
            begins_tree, latest = True, None
        elif mark == ")":
            tree = open_trees.pop()
            is_main = False
            if tree >= 0:
                closings[tree] = token.start()
            if not open_trees:
                break
        elif is_main:
            latest = add_token(nodes, token, latest, begins_tree)
            begins_tree = False
            trees += [open_trees[-1]] * (len(nodes) - len(trees))
    return MainLine(nodes, closings, trees)


def add_token(nodes: list[SgfNode], token: re.Match[str], latest: SgfProperty | None, begins_tree: bool) -> SgfProperty | None:
    """Add a token of the main line; returns the property that following values belong to."""
    if token["mark"] == ";":
        nodes.append(SgfNode(token.start(), token.end(), {}, begins_tree))
        return None
    name = "".join(letter for letter in token["name"] or "" if letter.isupper())
    if not nodes or begins_tree or (name in COLOR_NAMES and nodes[-1].color_name):
        nodes.append(SgfNode(token.start(), token.end(), {}, begins_tree))  # a missing `;`
    if token["name"] is not None or latest is None:
        latest = nodes[-1].properties.setdefault(name, SgfProperty(name, token.end()))
        latest.spans.append(token.span())
    if token["value"] is not None:
        latest.values.append(token["value"])
        latest.spans[-1] = latest.spans[-1][0], token.end()
        latest.end = nodes[-1].end = token.end()
    return latest
