"""What judged the positions of a game, and what a reader should know of it."""

from dataclasses import dataclass, replace

from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.loading import kind_for, network_path
from gtp_engine.engine.search.params import PLAYOUTS, SMALL_BOARD, SearchParams, evaluator_for, needs_network
from gtp_engine.tools.review.settings import ReviewSettings

LARGE = 10_000_000  # bytes of a network's file; of those that are included each has three million
LARGE_PLAYOUTS = 100  # of a long search with such a network: still enough for reasons, see area_reasons.py
ADVICE = f"Without a strong network most mistakes in large fights go unseen on boards larger than {SMALL_BOARD}x{SMALL_BOARD}."


@dataclass(frozen=True)
class JudgedBy:
    """What judged the positions of a game."""

    name: str = PLAYOUTS  # the file of a network, or PLAYOUTS
    misses_fights: bool = False  # of large boards, by playouts: then ADVICE is for the reader; measured in docs/review.md, Figures

    @property
    def advice(self) -> str:
        """What the reader should know; empty where there is no need."""
        return ADVICE if self.misses_fights else ""


def judged_by(params: SearchParams, board_size: int) -> JudgedBy:
    """What judges with these settings on a board of so many lines, if it can be opened: see Examiner.judged_by."""
    if not needs_network(kind_for(evaluator_for(params.evaluator, board_size), params)):
        return without_network(board_size)
    try:
        path = network_path(params, board_size)
    except NetworkError:
        return without_network(board_size)
    return JudgedBy(path.name)


def without_network(board_size: int) -> JudgedBy:
    """Playouts judge."""
    return JudgedBy(PLAYOUTS, board_size > SMALL_BOARD)


def usual_settings(params: SearchParams) -> ReviewSettings:
    """How to review where nobody says otherwise. With a large network, whose evaluations take long and tell much, one is a first look."""
    settings = ReviewSettings()
    if not params.network:
        return settings
    try:
        is_large = network_path(params, SMALL_BOARD).stat().st_size >= LARGE
    except (NetworkError, OSError):
        return settings
    return replace(settings, first=1, playouts=LARGE_PLAYOUTS) if is_large else settings
