"""From a KataGo network's output to an answer."""

import numpy as np

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.network.katago.model import Scales
from gtp_engine.engine.network.symmetry import transformed
from gtp_engine.engine.playout.proved_fights import correct_owners
from gtp_engine.engine.playout.survey import mixed_with_survey
from gtp_engine.engine.search.leaf import NO_SUPERKO
from gtp_engine.engine.search.puct import policy_index
from gtp_engine.go.points import BLACK, POINTS

VOTES = 100  # for each ownership, which keeps hundredths

READING = np.dtype(
    [
        ("lead", np.float64),  # points for each unit of the output
        ("root_optimism", np.float64),  # share of the optimistic policy at the root, if the network has one
        ("optimism", np.float64),  # the same below the root
    ],
    align=True,
)
ROOT_OPTIMISM, OPTIMISM = 0.2, 1.0
LEAD_SCALE = 4.0  # points of lead that mean a win rate of 73 %
COUNT_SCALE = 1.0  # the same for a counted lead
# The network's mean certainty of the owners, 0..1: up to the first only its own lead counts, from the second on only the count.
OPEN, SETTLED = 0.97, 0.985
OWN_CHANCE = 10.0  # points of correction that reduce the weight of the network's own win rate to a third


def reading_of(scales: Scales, is_human: bool) -> np.ndarray:
    """[1] READING for a network with these scales. Of a human network only the plain policy is used, because it predicts people's moves."""
    optimism = (0.0, 0.0) if is_human else (ROOT_OPTIMISM, OPTIMISM)
    return np.array([(scales.lead, *optimism)], READING)


@inner
def corrected_win(win, lead, gained, scale):
    """The win rate with so many points more than the network's `lead`. `scale`: points of lead that mean a win rate of 73 %.

    The more points are gained, the more it moves from the network's own win rate to the win rate that follows from the lead alone. More
    points never mean a lower win rate.
    """
    before, after = 1.0 / (1.0 + np.exp(-lead / scale)), 1.0 / (1.0 + np.exp(-(lead + gained) / scale))
    chance = min(max(after + (win - before) * np.exp(-abs(gained) / OWN_CHANCE), 0.0), 1.0)
    return max(chance, win) if gained > 0.0 else min(chance, win)


@inner
def counted_lead(owners, lead, komi, size):
    """Black's lead in points: the surer the network is of the owners, the more weight has a count of the area.

    `owners` [P] from -VOTES (White) to VOTES (Black). `lead`: the network's own for Black. On a settled board it is less accurate than the
    owners, and it is far off in framed problems, whose komi is unlike any game's.
    """
    area, sure = np.int64(0), np.int64(0)
    for point in range(POINTS):
        area += owners[point]
        sure += abs(owners[point])
    certainty = sure / (VOTES * np.float64(size * size))
    share = min(max((certainty - OPEN) / (SETTLED - OPEN), 0.0), 1.0)
    return lead + share * (area / np.float64(VOTES) - komi - lead)


@entry
def decode_outputs(leaves, answers, readings, policy, value, score, owners):
    """Turn the network's outputs about leaves[0], [1] LEAF, into answers[0], [1] ANSWER.

    `readings` [1] READING; `policy` float32 [C, S * S + 1] logits, `value` [3] logits of won, lost and no result, `score` [4 or 6], the
    third the lead, `owners` [S * S] -1..1, all for the side to move, on the turned board.
    """
    leaf, answer, reading = leaves[0], answers[0], readings[0]
    position = leaf.position
    size = np.int64(position.board_size)
    optimism = reading.root_optimism if leaf.is_root else reading.optimism
    sign = 1.0 if position.to_play == BLACK else -1.0
    answer.owners[:] = 0
    for k in range(position.board_size * size + 1):
        row, column, k_seen = 0, 0, k
        if k < size * size:
            row, column = transformed(k // size, k % size, size, leaf.symmetry)
            k_seen = row * size + column
        logit = policy[0, k_seen]
        if len(policy) > 1:
            logit += (policy[1, k_seen] - logit) * optimism
        answer.policy[k] = logit
    for point in range(POINTS):
        if position.color[point] < 3:
            k = policy_index(point, size)
            row, column = transformed(k // size, k % size, size, leaf.symmetry)
            answer.owners[point] = np.int32(np.round(VOTES * sign * owners[row * size + column]))
    answer.votes = VOTES
    highest = max(value[0], value[1], value[2])
    won, lost = np.exp(np.float64(value[0] - highest)), np.exp(np.float64(value[1] - highest))
    # no result is possible only if positions may repeat without end
    none = np.exp(np.float64(value[2] - highest)) if leaf.superko == NO_SUPERKO or leaf.is_territory == 1 else 0.0
    total = won + lost + none
    win, lead = (won + 0.5 * none) / total, score[2] * reading.lead * (won + lost) / total
    gained = sign * correct_owners(leaf.survey.proved_fights, answer.owners, VOTES)
    if gained != 0.0:
        win, lead = corrected_win(win, lead, gained, LEAD_SCALE), lead + gained
    if leaf.counts_area:
        counted = sign * counted_lead(answer.owners, sign * lead, leaf.komi, size)
        win, lead = corrected_win(win, lead, counted - lead, COUNT_SCALE), counted
    answer.win, answer.lead = mixed_with_survey(leaf.survey, leaf.playout_share, position.to_play, win, lead)
