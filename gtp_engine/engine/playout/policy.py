"""Playout policies choose the next move of a playout.

Light: uniform over all playable points. Heavy: suggestions in order of preference, each made by one function for one reason and taken with
a probability, so that playouts stay varied; otherwise a uniform move that doesn't throw stones away. The GTP command that explains
suggestions uses the same functions. To add a suggestion, add a function and a reason here, its probability in params.py, and a test.
"""

import numpy as np

from gtp_engine.base.parameters import fill_record, record_fields
from gtp_engine.compiled.jit import inner
from gtp_engine.engine.playout.params import PlayoutParams
from gtp_engine.go.eyes import is_playable
from gtp_engine.go.nakade import LARGEST_SPACE, is_nakade_filling, vital_move
from gtp_engine.go.patterns import AROUND, fits_pattern
from gtp_engine.go.points import BLACK, EMPTY, NO_POINT, PASS, POINTS, STRIDE, WHITE
from gtp_engine.go.position import ADJACENT, in_atari, single_liberty
from gtp_engine.go.tactics import (
    MANY,
    capture_beside,
    is_caught,
    is_self_atari,
    liberties_after,
    liberties_of,
    size_after,
)

PLAYOUT_POLICY = np.dtype(record_fields(PlayoutParams), align=True)  # a field for each parameter, which describes it
LIGHT, HEAVY = 0, 1  # PLAYOUT_POLICY.policy

MOST_SUGGESTIONS = 24  # of one kind; two last moves have sixteen neighbors
REMEMBERED = 8  # the latest chains in atari; a power of two

SUGGESTIONS = np.dtype(
    [
        ("count", np.int32),
        ("remembered", np.int32),  # how many chains were ever entered in `atari`, which gives the place of the next one
        ("point", np.uint16, (MOST_SUGGESTIONS,)),  # the first `count` are valid
        ("reason", np.uint8, (MOST_SUGGESTIONS,)),  # index of REASONS
        ("atari", np.uint16, (REMEMBERED,)),  # a stone of each remembered chain, NO_POINT at first; it may be out of atari by now
        ("space", np.uint16, (LARGEST_SPACE,)),  # scratch of vital_point
    ],
    align=True,
)
REASONS = ("uniform", "capture the last stone", "save by capture", "escape", "nakade", "extend", "give atari", "pattern", "capture")
UNIFORM, CAPTURE_LAST, SAVE_BY_CAPTURE, ESCAPE, NAKADE, EXTEND, GIVE_ATARI, PATTERN, CAPTURE = range(len(REASONS))

RANDOM_SHIFT = np.uint64(32)
UNIT = 1.0 / 2**53  # a 53-bit integer times this is a float in 0 .. 1
UNIT_SHIFT = np.uint64(11)


@inner
def next_random(position):
    """64 random bits from the position's own xorshift64 generator (Marsaglia 2003)."""
    state = position.random
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    state ^= state << np.uint64(17)
    position.random = state
    return state


@inner
def random_below(position, count):
    """A uniform random number in 0 .. count-1."""
    return np.int64(((next_random(position) >> RANDOM_SHIFT) * np.uint64(count)) >> RANDOM_SHIFT)


@inner
def chance(position, probability):
    """True with this probability."""
    return np.float64(next_random(position) >> UNIT_SHIFT) * UNIT < probability


@inner
def draw_out(position, i, untried):
    """Swap empty_points[i] with the last untried one. The order changes, the contents don't."""
    point, last = position.empty_points[i], position.empty_points[untried]
    position.empty_points[i], position.empty_points[untried] = last, point
    position.empty_index[last], position.empty_index[point] = i, untried


@inner
def uniform_move(position, color):
    """A move of `color`, uniform over all playable points; PASS if there is none.

    Draws from the empty points and excludes unplayable ones from further draws, so all playable points are equally likely.
    """
    untried = np.int64(position.empty_count)
    while untried > 0:
        i = random_below(position, untried)
        point = np.int64(position.empty_points[i])
        if is_playable(position, point, color):
            return point
        untried -= 1
        draw_out(position, i, untried)
    return PASS


@inner
def sensible_move(position, policy, suggestions, color):
    """Like uniform_move, but without most moves that put own stones into atari. Throw-ins of single stones are allowed half of the time."""
    untried = np.int64(position.empty_count)
    while untried > 0:
        i = random_below(position, untried)
        point = np.int64(position.empty_points[i])
        if is_playable(position, point, color):
            if not is_self_atari(position, point, color) or is_nakade_filling(position, point, color, suggestions.space):
                return point
            caution = policy.avoid_self_atari if size_after(position, point, color) > 1 else 0.5 * policy.avoid_self_atari
            if not chance(position, caution):
                return point
        untried -= 1
        draw_out(position, i, untried)
    return PASS


# ---------------------------------------------------------------- suggestions


@inner
def suggest(suggestions, point, reason):
    """Add a suggestion. It is dropped if there is no space left."""
    if suggestions.count < MOST_SUGGESTIONS:
        suggestions.point[suggestions.count] = point
        suggestions.reason[suggestions.count] = reason
        suggestions.count += 1


@inner
def suggest_escape(position, policy, suggestions, scratch, point, color):
    """Suggest for the chain of `color` on `point`, which is in atari: capture its attackers, or extend it if that helps."""
    capture = capture_beside(position, point)
    if capture != NO_POINT:
        suggest(suggestions, capture, SAVE_BY_CAPTURE)
    liberty = single_liberty(position.liberties[position.chain[point]])
    if liberty == position.ko_point:
        return
    count = liberties_after(position, liberty, color, MANY)
    if count >= MANY or (count == 2 and not (policy.ladders and is_caught(position, scratch, point))):
        suggest(suggestions, liberty, ESCAPE)


@inner
def suggest_atari_answers(position, policy, suggestions, scratch, color):
    """Suggest captures of the last move's chain if it is in atari, and answers to the ataris that it gave."""
    last = position.last_move
    if in_atari(position, last):
        liberty = single_liberty(position.liberties[position.chain[last]])
        if liberty != position.ko_point:
            suggest(suggestions, liberty, CAPTURE_LAST)
    for d in range(4):
        neighbor = last + ADJACENT[d]
        if position.color[neighbor] == color and in_atari(position, neighbor):
            suggest_escape(position, policy, suggestions, scratch, neighbor, color)


@inner
def suggest_two_liberties(position, suggestions, color):
    """Suggest moves in fights around the last move: extend chains with two liberties, give atari to the chain that just moved."""
    last = position.last_move
    for d in range(4):
        neighbor = last + ADJACENT[d]
        if position.color[neighbor] != color:
            continue
        count, first, second = liberties_of(position, neighbor)
        if count == 2:
            if liberties_after(position, first, color, MANY) >= MANY:
                suggest(suggestions, first, EXTEND)
            if liberties_after(position, second, color, MANY) >= MANY:
                suggest(suggestions, second, EXTEND)
    count, first, second = liberties_of(position, last)
    if count == 2:
        opponent = WHITE + BLACK - color
        ahead = liberties_after(position, first, opponent, MANY) - liberties_after(position, second, opponent, MANY)
        if ahead >= 0 and is_playable(position, first, color) and not is_self_atari(position, first, color):
            suggest(suggestions, first, GIVE_ATARI)
        if ahead <= 0 and is_playable(position, second, color) and not is_self_atari(position, second, color):
            suggest(suggestions, second, GIVE_ATARI)


@inner
def suggest_nakade(position, suggestions, color):
    """Suggest the vital point of a small eye space that the last move made, or of ours that it entered."""
    point = vital_move(position, color, suggestions.space)
    if point != NO_POINT:
        suggest(suggestions, point, NAKADE)


@inner
def suggest_patterns(position, suggestions, color, center):
    """Suggest the points around `center` that match a 3x3 pattern."""
    for i in range(8):
        point = center + AROUND[i]
        if position.color[point] == EMPTY and fits_pattern(position, point, color):
            if is_playable(position, point, color) and not is_self_atari(position, point, color):
                suggest(suggestions, point, PATTERN)


@inner
def suggest_captures(position, suggestions, color):
    """Suggest captures of remembered chains that are still in atari."""
    for i in range(REMEMBERED):
        point = suggestions.atari[i]
        if position.color[point] == WHITE + BLACK - color and in_atari(position, point):
            liberty = single_liberty(position.liberties[position.chain[point]])
            if liberty != position.ko_point:
                suggest(suggestions, liberty, CAPTURE)


@inner
def note_ataris(position, suggestions):
    """Remember the chains that the last move put into atari, including its own."""
    last = position.last_move
    for d in range(5):
        point = last + ADJACENT[d] if d < 4 else last
        color = position.color[point]
        if (color == BLACK or color == WHITE) and in_atari(position, point):
            suggestions.atari[suggestions.remembered & (REMEMBERED - 1)] = point
            suggestions.remembered += 1


@inner
def note_all_ataris(position, suggestions):
    """Remember chains in atari all over the board; if there are too many, the upper ones."""
    suggestions.atari[:] = NO_POINT
    suggestions.remembered = 0
    for point in range(STRIDE, POINTS - STRIDE):
        color = position.color[point]
        if (color == BLACK or color == WHITE) and position.chain[point] == point and in_atari(position, point):
            suggestions.atari[suggestions.remembered & (REMEMBERED - 1)] = point
            suggestions.remembered += 1


@inner
def pick(position, suggestions):
    """One of the suggestions, all equally likely; NO_POINT if there is none."""
    if suggestions.count == 0:
        return NO_POINT
    return np.int64(suggestions.point[random_below(position, suggestions.count)])


@inner
def suggested_move(position, policy, suggestions, scratch, color):
    """A suggestion of the first kind that is tried and has one; NO_POINT if none has."""
    suggestions.count = 0
    if position.last_move != PASS and position.last_move != NO_POINT:
        if chance(position, policy.answer_atari):
            suggest_atari_answers(position, policy, suggestions, scratch, color)
        if suggestions.count == 0 and chance(position, policy.nakade):
            suggest_nakade(position, suggestions, color)
        if suggestions.count == 0 and chance(position, policy.two_liberties):
            suggest_two_liberties(position, suggestions, color)
        if suggestions.count == 0 and chance(position, policy.pattern):
            suggest_patterns(position, suggestions, color, position.last_move)
            if position.previous_move > PASS:
                suggest_patterns(position, suggestions, color, position.previous_move)
    if suggestions.count == 0 and chance(position, policy.capture):
        suggest_captures(position, suggestions, color)
    return pick(position, suggestions)


@inner
def heavy_move(position, policy, suggestions, scratch):
    """The next move of a heavy playout for to_play: a point or PASS."""
    color = position.to_play
    point = suggested_move(position, policy, suggestions, scratch, color)
    return point if point != NO_POINT else sensible_move(position, policy, suggestions, color)


def playout_policy(params: PlayoutParams) -> np.ndarray:
    """[1] PLAYOUT_POLICY with these parameters."""
    policies = np.zeros(1, PLAYOUT_POLICY)
    fill_record(policies[0], PlayoutParams, params)
    return policies
