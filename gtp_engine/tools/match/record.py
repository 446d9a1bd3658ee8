"""The record of a finished game: one line of the results file."""

from dataclasses import asdict, dataclass, fields
from typing import Any

from gtp_engine.go.points import BLACK, WHITE

DRAW, UNKNOWN = "draw", "unknown"  # as winner; otherwise the winner's name

# How a game ended.
SCORE, RESIGNATION, TIME, ILLEGAL, MOVE_LIMIT, REPETITION = "score", "resignation", "time", "illegal move", "move limit", "repetition"
DISAGREEMENT, NO_SCORE = "disagreement", "no score"


@dataclass(frozen=True)
class SideRecord:
    """One player in one game."""

    name: str
    identity: str  # the engine's own name and version
    moves: int  # requested moves
    seconds: float  # for all moves, measured at the pipe
    slowest: float  # seconds of the slowest move
    cpu_seconds: float | None  # processor time of all its processes; None: unknown
    peak_memory: int | None  # bytes, since its start
    score: str | None  # its own final_score; None if it wasn't asked or had none


@dataclass(frozen=True)
class PlayedGame:
    """One finished game."""

    number: int  # in the schedule
    pair: int
    opening: str
    black: SideRecord
    white: SideRecord
    winner: str  # a player's name, DRAW or UNKNOWN
    result: str  # as in SGF's RE: B+3.5, W+R, B+T, B+F, 0, Void, ?
    ending: str  # one of the words above or in contestant.py
    text: str  # a sentence, if the ending needs one
    fault: str  # name of the player that lost by its own fault; empty: none
    disagreement: str  # scores that contradict each other, as a sentence; empty: none
    moves: int  # on the board, opening included
    digest: str  # of all moves
    began: str  # ISO 8601, UTC
    seconds: float  # from the first command to the end
    sgf: str  # file name

    def side(self, color: int) -> SideRecord:
        """Black's or White's part."""
        return {BLACK: self.black, WHITE: self.white}[color]

    def as_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def record_from(values: dict[str, Any]) -> PlayedGame:
    """The inverse of as_dict. Raises ValueError for a missing, unknown or invalid value."""
    try:
        sides = {color: SideRecord(**values[color]) for color in ("black", "white")}
        record = PlayedGame(**{**values, **sides})
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a game record: {error}") from error
    for item in fields(PlayedGame):
        if item.type in (int, str) and not isinstance(getattr(record, item.name), item.type):
            raise ValueError(f"not a game record: {item.name} is {getattr(record, item.name)!r}")
    return record
