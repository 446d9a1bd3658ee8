"""The text of SGF files cut up: games, nodes of the main line, properties, each with its place. Values stay as they are written.

Nothing is refused here: text.py says what is damaged, reader.py what a record means. Takes time linear in the length of the text.
"""

import re
from dataclasses import dataclass, field

VALUE = re.compile(r"\[(?P<value>[^\]\\]*+(?:\\.?+[^\]\\]*+)*+)(?:\]|\Z)", re.DOTALL)  # an unclosed one reaches to the end
TOKEN = re.compile(VALUE.pattern + r"|(?P<name>[A-Za-z]++)|(?P<mark>[;()])", re.DOTALL)
START = re.compile(r"\(\s*(?=;|[A-Za-z]{1,20}\s*\[)", re.ASCII)  # the first `;` is sometimes missing
COLOR_NAMES = ("B", "W")


@dataclass
class SgfProperty:
    """A property of a node. Some records name one twice in a node: that is one property with all the values."""

    name: str  # empty for letters that are no name, and for values without one
    end: int  # behind its last value
    values: list[str] = field(default_factory=list)  # as written
    spans: list[tuple[int, int]] = field(default_factory=list)  # of each time it is named: where that begins and ends in the text


@dataclass
class SgfNode:
    """A node of the main line. The text of a node without a `;` begins at its first property."""

    start: int  # of its `;`
    end: int  # behind its last property
    properties: dict[str, SgfProperty]
    begins_tree: bool  # is it the first node of a game tree, so that it stands in parentheses of its own?

    @property
    def color_name(self) -> str:
        """`B` or `W` when there is a move in it, else empty."""
        return next((name for name in COLOR_NAMES if name in self.properties), "")


@dataclass
class MainLine:
    """The main line of a game: all nodes up to the first `)`, and where the game trees that it runs through are closed."""

    nodes: list[SgfNode]
    closings: list[int]  # of each of these game trees, outermost first: the place of its `)`
    trees: list[int]  # of each node: which of these game trees holds it


def split_games(text: str) -> list[str]:
    """The text of each game in a file, in order. What follows the last whole game is a game too if it begins like one."""
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
    """Cut up one game, which begins with its `(`. What is cut off or stands in a wrong place is taken as well as it can be."""
    nodes: list[SgfNode] = []
    trees: list[int] = []
    closings: list[int] = []
    open_trees: list[int] = []  # of every `(` still open: its number among the main line's trees, or -1
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
    """Take one more token of the main line in; gives back the property that values belong to."""
    if token["mark"] == ";":
        nodes.append(SgfNode(token.start(), token.end(), {}, begins_tree))
        return None
    name = "".join(letter for letter in token["name"] or "" if letter.isupper())
    if not nodes or begins_tree or (name in COLOR_NAMES and nodes[-1].color_name):
        nodes.append(SgfNode(token.start(), token.end(), {}, begins_tree))  # a `;` was forgotten
    if token["name"] is not None or latest is None:
        latest = nodes[-1].properties.setdefault(name, SgfProperty(name, token.end()))
        latest.spans.append(token.span())
    if token["value"] is not None:
        latest.values.append(token["value"])
        latest.spans[-1] = latest.spans[-1][0], token.end()
        latest.end = nodes[-1].end = token.end()
    return latest
