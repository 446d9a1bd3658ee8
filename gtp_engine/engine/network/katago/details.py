"""What a KataGo network predicts besides policy, winner, lead and owners. Only evaluations for people decode it; searches don't need it."""

import math

import numpy as np

from gtp_engine.engine.network.details import UNKNOWN, Details
from gtp_engine.engine.network.katago.backend import KataBatch
from gtp_engine.engine.network.katago.model import Header
from gtp_engine.engine.search.leaf import NO_SUPERKO

MEAN, DEVIATION, _, TIME, WIN_ERROR, SCORE_ERROR = range(6)  # the numbers of `score`, see ValueHead
FIRST_WITH_ERRORS, FIRST_SCALED, FIRST_HALVED = 9, 10, 14  # versions of files that change what the last three mean
OLD_SCORE_ERROR = 10.0  # points for each unit of that output before FIRST_SCALED


def details_of(header: Header, leaf: np.ndarray, batch: KataBatch, row: int) -> Details:
    """The answer in row `row` about `leaf`, [1] LEAF."""
    score, scales = batch.score[row].astype(np.float64), header.scales
    none = no_result_chance(leaf[0], batch.value[row].astype(np.float64))
    mean, deviation = score[MEAN] * scales.score_mean, softplus(score[DEVIATION]) * scales.score_deviation
    time_left, errors = UNKNOWN, (UNKNOWN, UNKNOWN)
    if header.version >= FIRST_WITH_ERRORS:
        time_left = softplus(score[TIME]) * scales.variance_time
        errors = short_term_errors(header, score[WIN_ERROR], score[SCORE_ERROR])
    # the network's score is that of games with a result; the others count as 0
    return Details(none, mean * (1.0 - none), (mean**2 + deviation**2) * (1.0 - none), time_left, *errors)


def no_result_chance(leaf: np.void, value: np.ndarray) -> float:
    """The probability of no result, from the logits `value` [3]. See decode_outputs."""
    if leaf["superko"] != NO_SUPERKO and leaf["is_territory"] != 1:
        return 0.0
    weights = np.exp(value - value.max())
    return float(weights[2] / weights.sum())


def short_term_errors(header: Header, win: float, score: float) -> tuple[float, float]:
    """Details.win_error and score_error from the network's numbers; their form depends on the file's version."""
    if header.version < FIRST_SCALED:
        return softplus(win), softplus(score) * OLD_SCORE_ERROR
    win_square, score_square = (
        softplus(0.5 * output) ** 2 if header.version >= FIRST_HALVED else softplus(output) for output in (win, score)
    )
    return math.sqrt(win_square * header.scales.value_error), math.sqrt(score_square * header.scales.score_error)


def softplus(number: float) -> float:
    """log(1 + e**x), a positive number."""
    return float(np.logaddexp(0.0, number))
