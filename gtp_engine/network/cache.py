"""What the network said about positions, kept in compiled records: a position met again by another way costs nothing.

A table with one place for each key: the later of two positions that share a place stays. A place is claimed while it is read or
written, and who finds it claimed goes without.
"""

import numpy as np

from gtp_engine.go.points import MAX_SIZE
from gtp_engine.jit import inner
from gtp_engine.search.atomic import atomic_claim, atomic_exchange

EVALUATION = np.dtype(
    [
        ("key", np.uint64),  # of the position and whatever else the network sees; 0: nothing is kept here
        ("policy", np.float32, (MAX_SIZE * MAX_SIZE + 1,)),  # [S * S + 1] logits, every point row by row from the top left, then the pass
        ("win", np.float32),  # the side to move's chance, 0..1
        ("lead", np.float32),  # the side to move's points more than the opponent's, komi included
        ("is_claimed", np.int32),  # 1 while a thread is at it
    ],
    align=True,
)
NO_KEY = np.uint64(0)


def new_cache(positions: int) -> np.ndarray:
    """An empty cache for this many positions, at least one. The system gives memory as it fills."""
    return np.zeros(max(positions, 1), EVALUATION)


@inner
def place_of(cache, key):
    """Where this key belongs."""
    return np.int64(key % np.uint64(len(cache)))


@inner
def find(cache, key, answer):
    """Copy the evaluation kept under `key` into `answer`, an EVALUATION; False when there is none."""
    kept = cache[place_of(cache, key)]
    if kept.key != key or not atomic_claim(kept, "is_claimed", 0, 1):
        return False
    is_found = kept.key == key
    if is_found:
        answer.policy[:] = kept.policy
        answer.win = kept.win
        answer.lead = kept.lead
    atomic_exchange(kept, "is_claimed", 0)
    return is_found


@inner
def keep(cache, key, answer):
    """Keep the evaluation `answer` under `key`."""
    kept = cache[place_of(cache, key)]
    if not atomic_claim(kept, "is_claimed", 0, 1):
        return
    kept.key = key
    kept.policy[:] = answer.policy
    kept.win = answer.win
    kept.lead = answer.lead
    atomic_exchange(kept, "is_claimed", 0)
