"""Parses the words of an analysis command.

The forms that clients use, KataGo's and Leela Zero's: `[COLOR] [INTERVAL] [KEY VALUE]...`, the interval in hundredths of a second.
An unknown key is an error, because clients try keys to find out what an engine supports.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.go.points import PASS, board_points, from_vertex
from gtp_engine.interfaces.gtp.arguments import INTEGER, Words, is_color, read_color, read_float

SHORTEST, LONGEST = 0.01, 86_400.0  # seconds of an interval
DEFAULT_INTERVAL = 1.0  # seconds, when a client names none
DEEPEST = 1_000  # moves; avoiding a move for longer is avoiding it always
MANY_MOVES = 1_000  # more than any board has

FLAGS = ("rootInfo", "ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev", "pvVisits", "pvEdgeVisits", "noResultValue")
BOOLEANS = {"true": True, "false": False}


class Restriction(NamedTuple):
    """Moves of one color, up to a depth, to avoid or to allow exclusively."""

    color: int
    points: frozenset[int]
    depth: int


@dataclass
class AnalysisRequest:
    """One analysis command's arguments."""

    color: int | None = None  # None: the player to move
    interval: float | None = None  # seconds; None: not given
    least_moves: int = 0
    most_moves: int = MANY_MOVES
    flags: set[str] = field(default_factory=set)  # those of FLAGS that are true
    avoided: list[Restriction] = field(default_factory=list)
    allowed: list[Restriction] = field(default_factory=list)

    def avoid(self, board_size: int) -> dict[tuple[int, int], int]:
        """(color, point or PASS) -> depth up to which the move is avoided, for the engine."""
        depths: dict[tuple[int, int], int] = {}
        for restriction in [*self.avoided, *(everything_but(allowed, board_size) for allowed in self.allowed)]:
            for point in restriction.points:
                key = (restriction.color, point)
                depths[key] = max(depths.get(key, 0), restriction.depth)
        return depths


def everything_but(allowed: Restriction, board_size: int) -> Restriction:
    """All moves except the allowed ones, including PASS."""
    return Restriction(allowed.color, frozenset([*board_points(board_size), PASS]) - allowed.points, allowed.depth)


def read_request(words: Sequence[str], board_size: Callable[[], int], takes_flags: bool) -> AnalysisRequest:
    """The request in `words`. Raises GtpError for anything else.

    `takes_flags`: whether the command has KataGo's FLAGS as keys; Leela Zero's commands don't.
    """
    request = AnalysisRequest()
    left = Words(words, board_size)
    if left.are_left() and is_color(left.peek()):
        request.color = read_color(left)
    if left.are_left() and INTEGER.fullmatch(left.peek()):
        request.interval = read_interval(left)
    while left.are_left():
        read_pair(request, left, takes_flags)
    if len(request.allowed) > len({allowed.color for allowed in request.allowed}):
        raise GtpError("allow may be given once for each color")
    return request


def read_pair(request: AnalysisRequest, words: Words, takes_flags: bool) -> None:
    """Read a key and its value into the request."""
    key = words.take()
    if key == "interval":
        request.interval = read_interval(words)
    elif key == "minmoves":
        request.least_moves = read_count(words)
    elif key == "maxmoves":
        request.most_moves = read_count(words)
    elif key == "avoid":
        request.avoided.append(read_restriction(words))
    elif key == "allow":
        request.allowed.append(read_restriction(words))
    elif takes_flags and key in FLAGS:
        set_flag(request, key, read_boolean(words))
    else:
        raise GtpError(f"unknown key {key[:30]}")


def read_interval(words: Words) -> float:
    """Hundredths of a second -> seconds, within bounds that a search can keep."""
    return min(max(read_float(words) / 100.0, SHORTEST), LONGEST)


def read_count(words: Words) -> int:
    """A number of moves."""
    word = words.take()
    if not INTEGER.fullmatch(word) or int(word) < 0:
        raise GtpError("syntax error")
    return min(int(word), MANY_MOVES)


def read_boolean(words: Words) -> bool:
    """`true` or `false`."""
    value = BOOLEANS.get(words.take().lower())
    if value is None:
        raise GtpError("syntax error")
    return value


def set_flag(request: AnalysisRequest, key: str, value: bool) -> None:
    """Set a flag; if it is repeated, the last one counts."""
    request.flags.discard(key)
    if value:
        request.flags.add(key)


def read_restriction(words: Words) -> Restriction:
    """COLOR VERTEX,VERTEX,... DEPTH."""
    color, vertices, depth = read_color(words), words.take(), read_count(words)
    if depth == 0:
        raise GtpError("syntax error")
    try:
        points = frozenset(from_vertex(vertex, words.board_size()) for vertex in vertices.split(","))
    except ValueError as error:
        raise GtpError("syntax error") from error
    return Restriction(color, points, min(depth, DEEPEST))
