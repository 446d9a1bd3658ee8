"""The moves that the heavy policy suggests in a position, with reasons, for people and tests. Playouts don't use this module."""

from typing import NamedTuple

import numpy as np

from gtp_engine.compiled.jit import entry
from gtp_engine.engine.playout.policy import (
    REASONS,
    SUGGESTIONS,
    note_all_ataris,
    suggest_atari_answers,
    suggest_captures,
    suggest_nakade,
    suggest_patterns,
    suggest_two_liberties,
)
from gtp_engine.go.game import Game
from gtp_engine.go.points import NO_POINT, PASS

# The kinds of suggestion in the order in which a playout looks for them, each by the name of its probability in PLAYOUT_POLICY.
KINDS = ("answer_atari", "nakade", "two_liberties", "pattern", "capture")
ANSWER_ATARI, NAKADE, TWO_LIBERTIES, PATTERN, CAPTURE = range(len(KINDS))


class Suggestion(NamedTuple):
    """A move that the policy may choose for a reason."""

    point: int
    reason: str
    probability: float  # that a playout plays this move next, for this reason


@entry
def suggest_kind(positions, policies, suggestions_array, kind):
    """Fill suggestions_array[0] with the suggestions of one of KINDS in positions[0], which doesn't change; positions[1] is overwritten."""
    position, policy, suggestions = positions[0], policies[0], suggestions_array[0]
    color = position.to_play
    suggestions.count = 0
    if kind == CAPTURE:
        note_all_ataris(position, suggestions)
        suggest_captures(position, suggestions, color)
    elif position.last_move != PASS and position.last_move != NO_POINT:
        if kind == ANSWER_ATARI:
            suggest_atari_answers(position, policy, suggestions, positions[1], color)
        elif kind == NAKADE:
            suggest_nakade(position, suggestions, color)
        elif kind == TWO_LIBERTIES:
            suggest_two_liberties(position, suggestions, color)
        else:
            suggest_patterns(position, suggestions, color, position.last_move)
            if position.previous_move > PASS:
                suggest_patterns(position, suggestions, color, position.previous_move)


def explain(game: Game, policies: np.ndarray) -> list[Suggestion]:
    """The suggestions that a heavy playout considers for its first move from the game's position, in the order of preference.

    `policies` is [1] PLAYOUT_POLICY. The remaining probability goes to moves without a reason. A playout tries the kinds in order, each
    with its probability, and plays one of the suggestions of the first kind that has any, all equally likely.
    """
    positions, suggestions = game.positions.copy(), np.zeros(1, SUGGESTIONS)
    reasons: list[Suggestion] = []
    remaining = 1.0  # the probability that no earlier kind gave a move
    for kind, name in enumerate(KINDS):
        chance = remaining * float(policies[0][name])
        if chance == 0.0:
            continue
        suggest_kind(positions, policies, suggestions, kind)
        count = int(suggestions[0]["count"])
        for i in range(count):
            reasons.append(Suggestion(int(suggestions[0]["point"][i]), REASONS[suggestions[0]["reason"][i]], chance / count))
        remaining -= chance if count else 0.0
    return reasons
