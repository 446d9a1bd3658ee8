"""What a review knows: evaluations of positions, judgements of moves, and the whole game."""

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
OTHER = "other"  # of mistakes without a reason
KINDS = ("life", "capture", "atari", "ladder", "cut", "wasted", "answer", "area", "sente", "point")  # of reasons


@dataclass(frozen=True)
class Evaluation:
    """How a position looks. `win_rate`, `lead` and `ownership` are Black's, whoever is to play; candidates have the player's numbers."""

    to_play: int
    win_rate: float  # 0..1
    lead: float  # points, komi included
    ownership: np.ndarray = field(repr=False)  # [P] -1..1, 1: surely Black's
    candidates: list[Candidate] = field(default_factory=list)  # most visits first; none when two passes have ended the game
    unvisited: list[tuple[int, float]] = field(default_factory=list)  # the other moves, (point, prior)
    simulations: int = 0  # in the tree

    def win_rate_of(self, color: int) -> float:
        """The win rate from the side of `color`."""
        return self.win_rate if color == BLACK else 1.0 - self.win_rate

    def lead_of(self, color: int) -> float:
        """The lead from the side of `color`."""
        return self.lead if color == BLACK else -self.lead


@dataclass(frozen=True)
class Reason:
    """Why a move was a mistake."""

    kind: str  # one of KINDS
    text: str  # one or two sentences


@dataclass(frozen=True)
class MoveReview:
    """One move of the game, judged. All numbers are from the side of the player who made it."""

    number: int  # 1 for the first
    color: int
    point: int  # or PASS
    phase: str
    win_rate_before: float  # of the best move that was found
    win_rate_after: float  # of the move that was played, by what it lost
    lead_before: float
    lead_after: float
    loss: float  # points that the best move is better, those left out that `since` was charged for; 0.0 when none is
    best: Candidate | None  # None: the game was over
    rank: int | None  # of the move among the candidates, 1 for the first; None: the search never looked at it
    visits: int
    prior: float
    size: str = GOOD
    since: int = 0  # the number of its player's earlier move that missed the same point, still open; 0: there is none
    refutation: tuple[int, ...] = ()  # how the opponent is expected to go on after a mistake
    reasons: tuple[Reason, ...] = ()  # only what is certain: many mistakes have none
    reach: Reach | None = None  # who finds the better move, where that is known
    drift: float = 0.0  # points by which the search of the next position finds a better lead than `lead_after`: the engine's own error

    @property
    def is_mistake(self) -> bool:
        """Is it worse than good?"""
        return self.size in SIZES


@dataclass(frozen=True)
class Summary:
    """One player's game in figures."""

    moves: int
    mean_loss: float  # points a move
    agreement: float  # part of the moves that were the engine's first choice
    mistakes: dict[str, int]  # by size
    phases: dict[str, "PhaseSummary"] = field(default_factory=dict)  # those that the player has moves in
    kinds: dict[str, int] = field(default_factory=dict)  # mistakes by their first reason, OTHER where there is none


@dataclass(frozen=True)
class PhaseSummary:
    """One player's moves of one phase."""

    moves: int
    mean_loss: float
    agreement: float
    mistakes: int


@dataclass
class GameReview:
    """A reviewed game. There is an evaluation before each move and one of the last position."""

    record: GameRecord
    settings: ReviewSettings
    komi: float
    rules: str
    boards: list[dict[int, int]] = field(default_factory=list)  # point -> color of all stones, for each evaluation
    evaluations: list[Evaluation] = field(default_factory=list)
    after_better: dict[int, Evaluation] = field(default_factory=dict)  # by a move's number: after the better move, where it was searched
    moves: list[MoveReview] = field(default_factory=list)
    seconds: float = 0.0  # that the search took
    judged_by: JudgedBy = field(default_factory=JudgedBy)
    in_doubt: list[int] = field(default_factory=list)  # numbers of moves where the lead swings, without a long search
    ranks: dict[int, PlayedRank] = field(default_factory=dict)  # what rank the moves of a color look like, where it can be told

    @property
    def notes(self) -> str:
        """What the reader should know of the judgement, in sentences; empty where there is nothing."""
        knows_reach = any(move.reach is not None for move in self.moves)
        return " ".join(note for note in (self.judged_by.advice, REACH_NOTE * knows_reach) if note)

    def summary(self, color: int) -> Summary:
        """The figures of one player."""
        own = [move for move in self.moves if move.color == color]
        count = max(len(own), 1)
        return Summary(
            len(own),
            sum(move.loss for move in own) / count,
            sum(move.rank == 1 for move in own) / count,
            {size: sum(move.size == size for move in own) for size in SIZES},
            {phase: phase_summary([move for move in own if move.phase == phase]) for phase in PHASES if any(m.phase == phase for m in own)},
            dict(Counter(move.reasons[0].kind if move.reasons else OTHER for move in own if move.is_mistake)),
        )


def phase_summary(moves: Sequence[MoveReview]) -> PhaseSummary:
    """The figures of some moves, at least one."""
    return PhaseSummary(
        len(moves),
        sum(move.loss for move in moves) / len(moves),
        sum(move.rank == 1 for move in moves) / len(moves),
        sum(move.is_mistake for move in moves),
    )
