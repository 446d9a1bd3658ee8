"""Proved outcomes of fights at the leaf of a simulation, which correct playouts and networks that give another outcome.

Playouts lose fights that are won, because both sides play at random inside small eyes. If a solver has proved who wins a fight from the
leaf on, the end of the playout is changed before it is counted: the points of the fight go to the winner. Networks misread fights as well,
especially races between chains around a living group, so their owners are corrected in the same way.
"""

import numpy as np

from gtp_engine.compiled.jit import inner
from gtp_engine.go.points import BLACK, EMPTY
from gtp_engine.go.position import neighbor_count

MOST_FIGHTS = 8  # in one position
MOST_FIGHT_POINTS = 64  # of one fight
LARGE_TARGET = 6  # stones: a fight about at least so many is worth more than a move elsewhere
SEEN = 0.5  # share of the targets' points, -1..1, from which on a network agrees with the proof
SEKI = 4  # in place of a winner: both sides' stones stay

PROVED_FIGHT = np.dtype(
    [
        ("points", np.uint16, (MOST_FIGHT_POINTS,)),  # of the fight's region
        ("colors", np.uint8, (MOST_FIGHT_POINTS,)),  # of `points` at the leaf; used if they stay
        ("targets", np.uint16, (MOST_FIGHT_POINTS,)),  # the points of the stones at stake
        ("count", np.int32),  # of `points`
        ("target_count", np.int32),
        ("winner", np.int32),  # BLACK or WHITE: who owns the targets' points at the end; SEKI; EMPTY: nothing is proved
        ("move", np.int32),  # the move with which the player to move at the leaf wins it; NO_POINT: none is needed
        ("stays", np.int32),  # 1: a playout that took the targets is corrected to the stones of the leaf; 0: the winner gets all points
        ("is_sure", np.int32),  # 1: proved; 0: `move` may depend on ko threats, and there is no `winner`
    ],
    align=True,
)
PROVED_FIGHTS = np.dtype(
    [("count", np.int32), ("fight", PROVED_FIGHT, (MOST_FIGHTS,))], align=True
)  # the first `count` are valid, the largest first


@inner
def owns_targets(position, proved):
    """True if the winner owns at least half of the targets' points at this end of a playout."""
    owned = 0
    for i in range(proved.target_count):
        point = np.int64(proved.targets[i])
        color = position.color[point]
        if color == proved.winner or (color == EMPTY and neighbor_count(position.neighbors[point], proved.winner) == 4):
            owned += 1
    return 2 * owned >= proved.target_count


@inner
def apply_proved_fights(position, proved_fights):
    """Give the points of each fight to its proved winner if the playout's outcome differs. Afterwards the position is fit for scoring only.

    In a seki, the stones of the leaf are put back, whatever happened to them in the playout.
    """
    for k in range(proved_fights.count):
        proved = proved_fights.fight[k]
        if proved.winner == EMPTY or (proved.winner != SEKI and owns_targets(position, proved)):
            continue
        for i in range(proved.count):
            position.color[proved.points[i]] = proved.colors[i] if proved.winner == SEKI or proved.stays == 1 else proved.winner


@inner
def owners_share(owners, votes, proved):
    """The winner's average ownership of the targets' points, -1..1, from `owners` [P], which range from -votes (White) to votes (Black)."""
    total = np.int64(0)
    for i in range(proved.target_count):
        total += owners[proved.targets[i]]
    return (total if proved.winner == BLACK else -total) / (votes * np.float64(proved.target_count))


@inner
def correct_owners(proved_fights, owners, votes):
    """Give the points of each fight to its winner where `owners` differ; returns the points that Black gains, negative if White gains.

    Fights that end in seki don't change. See owners_share for the arguments.
    """
    gained = np.int64(0)
    for k in range(proved_fights.count):
        proved = proved_fights.fight[k]
        if proved.winner == EMPTY or proved.winner == SEKI or owners_share(owners, votes, proved) >= SEEN:
            continue
        for i in range(proved.count):
            owner = np.int64(proved.colors[i]) if proved.stays == 1 else np.int64(proved.winner)
            if owner == EMPTY:
                continue
            point = np.int64(proved.points[i])
            corrected = votes if owner == BLACK else -votes
            gained += corrected - owners[point]
            owners[point] = corrected
    return gained / np.float64(votes)
