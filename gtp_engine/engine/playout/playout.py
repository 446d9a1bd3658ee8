"""Playouts: from a position to the end of the game, with the score, and who owns each point in many of them."""

import numpy as np

from gtp_engine.compiled.copying import copy_record
from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.playout.policy import HEAVY, SUGGESTIONS, heavy_move, note_all_ataris, note_ataris, uniform_move
from gtp_engine.go.points import BLACK, EMPTY, NO_POINT, PASS, POINTS, WHITE
from gtp_engine.go.position import POSITION, play_move, play_stone
from gtp_engine.go.score import add_playout_owners

TALLY = np.dtype(
    [
        ("playouts", np.int64),  # counted so far
        ("score_sum", np.float64),  # of Black's points minus White's, without komi
        ("moves", np.int64),  # played so far in playouts
        ("ownership", np.int32, (POINTS,)),  # [P] playouts in which Black owned the point minus those in which White did
        ("first_player", np.uint8, (POINTS,)),  # [P] who played here first in the last simulation; EMPTY if nobody did
    ],
    align=True,
)

GAME_LENGTH = 3  # moves for each point of the board, after which a playout ends; only triple kos and the like last so long


PLAYOUT_SCRATCH = np.dtype(
    [
        ("position", POSITION),  # where moves are tried out
        ("suggestions", SUGGESTIONS),  # for the next move
    ],
    align=True,
)


@inner
def note_first_player(tally, point, color):
    """Record who played on `point` first."""
    if tally.first_player[point] == EMPTY:
        tally.first_player[point] = color


@inner
def play_out_light(position, tally, limit):
    """Play uniform moves to the end. Records only the number of moves in `position`, which saves a tenth of the time."""
    color = position.to_play
    passes, moves = 0, 0
    while passes < 2 and moves < limit:
        point = uniform_move(position, color)
        if point == PASS:
            passes += 1
            position.ko_point = NO_POINT
        else:
            passes = 0
            note_first_player(tally, point, color)
            play_stone(position, point, color)
        color = WHITE + BLACK - color
        moves += 1
    return moves


@inner
def play_out_heavy(position, policy, tally, suggestions, scratch, limit):
    """Play heavy moves to the end; `scratch` is overwritten."""
    passes, moves = 0, 0
    note_all_ataris(position, suggestions)
    while passes < 2 and moves < limit:
        point, color = heavy_move(position, policy, suggestions, scratch), position.to_play
        play_move(position, point, color)
        if point == PASS:
            passes += 1
        else:
            passes = 0
            note_first_player(tally, point, color)
            note_ataris(position, suggestions)
        moves += 1
    return moves


@inner
def play_to_end(position, policy, tally, suggestions, scratch):
    """Play `position` to the end by `policy`: two passes in a row, or GAME_LENGTH moves for each point. Doesn't score it, see count_end.

    `scratch`, another POSITION, is overwritten. The first player at each point is recorded in `tally`. Earlier entries are kept, because
    moves of the tree are among them.
    """
    limit = GAME_LENGTH * position.board_size * position.board_size
    if policy.policy == HEAVY:
        tally.moves += play_out_heavy(position, policy, tally, suggestions, scratch, limit)
    else:
        tally.moves += play_out_light(position, tally, limit)


@inner
def count_end(position, tally):
    """Score the end of a playout and add it to `tally`; returns Black's points minus White's without komi."""
    score = add_playout_owners(position, tally.ownership)
    tally.playouts += 1
    tally.score_sum += score
    return score


@inner
def play_out(position, policy, tally, suggestions, scratch):
    """play_to_end and count_end. Afterwards `position` is fit for scoring only."""
    play_to_end(position, policy, tally, suggestions, scratch)
    return count_end(position, tally)


@entry
def run_playouts(positions, policies, tallies, scratches, count):
    """Run `count` playouts from positions[0], of which only the random state changes; positions[1] is overwritten.

    `scratches` [1] PLAYOUT_SCRATCH, at first zeros; `policies` [1] PLAYOUT_POLICY. The results are added to tallies[0].
    """
    start, position, policy, tally, scratch = positions[0], positions[1], policies[0], tallies[0], scratches[0]
    for _ in range(count):
        copy_record(positions[1], positions[0])
        tally.first_player[:] = EMPTY
        play_out(position, policy, tally, scratch.suggestions, scratch.position)
        start.random = position.random
