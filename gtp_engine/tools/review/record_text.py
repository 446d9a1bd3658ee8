"""Changes to the text of a record that leave everything else in it exactly as it stands."""

from gtp_engine.sgf.nodes import SgfProperty, main_line

CHARSET = "CA[UTF-8]"


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

    def replace_property(self, old: SgfProperty, text: str) -> None:
        """Put `text` where the property is named first, and take it out where it is named again."""
        for number, (start, end) in enumerate(old.spans):
            self.replace(start, end, "" if number else text)

    def result(self) -> str:
        """The text with all edits."""
        parts, place = [], 0
        for start, end, _, text in sorted(self._edits):
            parts += [self._text[place:start], text]
            place = end
        return "".join(parts) + self._text[place:]


def normalized(text: str) -> str:
    """A game's text with UTF-8 as its charset, in which it will be written, and with each `;` that was forgotten in the main line."""
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
