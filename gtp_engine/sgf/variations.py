"""The right first moves of a problem's record: those that begin a variation which the record calls right in one of the usual ways."""

import re
from collections.abc import Iterator

from gtp_engine.go.points import point_at
from gtp_engine.sgf.library import sgf
from gtp_engine.sgf.text import MAX_BYTES, MAX_DEPTH

RIGHT = re.compile(r"^\W*(also )?(correct|right|solution)\b|\bRIGHT\b|\bCORRECT\b", re.IGNORECASE)  # what the comment of a good end says
WRONG = re.compile(r"\b(in|not |half.)correct|\bwrong\b", re.IGNORECASE)


def right_moves(text: str) -> set[int]:
    """The points of the right first moves of the first game in the text of a file.

    There are none where no variation is called right, or the text cannot be read. A variation is right where the comment of one of its
    nodes says so, or where its first move has the property TE. Passes are left out.
    """
    if len(text) > MAX_BYTES:
        return set()
    try:
        root = sgf.Sgf_game.from_string(text).get_root()
        return {point for first in first_moves(root) if any(is_right(node) for node in below(first)) and (point := point_of(first))}
    except (ValueError, UnicodeError, RecursionError):
        return set()


def first_moves(root: sgf.Tree_node) -> Iterator[sgf.Tree_node]:
    """The first nodes with a move on each way down from the root."""
    waiting = [root]
    while waiting:
        for node in waiting.pop():
            if node.get_move()[0] is None:
                waiting.append(node)
            else:
                yield node


def below(first: sgf.Tree_node) -> Iterator[sgf.Tree_node]:
    """A node and all that follow it."""
    waiting = [(first, 0)]
    while waiting:
        node, depth = waiting.pop()
        yield node
        if depth < MAX_DEPTH:
            waiting += [(child, depth + 1) for child in node]


def is_right(node: sgf.Tree_node) -> bool:
    """Does this node say that the variation is right?"""
    if node.has_property("TE"):
        return True
    comment = node.get("C") if node.has_property("C") else ""
    return bool(RIGHT.search(comment)) and not WRONG.search(comment)


def point_of(node: sgf.Tree_node) -> int:
    """The point of a node's move; 0 for a pass."""
    _, move = node.get_move()
    return point_at(move[0] + 1, move[1] + 1) if move is not None else 0
