"""The text of SGF files as places to write into: games, nodes of the main line, moves. Values are left exactly as they stand.

The reader in gtp_engine.sgf decides what a record means and what is wrong with it; here it is only cut up, so everything that is not
understood stays in place.
"""

import re
from dataclasses import dataclass

TOKEN = re.compile(r"\[(?P<value>[^\]\\]*(?:\\.[^\]\\]*)*)(?:\]|\Z)|(?P<name>[A-Za-z]+)|(?P<mark>[;()])", re.DOTALL)
START = re.compile(r"\(\s*(?=;|[A-Za-z]{1,20}\s*\[)")  # the first `;` is sometimes missing
COLOR_NAMES = ("B", "W")


@dataclass
class Property:
    """A property of a node: where its name begins and its last value ends in the text, and its values as written."""

    name: str
    start: int
    end: int
    values: list[str]


@dataclass
class RecordNode:
    """A node of the main line. The text of a node without a `;` begins at its first property."""

    start: int  # of its `;`
    end: int  # behind its last property
    properties: dict[str, Property]
    begins_tree: bool  # is it the first node of a game tree, so that it stands in parentheses of its own?

    @property
    def color_name(self) -> str:
        """`B` or `W` when there is a move in it, else empty."""
        return next((name for name in COLOR_NAMES if name in self.properties), "")


@dataclass
class MainLine:
    """The main line of a game: all nodes up to the first `)`, and where the game trees that it runs through are closed."""

    nodes: list[RecordNode]
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
    """Cut up one game, which must be one that gtp_engine.sgf reads."""
    nodes: list[RecordNode] = []
    trees: list[int] = []
    closings: list[int] = []
    open_trees: list[int] = []  # of every `(` still open: its number among the main line's trees, or -1
    is_main, begins_tree = True, False
    latest: Property | None = None
    for token in TOKEN.finditer(text):
        mark = token["mark"]
        if mark == "(":
            open_trees.append(len(closings) if is_main else -1)
            if is_main:
                closings.append(0)
            begins_tree = True
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


def add_token(nodes: list[RecordNode], token: re.Match[str], latest: Property | None, begins_tree: bool) -> Property | None:
    """Take one more token of the main line in; gives back the property that values belong to."""
    if token["mark"] == ";":
        nodes.append(RecordNode(token.start(), token.end(), {}, begins_tree))
        return None
    if token["name"] is not None:
        name = "".join(letter for letter in token["name"] if letter.isupper())
        if not nodes or (name in COLOR_NAMES and nodes[-1].color_name):
            nodes.append(RecordNode(token.start(), token.end(), {}, begins_tree))  # a `;` was forgotten
        return nodes[-1].properties.setdefault(name, Property(name, token.start(), token.end(), []))
    if latest is not None:
        latest.values.append(token["value"])
        latest.end = nodes[-1].end = max(token.end(), nodes[-1].end)
    return latest


class Edits:
    """Insertions and replacements in a text. At one place, what is inserted first stands first."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._edits: list[tuple[int, int, int, str]] = []  # start, end, order, replacement

    def insert(self, place: int, text: str) -> None:
        """Put `text` before the character at `place`."""
        self.replace(place, place, text)

    def replace(self, start: int, end: int, text: str) -> None:
        """Put `text` in the place of the characters from `start` up to `end`, which no other edit touches."""
        self._edits.append((start, end, len(self._edits), text))

    def result(self) -> str:
        """The text with all edits."""
        parts, place = [], 0
        for start, end, _, text in sorted(self._edits):
            parts += [self._text[place:start], text]
            place = end
        return "".join(parts) + self._text[place:]


def escaped(text: str) -> str:
    """Text as it stands in an SGF value."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def plain(value: str) -> str:
    """The text of an SGF value: the reverse of `escaped`; an escaped line break is none."""
    return re.sub(
        r"\\(\r\n|\n\r|.)", lambda match: "" if match[1].isspace() and match[1] not in " \t" else match[1], value, flags=re.DOTALL
    )
