"""Compiled sampling: games replayed to a random position, what the network sees there and what it should say."""

import numpy as np

from gtp_engine.go.points import BLACK, NO_POINT, PASS, STRIDE
from gtp_engine.go.position import clear_position, legality, play_move
from gtp_engine.jit import entry, inner
from gtp_engine.network.features import HISTORY, SURVEY_PLAYOUTS, SYMMETRIES, fill_planes, transformed
from gtp_engine.playout.survey import take_survey
from gtp_engine.training.records import RESIGNED

NOTHING = -1  # a move to predict that isn't there
KOMI_SPREAD = 15  # points: a counted game is judged with up to this much more or less komi, so that the network learns what komi does
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # splitmix64 (Steele, Lea and Flood 2014)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@inner
def next_random(state):
    """The next 64 bits of state[0] (splitmix64)."""
    state[0] += GOLDEN
    mixed = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * MIX_1
    mixed = (mixed ^ (mixed >> np.uint64(27))) * MIX_2
    return mixed ^ (mixed >> np.uint64(31))


@inner
def below(state, limit):
    """A random integer 0 .. limit - 1."""
    return np.int64(next_random(state) % np.uint64(limit))


@inner
def point_of(move, size):
    """The point, or PASS, of a move of a record."""
    if move == size * size:
        return PASS
    return (size - move // size) * STRIDE + move % size + 1


@inner
def replay(position, moves, count, size, recent):
    """Play the first `count` moves on an empty board; gives back how many were played: fewer when one is illegal."""
    clear_position(position, size)
    recent[:] = NO_POINT
    for i in range(count):
        if not is_playable(position, np.int64(moves[i]), size):
            return i
        point = point_of(np.int64(moves[i]), size)
        play_move(position, point, position.to_play)
        for k in range(HISTORY - 1, 0, -1):
            recent[k] = recent[k - 1]
        recent[0] = point
    return count


@inner
def is_playable(position, move, size):
    """Is a move of a record on the board and legal (without superko)?"""
    return move <= size * size and legality(position, point_of(move, size), position.to_play, False) == 0


@inner
def transformed_move(move, size, symmetry):
    """A move of a record after a symmetry of the board."""
    if move >= size * size:
        return move
    row, column = transformed(move // size, move % size, size, symmetry)
    return row * size + column


@inner
def write_answers(
    position, moves, number, length, winner, margin, komi, used_komi, size, symmetry, row, out_moves, replies, values, scores
):
    """What the network should say of the position before move `number` of a game, in row `row` of the arrays."""
    move = np.int64(moves[number]) if number < length else size * size
    out_moves[row] = transformed_move(move, size, symmetry)
    replies[row] = transformed_move(np.int64(moves[number + 1]), size, symmetry) if number + 1 < length else NOTHING
    sign = 1.0 if position.to_play == BLACK else -1.0
    if margin == RESIGNED:
        values[row] = 0.5 + 0.5 * winner * sign
        scores[row] = np.nan
        return
    lead = (winner * margin + komi - used_komi) * sign
    scores[row] = lead
    values[row] = 0.5 if lead == 0.0 else (1.0 if lead > 0.0 else 0.0)


@entry
def write_batch(
    all_moves, starts, lengths, winners, margins, komis, size, random, augment,
    positions, policies, tallies, suggestions, surveys, models, looks, recent,
    planes, moves, replies, values, scores, numbers,
):  # fmt: skip
    """Fill the arrays of a Batch with random positions of random games; gives back how many were drawn in vain (an illegal move before).

    Every position of every game is as likely as any other; instead of every second empty board of a counted game, the position after
    its last move is taken, where a pass is right.
    With `augment`, positions are turned by a random symmetry and half of those of counted games get a random komi.
    `random` [1] uint64 is the state of the generator; `models` [1] MODEL, `policies` [1] POLICY.
    `positions` [3], `tallies`, `suggestions`, `surveys`, `looks` [1] and `recent` are working space.
    """
    total = starts[-1] + lengths[-1]
    vain, row = 0, 0
    while row < len(moves):
        drawn = below(random, total)
        game = np.searchsorted(starts, drawn, side="right") - 1
        length, margin = np.int64(lengths[game]), margins[game]
        number = drawn - starts[game]
        if number == 0 and margin != RESIGNED and below(random, 2) == 0:
            number = length
        game_moves = all_moves[starts[game] : starts[game] + length]
        position = positions[0]
        if replay(position, game_moves, number, size, recent) < number or (
            number < length and not is_playable(position, np.int64(game_moves[number]), size)
        ):
            vain += 1
            continue
        symmetry, used_komi = 0, np.float64(komis[game])
        if augment:
            symmetry = below(random, SYMMETRIES)
            if margin != RESIGNED and below(random, 2) == 0:
                used_komi += below(random, 2 * KOMI_SPREAD + 1) - KOMI_SPREAD
        take_survey(surveys[0], SURVEY_PLAYOUTS, used_komi, positions, 0, 1, 2, policies[0], tallies[0], suggestions[0])
        fill_planes(position, positions, 1, recent, used_komi, models[0], looks[0], surveys[0], symmetry, planes[row])
        write_answers(
            position,
            game_moves,
            number,
            length,
            winners[game],
            margin,
            komis[game],
            used_komi,
            size,
            symmetry,
            row,
            moves,
            replies,
            values,
            scores,
        )
        numbers[row] = number
        row += 1
    return vain
