"""What the network sees: a position as planes of numbers, one plane a question, one number a point.

Contract: `write_planes` fills `planes`, float32 [PLANES, S, S] for a board of S lines, row 0 at the top and column 0 at the left, as a
game record is read, or all of it turned by one of the SYMMETRIES. "Own" is the side to move, "opponent" the other one. Planes are 0 or 1
where the table gives no other value.

| plane  | name                 | 1 where                                                                                       |
|--------|----------------------|-----------------------------------------------------------------------------------------------|
| 0, 1   | OWN, OPPONENT        | a stone of the side to move; of its opponent                                                  |
| 2-5    | OWN_LIBERTIES        | an own stone whose chain has 1, 2, 3, 4 or more liberties                                     |
| 6-9    | OPPONENT_LIBERTIES   | the same of the opponent                                                                      |
| 10     | KO                   | the side to move may not retake (simple ko)                                                   |
| 11-15  | RECENT               | the last move, the one before, ... five in all; a pass leaves its plane empty                 |
| 16-18  | CAPTURES             | a legal move takes 1, 2, 3 or more stones                                                     |
| 19-22  | LIBERTIES_AFTER      | a legal move leaves its own chain with 1 (self-atari), 2, 3, 4 or more liberties              |
| 23     | LADDER_CAPTURE       | a legal move catches an opponent's chain of two liberties in a ladder                         |
| 24     | LADDER_ESCAPE        | the last liberty of an own chain in atari that is not caught if it plays on                   |
| 25     | LADDER_DANGER        | a stone of an own chain of two liberties that the opponent catches in a ladder by moving next |
| 26     | ONES                 | everywhere on the board: tells where it ends, as convolutions see 0 beyond                    |
| 27     | LINE                 | everywhere: 1 divided by the line, counted from the nearest edge (1, 0.5, 0.33, ...)          |
| 28     | BLACK_TO_PLAY        | everywhere, when Black is to move                                                             |
| 29     | KOMI                 | everywhere: the komi that the side to move gets, negative when it gives it, over KOMI_SCALE    |
| 30     | MOVE_MODEL           | a legal move: the log of its probability by the move model, from 0 (e**-MODEL_SPAN) to 1 (sure) |
| 31     | PLAYOUT_OWNERS       | every point: who owned it after SURVEY_PLAYOUTS playouts, 1: always own, -1: always opponent  |
| 32     | PLAYOUT_WINS         | everywhere: own wins among these playouts, from -1 (none) to 1 (all)                          |
| 33     | PLAYOUT_LEAD         | everywhere: the mean lead in them over KOMI_SCALE, at most LARGEST_LEAD either way            |

Legal is meant without superko and suicide. A ladder is what go/chain_needs.py finds. The move model (move_model/) knows shapes by heart and
guesses four moves of ten: a network that begins with its guess learns from each position only what the model doesn't know, and a few
hundred thousand positions take it where millions would be needed. Playouts do the same for the value: they count, and see who captures
whom first, which small networks learn last; a handful takes a sixth of a network's time. Change FEATURES_VERSION with any change of
meaning, of the move model's weights too: a network plays only with the features that it learned.
"""

import numpy as np

from gtp_engine.compiled.copying import copy_record
from gtp_engine.compiled.jit import entry, inner
from gtp_engine.engine.move_model.model import LOOKS
from gtp_engine.engine.move_model.strengths import judge_legal_moves
from gtp_engine.engine.playout.policy import SUGGESTIONS
from gtp_engine.engine.playout.survey import take_survey
from gtp_engine.engine.search.leaf import HISTORY
from gtp_engine.go.chain_needs import CHAIN_NEEDS, find_chain_needs
from gtp_engine.go.points import BLACK, EMPTY, NO_POINT, PASS, POINTS, STRIDE, WHITE
from gtp_engine.go.position import ADJACENT, EMPTY_NEIGHBOR, KO, POSITION, in_atari, legality, play_stone

FEATURES_VERSION = 3
KOMI_SCALE = 20.0  # points; keeps the plane near -1..1
MODEL_SPAN = 10.0  # nats: what is less probable than e**-10 looks like what is impossible

OWN, OPPONENT = 0, 1
OWN_LIBERTIES, OPPONENT_LIBERTIES = 2, 6
KO_POINT = 10
RECENT = 11
CAPTURES = RECENT + HISTORY
LIBERTIES_AFTER = CAPTURES + 3
LADDER_CAPTURE = LIBERTIES_AFTER + 4
LADDER_ESCAPE = LADDER_CAPTURE + 1
LADDER_DANGER = LADDER_CAPTURE + 2
ONES = LADDER_CAPTURE + 3
LINE = ONES + 1
BLACK_TO_PLAY = ONES + 2
KOMI = ONES + 3
MOVE_MODEL = ONES + 4
PLAYOUT_OWNERS = ONES + 5
PLAYOUT_WINS = ONES + 6
PLAYOUT_LEAD = ONES + 7
PLANES = ONES + 8

SURVEY_PLAYOUTS = 4  # that the network sees the results of
LARGEST_LEAD = 3.0  # times KOMI_SCALE: what goes beyond is won

MOST_LIBERTIES, MOST_CAPTURES = 4, 3  # the last plane of its kind means "or more"
COUNTED = MOST_LIBERTIES + 1  # a chain's liberties are counted up to here: without one of them, at least MOST_LIBERTIES are left
SYMMETRIES = 8  # bit 0 mirrors the rows, bit 1 the columns, then bit 2 swaps rows and columns

LEAF_SCRATCH = np.dtype(
    [
        ("kept", POSITION),  # the leaf's, while playouts start from it again and again
        ("board", POSITION),  # where captures and ladders are tried
        ("needs", CHAIN_NEEDS),
        ("looks", LOOKS),
        ("suggestions", SUGGESTIONS),
    ],
    align=True,
)


@inner
def count_chain_liberties(position, point, marks, stamp, excluded, found, most):
    """`found` plus the liberties of the chain on `point` that don't bear `stamp` yet and aren't `excluded`, up to `most`; stamps them."""
    stone = np.int64(point)
    while True:
        for d in range(4):
            liberty = stone + ADJACENT[d]
            if position.color[liberty] == EMPTY and marks[liberty] != stamp and liberty != excluded:
                marks[liberty] = stamp
                found += 1
                if found >= most:
                    return found
        stone = np.int64(position.next_stone[stone])
        if stone == point:
            return found


@inner
def liberties_after_joining(position, point, color, liberties, marks, stamp):
    """Liberties, up to MOST_LIBERTIES, of the chain that a stone of `color` on `point` forms when it captures nothing."""
    found = position.neighbors[point] // EMPTY_NEIGHBOR
    if found >= MOST_LIBERTIES:
        return MOST_LIBERTIES
    for d in range(4):
        neighbor = point + ADJACENT[d]
        if position.color[neighbor] == EMPTY:
            marks[neighbor] = stamp
        elif position.color[neighbor] == color and liberties[position.chain[neighbor]] >= COUNTED:
            return MOST_LIBERTIES
    for d in range(4):
        neighbor = point + ADJACENT[d]
        if position.color[neighbor] == color:
            found = count_chain_liberties(position, neighbor, marks, stamp, point, found, MOST_LIBERTIES)
            if found >= MOST_LIBERTIES:
                return MOST_LIBERTIES
    return found


@inner
def captures_something(position, point, color):
    """Does a stone of `color` on this empty point take an opponent's chain?"""
    for d in range(4):
        neighbor = point + ADJACENT[d]
        if position.color[neighbor] == WHITE + BLACK - color and in_atari(position, neighbor):
            return True
    return False


@inner
def transformed(row, column, size, symmetry):
    """(row, column) of a point after one of the SYMMETRIES of a board of `size` lines."""
    if symmetry & 1:
        row = size - 1 - row
    if symmetry & 2:
        column = size - 1 - column
    if symmetry & 4:
        row, column = column, row
    return row, column


@inner
def find_places(places, size, symmetry):
    """Fill `places` [P]: where each point of the board lies in a plane, row times S plus column, turned by the symmetry."""
    for row in range(size):
        for column in range(size):
            r, c = transformed(row, column, size, symmetry)
            places[(size - row) * STRIDE + column + 1] = r * size + c


@inner
def set_at(planes, plane, places, point):
    """1 at this point of the board in this plane; `planes` [PLANES, S * S]."""
    planes[plane, places[point]] = 1.0


@inner
def write_stones(position, liberties, marks, places, planes):
    """The planes of stones and their liberties; fills `liberties` [P] by chain with counts up to COUNTED."""
    size = position.board_size
    for row in range(1, size + 1):
        for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
            if position.color[point] != EMPTY and position.chain[point] == point:
                liberties[point] = count_chain_liberties(position, point, marks, point, NO_POINT, 0, COUNTED)
    for row in range(1, size + 1):
        for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
            if position.color[point] == EMPTY:
                continue
            is_own = position.color[point] == position.to_play
            count = min(liberties[position.chain[point]], MOST_LIBERTIES)
            set_at(planes, OWN if is_own else OPPONENT, places, point)
            set_at(planes, (OWN_LIBERTIES if is_own else OPPONENT_LIBERTIES) + count - 1, places, point)


@inner
def write_moves(position, scratch, liberties, marks, places, planes):
    """The planes that tell what a legal move does: stones taken, liberties afterwards. Overwrites `scratch`."""
    color = position.to_play
    for i in range(position.empty_count):
        point = np.int64(position.empty_points[i])
        if legality(position, point, color, False) != 0:
            continue
        if captures_something(position, point, color):
            copy_record(scratch, position)
            captured = play_stone(scratch, point, color)
            after = count_chain_liberties(scratch, point, marks, POINTS + i, NO_POINT, 0, MOST_LIBERTIES)
            set_at(planes, CAPTURES + min(captured, MOST_CAPTURES) - 1, places, point)
        else:
            after = liberties_after_joining(position, point, color, liberties, marks, POINTS + i)
        set_at(planes, LIBERTIES_AFTER + after - 1, places, point)


@inner
def write_danger(position, point, places, planes):
    """LADDER_DANGER at the stones of the chain on `point`."""
    stone = np.int64(point)
    while True:
        set_at(planes, LADDER_DANGER, places, stone)
        stone = np.int64(position.next_stone[stone])
        if stone == point:
            return


@inner
def write_ladders(position, needs, places, planes):
    """The ladder planes. `needs`: the position's, known with the danger for own chains."""
    color = position.to_play
    for i in range(needs.count):
        need = needs.need[i]
        first, second = np.int64(need.first), np.int64(need.second)
        if need.liberties == 1:
            if need.is_own and not need.is_caught:
                set_at(planes, LADDER_ESCAPE, places, first)
        elif need.is_own:
            if need.first_catches or need.second_catches:
                write_danger(position, np.int64(need.chain), places, planes)
        else:
            if need.first_catches and legality(position, first, color, False) != KO:
                set_at(planes, LADDER_CAPTURE, places, first)
            if need.second_catches and legality(position, second, color, False) != KO:
                set_at(planes, LADDER_CAPTURE, places, second)


@inner
def write_constants(position, komi, planes):
    """The planes that say the same of every position, however it is turned: ones, lines, who is to play, komi."""
    size = position.board_size
    planes[ONES] = 1.0
    planes[BLACK_TO_PLAY] = 1.0 if position.to_play == BLACK else 0.0
    planes[KOMI] = (komi if position.to_play == WHITE else -komi) / KOMI_SCALE
    for row in range(size):
        for column in range(size):
            line = 1 + min(min(row, size - 1 - row), min(column, size - 1 - column))
            planes[LINE, row * size + column] = 1.0 / line


@inner
def write_move_model(position, needs, model, looks, places, planes):
    """The plane of what the move model thinks of each legal move. Overwrites `looks`."""
    judge_legal_moves(position, needs, model, looks)
    strengths = looks.strengths[: looks.move_count]
    highest, total = np.float32(-np.inf), np.float32(0.0)
    for strength in strengths:
        highest = max(highest, strength)
    for strength in strengths:
        total += np.exp(strength - highest)
    for i in range(looks.move_count):
        share = strengths[i] - highest - np.log(total)
        planes[MOVE_MODEL, places[looks.moves[i]]] = max(share / MODEL_SPAN + 1.0, 0.0)


@inner
def write_survey(position, survey, places, planes):
    """The planes of what playouts say of the position."""
    size, sign = position.board_size, 1.0 if position.to_play == BLACK else -1.0
    owners, share = survey.tally.ownership, 1.0 / survey.tally.playouts
    wins = sign * (2.0 * survey.wins * share - 1.0)
    lead = min(max(sign * survey.lead * share / KOMI_SCALE, -LARGEST_LEAD), LARGEST_LEAD)
    for row in range(1, size + 1):
        for point in range(row * STRIDE + 1, row * STRIDE + size + 1):
            planes[PLAYOUT_OWNERS, places[point]] = sign * owners[point] * share
    planes[PLAYOUT_WINS] = wins
    planes[PLAYOUT_LEAD] = lead


@inner
def fill_planes(leaf, scratch, model, board_planes):
    """write_planes for records; see there."""
    position = leaf.position
    size = np.int64(position.board_size)
    liberties, places = np.empty(POINTS, np.int32), np.empty(POINTS, np.int32)
    marks = np.zeros(POINTS, np.int32)
    find_places(places, size, leaf.symmetry)
    planes = board_planes.reshape(PLANES, size * size)
    planes[:] = 0.0
    write_stones(position, liberties, marks, places, planes)
    if position.ko_point != NO_POINT:
        set_at(planes, KO_POINT, places, position.ko_point)
    for i in range(HISTORY):
        if leaf.moves[i] != NO_POINT and leaf.moves[i] != PASS:
            set_at(planes, RECENT + i, places, leaf.moves[i])
    find_chain_needs(position, scratch.needs, scratch.board, True)
    write_moves(position, scratch.board, liberties, marks, places, planes)
    write_ladders(position, scratch.needs, places, planes)
    write_constants(position, leaf.komi, planes)
    write_move_model(position, scratch.needs, model, scratch.looks, places, planes)
    write_survey(position, leaf.survey, places, planes)


@entry
def write_planes(leaves, scratches, models, planes):
    """Fill `planes`, float32 [PLANES, S, S], with what the side to move sees in leaves[0], turned by its `symmetry`.

    Of the LEAF it reads `position`, `moves`, `komi` and `survey` (see survey_leaf). `scratches` [1] LEAF_SCRATCH is overwritten;
    `models` [1] MODEL, see model_file.load_model.
    """
    fill_planes(leaves[0], scratches[0], models[0], planes)


@inner
def take_leaf_survey(leaf, scratch, policy):
    """survey_leaf for records; see there."""
    take_survey(leaf.survey, SURVEY_PLAYOUTS, leaf.komi, leaf.position, scratch.kept, scratch.board, policy, scratch.suggestions)


@entry
def survey_leaf(leaves, scratches, policies):
    """Let SURVEY_PLAYOUTS playouts say what they think of leaves[0]: fills its `survey`, but for what is proved.

    `scratches` [1] LEAF_SCRATCH is overwritten; `policies` [1] PLAYOUT_POLICY.
    """
    take_leaf_survey(leaves[0], scratches[0], policies[0])
