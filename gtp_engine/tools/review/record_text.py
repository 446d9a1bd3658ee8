"""Edit the text of a record and leave everything else in it exactly as it is."""

from gtp_engine.sgf.nodes import SgfProperty, main_line

CHARSET = "CA[UTF-8]"


class Edits:
    """Insertions and replacements in a text. Insertions at the same place keep their order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._edits: list[tuple[int, int, int, str]] = []  # start, end, order, replacement

    def insert(self, place: int, text: str) -> None:
        """Insert `text` before the character at index `place`."""
        self.replace(place, place, text)

    def replace(self, start: int, end: int, text: str) -> None:
        """Replace the characters from `start` up to `end` with `text`. No other edit may touch them."""
        self._edits.append((start, end, len(self._edits), text))

    def replace_property(self, old: SgfProperty, text: str) -> None:
        """Replace the property's first occurrence with `text`, and remove its other occurrences."""
        for number, (start, end) in enumerate(old.spans):
            self.replace(start, end, "" if number else text)

    def result(self) -> str:
        """Return the text with all edits."""
        parts, place = [], 0
        for start, end, _, text in sorted(self._edits):
            parts += [self._text[place:start], text]
            place = end
        return "".join(parts) + self._text[place:]


def normalized(text: str) -> str:
    """Return a game's text with UTF-8 as its charset, and with every missing `;` in the main line added."""
    edits = Edits(text)
    nodes = main_line(text).nodes
    for node in nodes:
        if text[node.start] != ";":
            edits.insert(node.start, ";")
    if nodes and "CA" in nodes[0].properties:
        edits.replace_property(nodes[0].properties["CA"], CHARSET)
    elif nodes:
        edits.insert(nodes[0].start + (text[nodes[0].start] == ";"), CHARSET)
    return edits.result()
