"""Ladders as KataGo's networks see them: chains with one or two liberties that are captured by continuous atari.

The defender may extend or capture a chain in atari; the attacker must give atari with each move. Kos count for the defender. All lines are
searched, unlike in go/tactics.py, whose ladders follow one line: networks notice the difference.
"""

import numpy as np

from gtp_engine.compiled.copying import copy_record
from gtp_engine.compiled.jit import inner
from gtp_engine.engine.network.katago.scratch import KEPT_LADDERS, MOST_CHOICES, MOST_MOVES
from gtp_engine.go.points import BLACK, EDGE, EMPTY, NO_POINT, WHITE
from gtp_engine.go.position import ADJACENT, EMPTY_NEIGHBOR, in_atari, play_stone, single_liberty, would_be_suicide
from gtp_engine.go.tactics import MANY, liberties_after, liberties_of

MOST_TRIED = 25_000  # moves in one ladder; after these it counts as an escape
ESCAPED, CAUGHT, OPEN = 0, 1, 2
KEY_FACTOR = np.uint64(0x9E3779B97F4A7C15)
SIZE_SHIFT = np.uint64(32)  # of the board size in a key; the point of a ko has the bits below


@inner
def is_allowed(position, point, color):
    """True if `color` may play on this empty point. A ko forbids it to both sides; suicide counts as illegal, because it never helps."""
    return point != position.ko_point and not would_be_suicide(position, point, color)


@inner
def add_move(moves, count, point):
    """Add a point unless it is there already or the list is full; returns the new count."""
    for i in range(count):
        if moves[i] == point:
            return count
    if count == MOST_MOVES:
        return count
    moves[count] = point
    return count + 1


@inner
def defender_moves(position, point, moves):
    """Fill `moves` with the defender's moves for the chain on `point`, which is in atari; returns their number."""
    color = np.int64(position.color[point])
    count = 0
    stone = np.int64(point)
    while True:
        for d in range(4):
            neighbor = stone + ADJACENT[d]
            if position.color[neighbor] == WHITE + BLACK - color and in_atari(position, neighbor):
                liberty = single_liberty(position.liberties[position.chain[neighbor]])
                if is_allowed(position, liberty, color):
                    count = add_move(moves, count, liberty)
        stone = np.int64(position.next_stone[stone])
        if stone == point:
            break
    liberty = single_liberty(position.liberties[position.chain[point]])
    if is_allowed(position, liberty, color):
        count = add_move(moves, count, liberty)
    return count


@inner
def takes_ko(position, point, color):
    """True if a move of `color` here takes exactly one stone, in a ko: with no own stone beside it and no other liberty."""
    taken = NO_POINT
    for d in range(4):
        neighbor = point + ADJACENT[d]
        if position.color[neighbor] == EDGE:
            continue
        if position.color[neighbor] != WHITE + BLACK - color:
            return False
        if in_atari(position, neighbor):
            if taken != NO_POINT:
                return False
            taken = neighbor
    return taken != NO_POINT and position.chain_size[position.chain[taken]] == 1


@inner
def can_take_beside(position, point):
    """True if an opponent's chain that touches the chain on `point` is in atari."""
    opponent = WHITE + BLACK - position.color[point]
    stone = np.int64(point)
    while True:
        for d in range(4):
            neighbor = stone + ADJACENT[d]
            if position.color[neighbor] == opponent and in_atari(position, neighbor):
                return True
        stone = np.int64(position.next_stone[stone])
        if stone == point:
            return False


@inner
def is_double_ko(position, point, first, second):
    """True if both liberties of the chain on `point` are kos that the attacker can retake forever, without a gain by filling them."""
    defender = np.int64(position.color[point])
    attacker = WHITE + BLACK - defender
    if not takes_ko(position, first, attacker) or not takes_ko(position, second, attacker):
        return False
    if liberties_after(position, first, defender, MANY) >= MANY or liberties_after(position, second, defender, MANY) >= MANY:
        return False
    return not can_take_beside(position, point)


@inner
def attacker_moves(position, point, moves):
    """(state, number of moves): ESCAPED, CAUGHT, or OPEN with the attacker's `moves` against the chain on `point`."""
    count, first, second = liberties_of(position, point)
    if count < 2:
        return CAUGHT, 0
    if count >= MANY:
        return ESCAPED, 0
    if is_double_ko(position, point, first, second):
        return CAUGHT, 0
    attacker = WHITE + BLACK - np.int64(position.color[point])
    beside = abs(first - second)
    is_apart = beside != abs(ADJACENT[0]) and beside != abs(ADJACENT[2])
    is_wide_first = is_apart and position.neighbors[first] >= MANY * EMPTY_NEIGHBOR
    is_wide_second = is_apart and position.neighbors[second] >= MANY * EMPTY_NEIGHBOR
    made = 0
    # at the other liberty the defender would get three liberties
    if not is_wide_second and is_allowed(position, first, attacker):
        made = add_move(moves, made, first)
    if not is_wide_first and is_allowed(position, second, attacker):
        made = add_move(moves, made, second)
    if made == 2 and position.neighbors[second] > position.neighbors[first]:
        moves[0], moves[1] = second, first
    return OPEN, made


@inner
def look_ahead(position, point, is_defender, moves):
    """(state, number of moves) for the side to move, in a ladder of the chain on `point`."""
    if not is_defender:
        return attacker_moves(position, point, moves)
    if not in_atari(position, point) or position.ko_point != NO_POINT:
        return ESCAPED, 0
    count = defender_moves(position, point, moves)
    return (OPEN, count) if count > 0 else (CAUGHT, 0)


@inner
def chase(scratch, point):
    """True if the chain on `point` of scratch.chase is caught with its owner to play. Searches all lines; overwrites scratch.chase."""
    position = scratch.chase
    color = np.int64(position.color[point])
    position.ko_point = NO_POINT
    is_defender, top, tried = True, 0, 0
    while True:
        state, count = look_ahead(position, point, is_defender, scratch.moves)
        if state == OPEN and count == 0:
            state = ESCAPED  # the attacker has no move
        move = NO_POINT
        if state == OPEN:
            move = np.int64(scratch.moves[0])
            if count > 1:
                if top == MOST_CHOICES:
                    return False
                choice = scratch.choice[top]
                copy_record(choice.position, position)
                choice.moves[:] = scratch.moves
                choice.count, choice.next, choice.is_defender = count, 1, 1 if is_defender else 0
                top += 1
        while move == NO_POINT and top > 0:
            choice = scratch.choice[top - 1]
            if (choice.is_defender == 1) == (state == CAUGHT):  # this move fails
                move, is_defender = np.int64(choice.moves[choice.next]), choice.is_defender == 1
                copy_record(position, choice.position)
                choice.next += 1
                if choice.next == choice.count:
                    top -= 1
            else:
                top -= 1
        if move == NO_POINT:
            return state == CAUGHT
        play_stone(position, move, color if is_defender else WHITE + BLACK - color)
        is_defender = not is_defender
        tried += 1
        if tried >= MOST_TRIED:
            return False


@inner
def is_caught_after(position, scratch, point, move):
    """True if the chain on `point`, which has two liberties, is caught after its opponent's move on one of them."""
    attacker = WHITE + BLACK - np.int64(position.color[point])
    if not is_allowed(position, move, attacker):
        return False
    copy_record(scratch.chase, position)
    play_stone(scratch.chase, move, attacker)
    return chase(scratch, point)


@inner
def mark_chain(marks, position, point):
    """Set the marks of the chain on `point`."""
    stone = np.int64(point)
    while True:
        marks[stone] = 1
        stone = np.int64(position.next_stone[stone])
        if stone == point:
            break


@inner
def judge_chain(position, scratch, point, attacker):
    """Mark the chain on `point` in scratch.ladder if it is caught, and the moves of `attacker` that catch it in scratch.working."""
    count, first, second = liberties_of(position, point)
    if count >= MANY:
        return
    if count == 1:
        copy_record(scratch.chase, position)
        if chase(scratch, point):
            mark_chain(scratch.ladder, position, point)
        return
    by_first = is_caught_after(position, scratch, point, first)
    by_second = is_caught_after(position, scratch, point, second)
    if by_first or by_second:
        mark_chain(scratch.ladder, position, point)
        if position.color[point] != attacker:
            scratch.working[first] |= 1 if by_first else 0
            scratch.working[second] |= 1 if by_second else 0


@inner
def key_of(position):
    """A key of all that the ladders of a position depend on: stones, ko and board size. Never 0."""
    key = position.hash ^ np.uint64(position.ko_point) ^ (np.uint64(position.board_size) << SIZE_SHIFT)
    key *= KEY_FACTOR
    key ^= key >> np.uint64(29)
    return key if key != np.uint64(0) else KEY_FACTOR


@inner
def find_ladders(position, scratch, attacker):
    """Fill scratch.ladder, and scratch.working with `attacker`'s moves; keeps the ladders."""
    scratch.ladder[:] = 0
    scratch.working[:] = 0
    for point in range(len(position.color)):
        color = position.color[point]
        if (color == BLACK or color == WHITE) and position.chain[point] == point:
            judge_chain(position, scratch, point, attacker)
    key = key_of(position)
    entry = scratch.kept[np.int64(key % np.uint64(KEPT_LADDERS))]
    entry.key = key
    entry.points[:] = np.uint64(0)
    for point in range(len(position.color)):
        if scratch.ladder[point]:
            entry.points[point >> 6] |= np.uint64(1) << np.uint64(point & 63)


@inner
def recall_ladders(position, scratch):
    """Fill scratch.ladder like find_ladders, from the kept ladders if possible; overwrites scratch.working."""
    key = key_of(position)
    entry = scratch.kept[np.int64(key % np.uint64(KEPT_LADDERS))]
    if entry.key != key:
        find_ladders(position, scratch, EMPTY)
        return
    for point in range(len(position.color)):
        scratch.ladder[point] = np.uint8((entry.points[point >> 6] >> np.uint64(point & 63)) & np.uint64(1))
