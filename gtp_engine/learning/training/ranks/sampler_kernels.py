"""Compiled sampling: games replayed to a random position, what the network sees there and what it should say."""

from typing import NamedTuple

import numpy as np

from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.network.features import SYMMETRIES, fill_planes, take_leaf_survey, transformed
from gtp_engine.go.points import BLACK, MAX_SIZE
from gtp_engine.go.rank_names import UNKNOWN_RANK
from gtp_engine.learning.training.record_kernels import is_playable, replay
from gtp_engine.learning.training.records import OWNER_UNKNOWN, RESIGNED

NOTHING = -1  # a move to predict that isn't there
MOST_VAIN = 5000  # draws for a batch; in real records a few of a thousand games hold an illegal move
RANK_HIDDEN = 8  # one of so many ranks is kept from the network, so that it also knows what to play for an unknown one
KOMI_SPREAD = 15  # points: a counted game is judged with up to this much more or less komi, so that the network learns what komi does
SEARCH_SHARE = 0.5  # of the value of a searched position that the search's own chance to win makes up; the rest is the game's result
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # splitmix64 (Steele, Lea and Flood 2014)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


GAME = np.dtype(
    [
        ("start", np.int64),  # of its moves among those of all games
        ("length", np.int64),  # moves
        ("winner", np.float64),  # 1 Black, -1 White, 0 drawn
        ("margin", np.float64),  # points, or RESIGNED
        ("komi", np.float64),
        ("ranks", np.int64, 2),  # of Black and of White, as in Records; UNKNOWN_RANK
        ("accepted", np.float64),  # share of the draws of its positions that are kept: below 1 for games of which there are many alike
        ("owners", np.int64),  # the game's row in RecordArrays.owners, or NOTHING
    ],
    align=True,
)

SEARCHED = np.dtype(
    [
        ("place", np.int64),  # of the position: that of the move played from it, among those of all games
        ("first", np.int64),  # of its moves in RecordArrays.visits
        ("count", np.int64),  # of its moves there
        ("chance", np.float64),  # of the side to move to win, as the search saw it
    ],
    align=True,
)

VISITS = np.dtype([("move", np.int64), ("visits", np.float64)], align=True)


class RecordArrays(NamedTuple):
    """Records as compiled code reads them."""

    moves: np.ndarray  # of all games, one after the other
    games: np.ndarray  # [G] GAME
    owners: np.ndarray  # [., S * S] int8, see Records.owners: rows of the games where they are known
    searched: np.ndarray  # [N] SEARCHED; when there are any, only these positions are drawn
    visits: np.ndarray  # [K] VISITS


DRAW = np.dtype(
    [
        ("random", np.uint64),  # state of the generator
        ("size", np.int64),  # lines of the boards
        ("augment", np.int32),  # 1: positions are turned by a random symmetry, and half of those of counted games get a random komi
    ],
    align=True,
)

ROW = np.dtype(
    [
        ("move", np.int64),  # the move played, row * S + column or S * S for a pass, turned as the planes are
        ("reply", np.int64),  # the move after it, or NOTHING
        ("number", np.int64),  # moves played before
        ("left", np.int64),  # moves that were still played, this one included: 0 at the end of the game
        ("value", np.float32),  # 1 when the side to move won, 0.5 drawn
        ("score", np.float32),  # points that it won by; not a number when the game was resigned
        ("rank", np.int64),  # of the side to move, or UNKNOWN_RANK
        ("policy", np.float32, (MAX_SIZE * MAX_SIZE + 1,)),  # [S * S + 1] share of each move, in all 1: of the one played, or of visits
        ("owners", np.int8, (MAX_SIZE * MAX_SIZE,)),  # [S * S] whose each point is at the end: 1 own, -1 the opponent's, 0; OWNER_UNKNOWN
    ],
    align=True,
)


@inner
def next_random(draw):
    """The next 64 bits of draw.random (splitmix64)."""
    draw.random += GOLDEN
    mixed = draw.random
    mixed = (mixed ^ (mixed >> np.uint64(30))) * MIX_1
    mixed = (mixed ^ (mixed >> np.uint64(27))) * MIX_2
    return mixed ^ (mixed >> np.uint64(31))


@inner
def below(draw, limit):
    """A random integer 0 .. limit - 1."""
    return np.int64(next_random(draw) % np.uint64(limit))


@inner
def share(draw):
    """A random number 0 .. 1."""
    return np.float64(next_random(draw) >> np.uint64(11)) * 2.0**-53


@inner
def transformed_move(move, size, symmetry):
    """A move of a record after a symmetry of the board."""
    if move >= size * size:
        return move
    row, column = transformed(move // size, move % size, size, symmetry)
    return row * size + column


@inner
def write_answers(position, moves, number, game, used_komi, symmetry, row):
    """What the network should say of the position before move `number` of `game`, a GAME whose moves these are, in `row`, a ROW."""
    size = np.int64(position.board_size)
    length = len(moves)
    move = np.int64(moves[number]) if number < length else size * size
    row.number, row.left = number, length - number
    row.move = transformed_move(move, size, symmetry)
    row.reply = transformed_move(np.int64(moves[number + 1]), size, symmetry) if number + 1 < length else NOTHING
    sign = 1.0 if position.to_play == BLACK else -1.0
    row.rank = game.ranks[0] if position.to_play == BLACK else game.ranks[1]
    if game.margin == RESIGNED:
        row.value = 0.5 + 0.5 * game.winner * sign
        row.score = np.nan
        return
    lead = (game.winner * game.margin + game.komi - used_komi) * sign
    row.score = lead
    row.value = 0.5 if lead == 0.0 else (1.0 if lead > 0.0 else 0.0)


@inner
def write_policy(source, k, size, symmetry, row):
    """The shares of the moves: those of search `k`'s visits, or, where k is NOTHING, all for row.move."""
    row.policy[: size * size + 1] = 0.0
    if k == NOTHING:
        row.policy[row.move] = 1.0
        return
    search = source.searched[k]
    visits = source.visits[search.first : search.first + search.count]
    total = visits["visits"].sum()
    for i in range(len(visits)):
        row.policy[transformed_move(visits[i].move, size, symmetry)] += visits[i].visits / total


@inner
def write_owners(source, game, to_play, size, symmetry, row):
    """Whose each point was at the end of the game, for the side to move."""
    row.owners[: size * size] = OWNER_UNKNOWN
    if game.owners == NOTHING:
        return
    sign = 1 if to_play == BLACK else -1
    for place in range(size * size):
        row.owners[transformed_move(place, size, symmetry)] = sign * source.owners[game.owners, place]


@inner
def can_ask(leaf, moves, number, size):
    """Play the game up to move `number`: are all moves so far, and this one if there is one, legal?"""
    position = leaf.position
    if replay(position, moves, number, size, leaf.moves) < number:
        return False
    return number >= len(moves) or is_playable(position, np.int64(moves[number]), size)


@inner
def draw_komi(draw, game, k):
    """The komi by which the position is judged: half of the counted games of no search get another one."""
    if game.margin != RESIGNED and k == NOTHING and below(draw, 2) == 0:
        return game.komi + below(draw, 2 * KOMI_SPREAD + 1) - KOMI_SPREAD
    return np.float64(game.komi)


@entry
def write_batch(source, draws, work, policies, models, planes, rows):
    """Fill `planes` and `rows` with random positions of random games; gives back how many were drawn in vain (an illegal move before).

    Every position of every game, or every searched one, is as likely as any other; instead of every second empty board of a counted game,
    the position after its last move is taken, where a pass is right.
    `source` are RecordArrays, `draws` [1] DRAW, `work` ([1] LEAF, [1] LEAF_SCRATCH), overwritten, `models` [1] MODEL, `policies` [1]
    PLAYOUT_POLICY, `planes` float32 [B, PLANES, S, S], `rows` [B] ROW. Gives up after MOST_VAIN: the last rows are then as they were, and
    -1 is given back.
    """
    draw, leaf, scratch, games, searched = draws[0], work[0][0], work[1][0], source.games, source.searched
    total = games[-1].start + games[-1].length
    vain, row = 0, 0
    while row < len(rows):
        k = below(draw, len(searched)) if len(searched) > 0 else NOTHING
        drawn = searched[k].place if k != NOTHING else below(draw, total)
        game = games[np.searchsorted(games["start"], drawn, side="right") - 1]
        number = drawn - game.start
        if number == 0 and k == NOTHING and game.margin != RESIGNED and below(draw, 2) == 0:
            number = game.length
        if draw.augment and game.accepted < 1.0 and share(draw) >= game.accepted:
            continue
        moves = source.moves[game.start : game.start + game.length]
        if not can_ask(leaf, moves, number, draw.size):
            vain += 1
            if vain > MOST_VAIN:
                return -1
            continue
        leaf.symmetry, leaf.komi = 0, game.komi
        if draw.augment:
            leaf.symmetry = below(draw, SYMMETRIES)
            leaf.komi = draw_komi(draw, game, k)
        take_leaf_survey(leaf, scratch, policies[0])
        fill_planes(leaf, scratch, models[0], planes[row])
        write_answers(leaf.position, moves, number, game, leaf.komi, leaf.symmetry, rows[row])
        write_policy(source, k, draw.size, leaf.symmetry, rows[row])
        write_owners(source, game, leaf.position.to_play, draw.size, leaf.symmetry, rows[row])
        if k != NOTHING:
            rows[row].value += SEARCH_SHARE * (searched[k].chance - rows[row].value)
        if draw.augment and rows[row].rank != UNKNOWN_RANK and below(draw, RANK_HIDDEN) == 0:
            rows[row].rank = UNKNOWN_RANK
        row += 1
    return vain
