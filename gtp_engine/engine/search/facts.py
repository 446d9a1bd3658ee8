"""Facts: results of fights that a solver has proved, looked up again at every node of the tree.

A fight is about one chain, the target, in one region of the board: is it captured, and perhaps, does it get two eyes? Its facts lie in a
table under a hash of the stones in the region and of the player to move. They hold as long as the surrounding stones are unchanged. The
solver assumes that these live; where that isn't proved, a fact counts only while they seem to live. This package doesn't ask or prove
anything: it receives the records.
"""

import numpy as np

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.playout.proved_fights import LARGE_TARGET, MOST_FIGHT_POINTS, MOST_FIGHTS, SEKI
from gtp_engine.go.points import BLACK, EMPTY, NO_POINT, WHITE
from gtp_engine.go.position import ADJACENT, LIBERTY, ZOBRIST, in_atari, is_single_liberty

# What is known of a fight: nothing; whether the target is taken; the same, and that it gets no two eyes; as it isn't taken, whether it gets
# two eyes.
NOTHING, TAKEN, TAKEN_OR_SEKI, EYES = 0, 1, 2, 3
MOST_SURROUNDING = 96  # points beside a region

FIGHT = np.dtype(
    [
        ("points", np.uint16, (MOST_FIGHT_POINTS,)),  # of the region: empty points to play on, and stones that can be taken
        ("count", np.int32),  # of `points`
        ("target_count", np.int32),
        ("targets", np.uint16, (MOST_FIGHT_POINTS,)),  # the points of the target when the solver ran
        ("surrounding", np.uint16, (MOST_SURROUNDING,)),  # the points beside the region
        ("surrounding_colors", np.uint8, (MOST_SURROUNDING,)),  # their required colors
        ("surrounding_count", np.int32),
        ("assumed_alive", np.uint16, (MOST_SURROUNDING,)),  # a stone of each surrounding chain whose life is assumed, not proved
        ("assumed_count", np.int32),
        ("trusted", np.int32, (4,)),  # by color, 1: proofs that this player reaches its goal may be believed
        ("target", np.int32),  # a stone of the target
        ("owner", np.int32),  # of the target: BLACK or WHITE
        ("may_be_seki", np.int32),  # 1: if the target is neither taken nor gets two eyes, it may be believed to be in seki
        ("is_largest", np.int32),  # 1: the largest of the fights whose regions overlap; its outcome is that of the whole region
        ("base", np.uint64),  # mixed into the hash of the region's stones, for facts about whether the target is taken
        ("eyes_base", np.uint64),  # the same for facts about whether it gets two eyes; 0: there are none
        ("turn", np.uint64),  # mixed in when the target's owner is to play
    ],
    align=True,
)
READING = np.dtype([("count", np.int32), ("fight", FIGHT, (MOST_FIGHTS,))], align=True)  # the first `count` are valid, the largest first

FACT = np.dtype(
    [
        ("key", np.uint64),  # NO_FACT: an empty place
        ("winner", np.uint8),  # BLACK or WHITE: whose the target's points will be
        ("is_sure", np.uint8),  # 1: with any ko threats; 0: with none on either side
        ("move", np.uint16),  # the winning move if the winner is to play; NO_POINT otherwise
    ],
    align=True,
)
NO_FACT = np.uint64(0)
ONE = np.uint64(1)


def new_facts(count: int = 0) -> np.ndarray:
    """An empty table for so many facts."""
    return np.zeros(1 << max(2 * count, 1).bit_length(), FACT)


@inner
def place_of(facts, key):
    """The place of the fact with this key in the table, or the empty place for it."""
    mask = np.uint64(len(facts) - 1)
    place = key & mask
    while facts[place].key != key and facts[place].key != NO_FACT:
        place = (place + ONE) & mask
    return place


@entry
def add_facts(facts, fresh):
    """Add the FACTs `fresh` to the table, which must be at most half full afterwards. A known fact stays, unless the new one is sure."""
    for i in range(len(fresh)):
        fact = facts[place_of(facts, fresh[i].key)]
        if fact.key == NO_FACT or (fresh[i].is_sure == 1 and fact.is_sure == 0):
            fact.key, fact.winner, fact.is_sure, fact.move = fresh[i].key, fresh[i].winner, fresh[i].is_sure, fresh[i].move


@inner
def is_surrounded(position, fight):
    """True if the stones around the region are unchanged and none of them is in atari."""
    for i in range(fight.surrounding_count):
        point = np.int64(fight.surrounding[i])
        if position.color[point] != fight.surrounding_colors[i]:
            return False
    for i in range(fight.surrounding_count):
        point = np.int64(fight.surrounding[i])
        if position.color[point] != EMPTY and in_atari(position, point):
            return False
    return True


@inner
def are_assumed_alive(position, fight, color):
    """True if the chains of this color that are assumed to live have two liberties each outside the region.

    The solver would now include chains with fewer liberties in the region.
    """
    for i in range(fight.assumed_count):
        stone = np.int64(fight.assumed_alive[i])
        if position.color[stone] == color and is_single_liberty(liberties_outside(position, fight, position.chain[stone])):
            return False
    return True


@inner
def is_believed(position, fight, kind, winner):
    """True if facts of this kind may say that `winner` reaches its goal."""
    attacker = WHITE + BLACK - fight.owner
    if kind == EYES and winner == attacker:
        return fight.may_be_seki == 1 and are_assumed_alive(position, fight, BLACK) and are_assumed_alive(position, fight, WHITE)
    return fight.trusted[winner] == 1 and are_assumed_alive(position, fight, winner)


@inner
def liberties_outside(position, fight, chain):
    """The packed liberties of a chain, see position.py, without those in the region."""
    packed = position.liberties[chain]
    for i in range(fight.count):
        point = np.int64(fight.points[i])
        if position.color[point] == EMPTY:
            for d in range(4):
                beside = point + ADJACENT[d]
                if (position.color[beside] == BLACK or position.color[beside] == WHITE) and position.chain[beside] == chain:
                    packed -= LIBERTY[point]
    return packed


@inner
def hash_stones(position, fight):
    """The hash of the stones in the region; NO_FACT if the position doesn't belong to the fight."""
    stones = np.uint64(0)
    for i in range(fight.count):
        point = np.int64(fight.points[i])
        color = position.color[point]
        if color != EMPTY:
            stones ^= ZOBRIST[color, point]
        elif point == position.ko_point:
            return NO_FACT
    return stones if position.color[fight.target] == fight.owner and is_surrounded(position, fight) else NO_FACT


@inner
def find_fact(facts, fight, key, color):
    """The place in the table of the fact with `color` to play; it may be empty."""
    return place_of(facts, key ^ fight.turn if color == fight.owner else key)


@inner
def judge_fight(facts, fight, key, color, proved):
    """Fill winner, move and is_sure of `proved` for a fight with `color` to play; False if nothing is known."""
    now = facts[find_fact(facts, fight, key, color)]
    passed = facts[find_fact(facts, fight, key, WHITE + BLACK - color)]
    proved.winner, proved.move, proved.is_sure = EMPTY, NO_POINT, 0
    if passed.key != NO_FACT and passed.winner == color:  # the winner even if the opponent plays first
        if passed.is_sure == 1:
            proved.winner, proved.is_sure = color, 1
        return passed.is_sure == 1
    if now.key == NO_FACT:
        return False
    if now.winner != color:
        proved.winner, proved.is_sure = (now.winner, 1) if now.is_sure == 1 else (EMPTY, 0)
        return now.is_sure == 1
    proved.winner, proved.move, proved.is_sure = color, now.move, 1
    if now.is_sure == 0:
        proved.winner, proved.is_sure = EMPTY, 0
    return True


@inner
def judge_target(facts, fight, stones, color, proved):
    """Fill winner, move and is_sure of `proved` for the target with `color` to play; returns the kind of fact."""
    attacker = WHITE + BLACK - fight.owner
    kind = TAKEN if judge_fight(facts, fight, stones ^ fight.base, color, proved) else NOTHING
    winner, move, is_sure = proved.winner, proved.move, proved.is_sure
    if fight.eyes_base == NO_FACT or (kind == TAKEN and winner == attacker and move == NO_POINT):
        return kind
    if judge_fight(facts, fight, stones ^ fight.eyes_base, color, proved):
        if kind == NOTHING or move == NO_POINT:
            if proved.winner == fight.owner or (kind == TAKEN and fight.may_be_seki == 1):
                return EYES
        elif proved.winner == attacker and proved.move == NO_POINT and fight.may_be_seki == 1:
            kind = TAKEN_OR_SEKI
    proved.winner, proved.move, proved.is_sure = winner, move, is_sure
    return kind


@inner
def holds_attackers(position, fight):
    """True if stones of the attacker are in the region."""
    attacker = WHITE + BLACK - fight.owner
    for i in range(fight.count):
        if position.color[fight.points[i]] == attacker:
            return True
    return False


@inner
def write_points(position, fight, kind, proved):
    """Write the points that go to the winner: those of the region, or only the target's if another fight decides the region.

    In that case a small captured target decides nothing, because it may have been a sacrifice. If the target isn't captured, all stones
    stay if the attacker's stones beside it may live in seki; if they may be dead, only the target goes to its owner.
    """
    is_kept = proved.winner == fight.owner and proved.move == NO_POINT
    is_in_doubt = kind == TAKEN and is_kept and holds_attackers(position, fight)
    proved.target_count = fight.target_count
    proved.targets[:] = fight.targets
    proved.stays = 0
    if fight.is_largest == 1 and (fight.may_be_seki == 1 or not is_in_doubt):
        proved.stays = 1 if is_in_doubt else 0
        proved.count = fight.count
        proved.points[:] = fight.points
        for i in range(proved.count):
            proved.colors[i] = position.color[proved.points[i]]
        return
    proved.count = fight.target_count
    proved.points[:] = fight.targets
    if not is_kept:
        proved.winner = EMPTY


@inner
def look_up(reading, facts, position, proved_fights):
    """Fill `proved_fights` with the known outcomes of the position's fights, see proved_fights.py.

    If several large fights need a move, the players win them in turns. Small ones have no winner: the player who wins one gives the
    opponent a move elsewhere, which may be worth more, and a leaf that counts only the first makes every small fight look urgent.
    """
    proved_fights.count = 0
    mover = np.int64(position.to_play)
    taker = mover
    for k in range(reading.count):
        fight = reading.fight[k]
        stones = hash_stones(position, fight)
        if stones == NO_FACT:
            continue
        proved = proved_fights.fight[proved_fights.count]
        kind = judge_target(facts, fight, stones, mover, proved)
        if kind == NOTHING or (proved.winner != EMPTY and not is_believed(position, fight, kind, proved.winner)):
            continue
        write_points(position, fight, kind, proved)
        if proved.move != NO_POINT and proved.winner != EMPTY:  # the player who moves there wins it
            if position.passes >= 2 or proved.target_count < LARGE_TARGET:
                proved.winner = EMPTY
            else:
                proved.winner, taker = taker, WHITE + BLACK - taker
        if kind == EYES and proved.winner == WHITE + BLACK - fight.owner:
            proved.winner = SEKI if fight.may_be_seki == 1 else EMPTY
        elif kind == TAKEN_OR_SEKI and proved.winner == fight.owner:
            proved.winner = SEKI
        proved_fights.count += 1


@entry
def look_up_first(readings, facts, positions, proved_fights):
    """look_up for positions[0] into proved_fights[0]; `readings` [1] READING."""
    look_up(readings[0], facts, positions[0], proved_fights[0])
