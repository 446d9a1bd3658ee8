"""How to review: the effort for each position and what counts as a mistake. Plain Python."""

import math
from dataclasses import asdict, dataclass

from gtp_engine.go.points import MAX_SIZE

GOOD, INACCURACY, MISTAKE, BLUNDER = "good", "inaccuracy", "mistake", "blunder"
SIZES = (INACCURACY, MISTAKE, BLUNDER)  # of mistakes, small to large
OPENING, MIDDLE, ENDGAME = "opening", "middle game", "endgame"
PHASES = (OPENING, MIDDLE, ENDGAME)


@dataclass(frozen=True)
class ReviewSettings:
    """Everything that decides what a review says, the engine's own parameters left aside. Points are those of a board of 19 lines."""

    playouts: int = 150  # simulations of a position where the lead swings; 0: as many as `seconds` allow
    seconds: float = 0.0  # for such a position; 0.0: `playouts` decide
    first: int = 10  # simulations of every position in the first pass, which shows where the lead swings
    share: float = 0.5  # positions searched with `playouts` for each move of a game on 19x19, second looks included; see `long_searches`
    minutes: float = 0.0  # no search begins later than this, the first pass excepted; 0.0: `share` decides
    suspicion: float = 2.0  # points: where the lead changes by more between two moves, both are searched again
    inaccuracy: float = 3.0  # points lost: less than this is within the error of some hundred playouts
    mistake: float = 6.0  # points lost: about one move of the middle game
    blunder: float = 12.0  # points lost: a group, or two moves
    least_scale: float = 0.5  # by which these points shrink at most on small boards, where less is at stake
    opening_stones: float = 0.14  # part of the board with stones on it until which it is the opening: move 50 on 19x19
    endgame_stones: float = 0.42  # the same from which on it is the endgame: move 150 on 19x19
    first_move: int = 1  # of those that may be searched with `playouts`; all are looked at
    last_move: int = 100_000
    candidates: int = 8  # moves listed for a position, besides the one played
    variation: int = 12  # moves of a variation: further ones have a handful of visits

    def as_dict(self) -> dict[str, int | float]:
        """The fields by name, for JSON."""
        return asdict(self)

    def long_searches(self, moves: int, board_size: int) -> int:
        """How many a game of so many moves may have: more on small boards, where each costs less, so that a move costs the same."""
        return math.ceil(self.share * moves * (MAX_SIZE / board_size) ** 2)

    def scale(self, board_size: int) -> float:
        """By how much points count for on a board of so many lines."""
        return min(max(board_size / MAX_SIZE, self.least_scale), 1.0)

    def size_of(self, loss: float, board_size: int) -> str:
        """What a loss in points is called: GOOD, or one of SIZES."""
        loss /= self.scale(board_size)
        if loss >= self.blunder:
            return BLUNDER
        if loss >= self.mistake:
            return MISTAKE
        return INACCURACY if loss >= self.inaccuracy else GOOD

    def phase_of(self, stones: int, board_size: int) -> str:
        """OPENING, MIDDLE or ENDGAME, by how full the board is."""
        part = stones / (board_size * board_size)
        if part < self.opening_stones:
            return OPENING
        return MIDDLE if part < self.endgame_stones else ENDGAME


def counted(count: int, size: str) -> str:
    """`1 blunder`, `2 inaccuracies`."""
    several = "inaccuracies" if size == INACCURACY else f"{size}s"
    return f"{count} {size if count == 1 else several}"
