"""The answers of an evaluator about leaves, and a table that keeps them, so that a position reached by another path costs nothing.

The table has one place for each key. Of two positions with the same place, the later one replaces the earlier. A thread claims a place
while it reads or writes it; a thread that finds it claimed does without the answer.
"""

import numpy as np

from gtp_engine.compiled.atomic import atomic_claim, atomic_exchange
from gtp_engine.compiled.jit import inner
from gtp_engine.go.points import MAX_SIZE, POINTS

ANSWER = np.dtype(
    [
        ("policy", np.float32, (MAX_SIZE * MAX_SIZE + 1,)),  # [S * S + 1] logits, all points row by row from the top left, then the pass
        ("win", np.float32),  # the side to move's chance, 0..1
        ("lead", np.float32),  # the side to move's points more than the opponent's, komi included
        ("votes", np.int32),  # the number of times it counts an owner for each point: playouts, or any weight; 0: it has no owners
        ("owners", np.int32, (POINTS,)),  # [P] votes for Black minus those for White
    ],
    align=True,
)
KEPT = np.dtype(
    [
        ("key", np.uint64),  # of the position and all else that the evaluator sees; NO_KEY: the entry is empty
        ("policy", ANSWER["policy"]),
        ("win", np.float32),
        ("lead", np.float32),
        ("is_claimed", np.int32),  # 1 while a thread reads or writes it
    ],
    align=True,
)
NO_KEY = np.uint64(0)


def new_answers(positions: int) -> np.ndarray:
    """[N] KEPT: an empty table for answers about so many positions; with 0 positions nothing is kept. Memory is used as it fills.

    If the system gives less memory, the table is smaller. Then the search is slower, but has the same result.
    """
    while positions > 0:
        try:
            return np.zeros(positions, KEPT)
        except MemoryError:
            positions //= 2
    return np.zeros(0, KEPT)


@inner
def place_of(answers, key):
    """The place of this key in the table."""
    return np.int64(key % np.uint64(len(answers)))


@inner
def find(answers, key, answer):
    """Copy the answer under `key` into `answer`, an ANSWER; False if there is none."""
    if len(answers) == 0:
        return False
    entry = answers[place_of(answers, key)]
    if entry.key != key or not atomic_claim(entry, "is_claimed", 0, 1):
        return False
    is_found = entry.key == key
    if is_found:
        answer.policy[:] = entry.policy
        answer.win = entry.win
        answer.lead = entry.lead
    atomic_exchange(entry, "is_claimed", 0)
    return is_found


@inner
def keep(answers, key, answer):
    """Keep `answer` under `key`."""
    if len(answers) == 0:
        return
    entry = answers[place_of(answers, key)]
    if not atomic_claim(entry, "is_claimed", 0, 1):
        return
    entry.key = key
    entry.policy[:] = answer.policy
    entry.win = answer.win
    entry.lead = answer.lead
    atomic_exchange(entry, "is_claimed", 0)
