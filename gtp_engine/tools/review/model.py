"""The data of a review: evaluations of positions, judgements of moves, and the whole game."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.tools.review.by_rank import REACH_NOTE, PlayedRank, Reach
from gtp_engine.tools.review.judged_by import JudgedBy
from gtp_engine.tools.review.records import GameRecord
from gtp_engine.tools.review.settings import GOOD, PHASES, SIZES, ReviewSettings

NAMES = {BLACK: "Black", WHITE: "White"}  # of the colors
OTHER = "other"  # kind of mistakes without a reason
KINDS = ("life", "capture", "atari", "ladder", "cut", "wasted", "answer", "area", "sente", "point")  # of reasons


@dataclass(frozen=True)
class Evaluation:
    """An evaluation. `win_rate`, `lead` and `ownership` are Black's; the candidates' numbers are those of the player to move."""

    to_play: int
    win_rate: float  # 0..1
    lead: float  # points, komi included
    ownership: np.ndarray = field(repr=False)  # [P] -1..1, 1: certainly Black's
    candidates: list[Candidate] = field(default_factory=list)  # most visits first; empty if two passes have ended the game
    unvisited: list[tuple[int, float]] = field(default_factory=list)  # the other moves, (point, prior)
    simulations: int = 0  # in the tree

    def win_rate_of(self, color: int) -> float:
        """Return the win rate from the side of `color`."""
        return self.win_rate if color == BLACK else 1.0 - self.win_rate

    def lead_of(self, color: int) -> float:
        """Return the lead from the side of `color`."""
        return self.lead if color == BLACK else -self.lead


@dataclass(frozen=True)
class Reason:
    """A reason why a move was a mistake."""

    kind: str  # one of KINDS
    text: str  # one or two sentences


@dataclass(frozen=True)
class MoveReview:
    """The judgement of one move. All numbers are from the side of the player who made it."""

    number: int  # 1 for the first move
    color: int
    point: int  # a point or PASS
    phase: str
    win_rate_before: float  # of the best move
    win_rate_after: float  # of the played move: `win_rate_before` lowered by the move's loss
    lead_before: float
    lead_after: float
    loss: float  # points lost against the best move, without those charged at move `since`; at least 0.0
    best: Candidate | None  # the best move; None: the game was over
    rank: int | None  # of the move among the candidates, 1 for the first; None: the search never visited it
    visits: int
    prior: float
    size: str = GOOD
    since: int = 0  # number of the player's earlier move that missed the same point, which is still open; 0: none
    refutation: tuple[int, ...] = ()  # the variation that is expected after a mistake
    reasons: tuple[Reason, ...] = ()  # proved or confirmed reasons: many mistakes have none
    reach: Reach | None = None  # the shares of players who find the better move, if known
    drift: float = 0.0  # the next position's lead minus `lead_after`, in points: the engine's own error

    @property
    def is_mistake(self) -> bool:
        """Is the move an inaccuracy, a mistake or a blunder?"""
        return self.size in SIZES


@dataclass(frozen=True)
class Summary:
    """One player's game in figures."""

    moves: int
    mean_loss: float  # points per move
    agreement: float  # part of the moves that are the engine's first choice, 0..1
    mistakes: dict[str, int]  # number by size
    phases: dict[str, "PhaseSummary"] = field(default_factory=dict)  # phases in which the player has moves
    kinds: dict[str, int] = field(default_factory=dict)  # number of mistakes by their first reason, OTHER without a reason


@dataclass(frozen=True)
class PhaseSummary:
    """One player's moves of one phase."""

    moves: int
    mean_loss: float
    agreement: float
    mistakes: int


@dataclass
class GameReview:
    """A reviewed game. It has an evaluation before each move and one of the last position."""

    record: GameRecord
    settings: ReviewSettings
    komi: float
    rules: str
    boards: list[dict[int, int]] = field(default_factory=list)  # for each evaluation: point -> color of all stones
    evaluations: list[Evaluation] = field(default_factory=list)
    after_better: dict[int, Evaluation] = field(default_factory=dict)  # by move number: the position after the better move
    moves: list[MoveReview] = field(default_factory=list)
    seconds: float = 0.0  # duration of the searches
    judged_by: JudgedBy = field(default_factory=JudgedBy)
    in_doubt: list[int] = field(default_factory=list)  # numbers of moves where the lead swings and long searches are missing
    ranks: dict[int, PlayedRank] = field(default_factory=dict)  # by color: the rank that the moves look like, if it can be estimated

    @property
    def notes(self) -> str:
        """Sentences that the reader needs to know about the judgement; empty if there are none."""
        knows_reach = any(move.reach is not None for move in self.moves)
        return " ".join(note for note in (self.judged_by.advice, REACH_NOTE * knows_reach) if note)

    def summary(self, color: int) -> Summary:
        """Return the figures of one player."""
        own_moves = [move for move in self.moves if move.color == color]
        count = max(len(own_moves), 1)
        return Summary(
            len(own_moves),
            sum(move.loss for move in own_moves) / count,
            sum(move.rank == 1 for move in own_moves) / count,
            {size: sum(move.size == size for move in own_moves) for size in SIZES},
            {
                phase: phase_summary([move for move in own_moves if move.phase == phase])
                for phase in PHASES
                if any(m.phase == phase for m in own_moves)
            },
            dict(Counter(move.reasons[0].kind if move.reasons else OTHER for move in own_moves if move.is_mistake)),
        )


def phase_summary(moves: Sequence[MoveReview]) -> PhaseSummary:
    """Return the figures of some moves. There must be at least one."""
    return PhaseSummary(
        len(moves),
        sum(move.loss for move in moves) / len(moves),
        sum(move.rank == 1 for move in moves) / len(moves),
        sum(move.is_mistake for move in moves),
    )
