"""Compiled helpers for the tests of tactics, patterns and nakade: each asks one question about positions[0]."""

import numpy as np

from gtp_engine.compiled.copying import copy_record
from gtp_engine.compiled.jit import entry
from gtp_engine.engine.playout.policy import heavy_move, note_all_ataris
from gtp_engine.engine.playout.survey import take_survey
from gtp_engine.go.nakade import LARGEST_SPACE, is_nakade_filling, vital_answer, vital_point
from gtp_engine.go.patterns import fits_pattern, pattern_code
from gtp_engine.go.points import NO_POINT
from gtp_engine.go.tactics import capture_beside, is_caught, is_caught_after, is_self_atari, liberties_after, liberties_of


@entry
def count_liberties(positions, point):
    """liberties_of."""
    return liberties_of(positions[0], point)


@entry
def count_liberties_after(positions, point, color, most):
    """liberties_after."""
    return liberties_after(positions[0], point, color, most)


@entry
def puts_itself_in_atari(positions, point, color):
    """is_self_atari."""
    return is_self_atari(positions[0], point, color)


@entry
def find_capture_beside(positions, point):
    """capture_beside."""
    return capture_beside(positions[0], point)


@entry
def has_pattern(positions, point, color):
    """fits_pattern."""
    return fits_pattern(positions[0], point, color)


@entry
def code_of(positions, point):
    """pattern_code."""
    return pattern_code(positions[0], point)


@entry
def find_vital_point(positions, start):
    """vital_point."""
    return vital_point(positions[0], start, np.zeros(LARGEST_SPACE, np.uint16))


@entry
def find_vital_answer(positions):
    """vital_answer."""
    return vital_answer(positions[0], np.zeros(LARGEST_SPACE, np.uint16))


@entry
def fills_an_eye_space(positions, point, color):
    """is_nakade_filling."""
    return is_nakade_filling(positions[0], point, color, np.zeros(LARGEST_SPACE, np.uint16))


@entry
def draw_policy_moves(positions, policies, scratches, count, hits):
    """How often the heavy policy draws each point, or PASS, as the first move of a playout from positions[0]; adds to hits[P]."""
    scratch, suggestions = scratches[0].position, scratches[0].suggestions
    for _ in range(count):
        copy_record(positions[1], positions[0])
        note_all_ataris(positions[1], suggestions)
        hits[heavy_move(positions[1], policies[0], suggestions, scratch)] += 1
        positions[0].random = positions[1].random


@entry
def find_ladder_capture(positions, i, point, scratches):
    """Where the opponent catches the chain on `point` of positions[i] in a ladder: its last liberty, one of two, or NO_POINT.

    scratches[0], a POSITION, is overwritten.
    """
    scratch = scratches[0]
    count, first, second = liberties_of(positions[i], point)
    if count == 1:
        return first
    if count == 2:
        if is_caught_after(positions[i], scratch, point, first):
            return first
        if is_caught_after(positions[i], scratch, point, second):
            return second
    return NO_POINT


@entry
def is_lost_in_ladder(positions, i, point, scratches):
    """Is the chain on `point` of positions[i], in atari with its owner to play, caught whatever it does? Overwrites scratches[0]."""
    return is_caught(positions[i], scratches[0], point)


@entry
def survey_first(surveys, count, komi, positions, policies, suggestions):
    """take_survey of positions[0] into surveys[0].

    `positions` [3] POSITION, `policies` [1] PLAYOUT_POLICY, `suggestions` [1] SUGGESTIONS, zeros.
    """
    take_survey(surveys[0], count, komi, positions[0], positions[1], positions[2], policies[0], suggestions[0])
