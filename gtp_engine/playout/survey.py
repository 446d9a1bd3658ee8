"""Surveys: a few playouts from one position, and what they say of it together."""

import numpy as np

from gtp_engine.copying import copy_record
from gtp_engine.go.points import POINTS
from gtp_engine.go.score import add_playout_owners
from gtp_engine.jit import entry, inner
from gtp_engine.playout.playout import play_out
from gtp_engine.playout.policy import SUGGESTIONS

SURVEY = np.dtype(
    [
        ("playouts", np.int32),
        ("owners", np.int32, (POINTS,)),  # [P] playouts in which Black owned the point minus those in which White did
        ("wins", np.float64),  # Black's, komi counted in; a draw is half of one
        ("lead", np.float64),  # Black's points minus White's in all playouts together, komi counted in
    ],
    align=True,
)


@inner
def take_survey(survey, count, komi, positions, at, kept, slot, policy, tally, suggestions):
    """Fill `survey` by `count` playouts from positions[at], which keeps all but its random state; they count in `tally` as well.

    `komi`: points that White gets. positions[kept] and positions[slot] are overwritten.
    """
    position = positions[at]
    copy_record(positions[kept], position)
    survey.playouts, survey.wins, survey.lead = count, 0.0, 0.0
    survey.owners[:] = 0
    for _ in range(count):
        lead = play_out(position, policy, tally, suggestions, positions, slot) - komi
        add_playout_owners(position, survey.owners)
        survey.wins += 0.5 if lead == 0.0 else (1.0 if lead > 0.0 else 0.0)
        survey.lead += lead
        random = position.random  # goes on, or all playouts would be the same
        copy_record(position, positions[kept])
        position.random = random


@entry
def survey_first(surveys, count, komi, positions, policies, tallies):
    """take_survey of positions[0] into surveys[0]; `positions` [3], policies [1], tallies [1]."""
    suggestions = np.zeros(1, SUGGESTIONS)[0]
    take_survey(surveys[0], count, komi, positions, 0, 1, 2, policies[0], tallies[0], suggestions)
