"""What is proved of fights at the leaf of a simulation, and how that corrects playouts and networks with another outcome.

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
LARGE_TARGET = 6  # stones: a fight about so many is worth more than a move elsewhere
SEEN = 0.5  # share of the targets' points, -1..1, from which on a network sees what is proved
SEKI = 4  # in place of a winner: both sides' stones stay

PROVED_FIGHT = np.dtype(
    [
        ("points", np.uint16, (MOST_FIGHT_POINTS,)),  # where the fight is
        ("colors", np.uint8, (MOST_FIGHT_POINTS,)),  # of `points` at the leaf; of meaning where they stay
        ("targets", np.uint16, (MOST_FIGHT_POINTS,)),  # the points of the stones that it is about
        ("count", np.int32),  # of `points`
        ("target_count", np.int32),
        ("winner", np.int32),  # BLACK or WHITE: who owns the targets' points at the end; SEKI; EMPTY: nothing is proved of it
        ("move", np.int32),  # what the player to move at the leaf must play to win it; NO_POINT: nothing now
        ("stays", np.int32),  # 1: a playout that took the targets is corrected to the stones of the leaf; 0: the winner gets all points
        ("is_sure", np.int32),  # 1: proved; 0: `move` may depend on ko threats, and there is no `winner`
    ],
    align=True,
)
PROVED_FIGHTS = np.dtype(
    [("count", np.int32), ("fight", PROVED_FIGHT, (MOST_FIGHTS,))], align=True
)  # the first `count` are valid, the weightiest first


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
    """Give each fight whose proved outcome differs from the playout's to its winner. Then the position is good for counting only.

    In a seki the stones of the leaf stay, whatever the playout did with them.
    """
    for k in range(proved_fights.count):
        proved = proved_fights.fight[k]
        if proved.winner == EMPTY or (proved.winner != SEKI and owns_targets(position, proved)):
            continue
        for i in range(proved.count):
            position.color[proved.points[i]] = proved.colors[i] if proved.winner == SEKI or proved.stays == 1 else proved.winner


@inner
def owners_share(owners, votes, proved):
    """How surely the winner owns the targets' points, -1..1, by `owners` [P], which are from -votes (White) to votes (Black)."""
    total = np.int64(0)
    for i in range(proved.target_count):
        total += owners[proved.targets[i]]
    return (total if proved.winner == BLACK else -total) / (votes * np.float64(proved.target_count))


@inner
def correct_owners(proved_fights, owners, votes):
    """Give the points of each fight to its winner where `owners` differ; returns the points that Black gains by it, negative if White does.

    Fights that end in a seki are left as they are. See owners_share for the arguments.
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
