"""The settings of a review: the effort for each position and the sizes of mistakes. Plain Python."""

import math
from dataclasses import asdict, dataclass

from gtp_engine.go.points import MAX_SIZE

GOOD, INACCURACY, MISTAKE, BLUNDER = "good", "inaccuracy", "mistake", "blunder"
SIZES = (INACCURACY, MISTAKE, BLUNDER)  # of mistakes, from small to large
OPENING, MIDDLE, ENDGAME = "opening", "middle game", "endgame"
PHASES = (OPENING, MIDDLE, ENDGAME)


@dataclass(frozen=True)
class ReviewSettings:
    """All settings that a review depends on, apart from the engine's parameters. Points are those of a 19x19 board."""

    playouts: int = 150  # simulations of a long search, made where the lead swings; 0: as many as `seconds` allow
    seconds: float = 0.0  # of a long search; 0.0: `playouts` decide
    first: int = 10  # simulations of every position in the first pass, which shows where the lead swings
    opinion: int = 100  # least simulations of a long search whose expectations are reliable enough for a reason
    share: float = 0.5  # long searches for each move of a game on 19x19, see `long_searches`
    minutes: float = 0.0  # no long search begins later than this; 0.0: `share` decides
    suspicion: float = 2.0  # points: a move that changes the lead by more gets long searches
    inaccuracy: float = 3.0  # points lost: a smaller loss is within the error of some hundred playouts
    mistake: float = 6.0  # points lost: about the value of a move in the middle game
    blunder: float = 12.0  # points lost: about the value of a group, or of two moves
    least_scale: float = 0.5  # smallest factor for these points on small boards, where less is at stake
    opening_stones: float = 0.14  # part of the board with stones at which the opening ends: move 50 on 19x19
    endgame_stones: float = 0.42  # part of the board with stones at which the endgame begins: move 150 on 19x19
    first_move: int = 1  # first move that may get long searches; all moves get short ones
    last_move: int = 100_000
    candidates: int = 8  # moves listed for a position, besides the played move
    variation: int = 12  # most moves of a variation: later moves have a handful of visits

    def as_dict(self) -> dict[str, int | float]:
        """Return the fields by name, for JSON."""
        return asdict(self)

    def long_searches(self, moves: int, board_size: int) -> int:
        """Return the most long searches of a game. Small boards get more, because a search costs less there."""
        return math.ceil(self.share * moves * (MAX_SIZE / board_size) ** 2)

    def scale(self, board_size: int) -> float:
        """Return the factor for the points of the settings on a board of this size."""
        return min(max(board_size / MAX_SIZE, self.least_scale), 1.0)

    def size_of(self, loss: float, board_size: int) -> str:
        """Return the name of a loss in points: GOOD or one of SIZES."""
        loss /= self.scale(board_size)
        if loss >= self.blunder:
            return BLUNDER
        if loss >= self.mistake:
            return MISTAKE
        return INACCURACY if loss >= self.inaccuracy else GOOD

    def phase_of(self, stones: int, board_size: int) -> str:
        """Return OPENING, MIDDLE or ENDGAME for this number of stones on the board."""
        part = stones / (board_size * board_size)
        if part < self.opening_stones:
            return OPENING
        return MIDDLE if part < self.endgame_stones else ENDGAME


def counted(count: int, size: str) -> str:
    """Return `1 blunder` or `2 inaccuracies`."""
    several = "inaccuracies" if size == INACCURACY else f"{size}s"
    return f"{count} {size if count == 1 else several}"
