"""Surveys: the combined result of a few playouts from one position."""

import numpy as np

from gtp_engine.compiled.copying import copy_record
from gtp_engine.compiled.jit import inner
from gtp_engine.engine.playout.playout import TALLY, count_end, play_to_end
from gtp_engine.engine.playout.proved_fights import PROVED_FIGHTS, apply_proved_fights
from gtp_engine.go.points import WHITE

SURVEY = np.dtype(
    [
        ("tally", TALLY),  # of these playouts alone: their number, and who owned each point
        ("wins", np.float64),  # Black's, komi counted in; a draw is half of one
        ("lead", np.float64),  # Black's points minus White's in all playouts together, komi counted in
        ("proved_fights", PROVED_FIGHTS),  # of the position; with none, playouts are scored as they end
    ],
    align=True,
)


@inner
def take_survey(survey, count, komi, position, start, scratch, policy, suggestions):
    """Fill `survey`, except `proved_fights`, by `count` playouts from `position`, of which only the random state changes.

    `komi`: points that White gets. `start` and `scratch`, two more POSITIONs, are overwritten.
    """
    copy_record(start, position)
    tally = survey.tally
    tally.playouts, tally.score_sum, survey.wins, survey.lead = 0, 0.0, 0.0, 0.0
    tally.ownership[:] = 0
    for _ in range(count):
        play_to_end(position, policy, tally, suggestions, scratch)
        apply_proved_fights(position, survey.proved_fights)
        lead = count_end(position, tally) - komi
        survey.wins += 0.5 if lead == 0.0 else (1.0 if lead > 0.0 else 0.0)
        survey.lead += lead
        random = position.random  # continues, or all playouts would be the same
        copy_record(position, start)
        position.random = random


@inner
def mixed_with_survey(survey, share, to_play, win, lead):
    """`win` and `lead` of the player to move, mixed with this share of the playouts' results. With a share of 0 the survey may be empty."""
    if share == 0.0:
        return win, lead
    played, played_lead = survey.wins / survey.tally.playouts, survey.lead / survey.tally.playouts
    if to_play == WHITE:
        played, played_lead = 1.0 - played, -played_lead
    return win + share * (played - win), lead + share * (played_lead - lead)
