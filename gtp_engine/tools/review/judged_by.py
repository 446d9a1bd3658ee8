"""The judge of a game's positions, a network or playouts, and the advice that a reader needs about it."""

from dataclasses import dataclass, replace

from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.loading import kind_for, network_path
from gtp_engine.engine.search.params import PLAYOUTS, SMALL_BOARD, SearchParams, evaluator_for, needs_network
from gtp_engine.tools.review.settings import ReviewSettings

LARGE = 10_000_000  # bytes of the file of a large network; each included network has three million
LARGE_PLAYOUTS = 25  # of a long search with a large network; 100 are compared in docs/lab/reviews.md
ADVICE = f"Without a strong network most mistakes in large fights go unseen on boards larger than {SMALL_BOARD}x{SMALL_BOARD}."


@dataclass(frozen=True)
class JudgedBy:
    """The judge of a game's positions."""

    name: str = PLAYOUTS  # the name of a network's file, or PLAYOUTS
    misses_fights: bool = False  # True for playouts on large boards, which need ADVICE; measured in docs/lab/reviews.md

    @property
    def advice(self) -> str:
        """The advice for the reader; empty if none is needed."""
        return ADVICE if self.misses_fights else ""


def judged_by(params: SearchParams, board_size: int) -> JudgedBy:
    """Return the judge for these settings and this board size, if its network can be opened: see Examiner.judged_by."""
    if not needs_network(kind_for(evaluator_for(params.evaluator, board_size), params)):
        return without_network(board_size)
    try:
        path = network_path(params, board_size)
    except NetworkError:
        return without_network(board_size)
    return JudgedBy(path.name)


def without_network(board_size: int) -> JudgedBy:
    """Return the playouts as the judge."""
    return JudgedBy(PLAYOUTS, board_size > SMALL_BOARD)


def usual_settings(params: SearchParams) -> ReviewSettings:
    """Return the default settings. With a large network, which is slow and accurate, one evaluation makes the first look."""
    settings = ReviewSettings()
    if not params.network:
        return settings
    try:
        is_large = network_path(params, SMALL_BOARD).stat().st_size >= LARGE
    except (NetworkError, OSError):
        return settings
    return replace(settings, first=1, playouts=LARGE_PLAYOUTS, opinion=LARGE_PLAYOUTS) if is_large else settings
