"""The owners of points at the end of the counted games of records. Dead stones are still on the board there; playouts find them.

A game's owners are used only if their count agrees with the result in the record.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np

from gtp_engine.base.files import write_whole
from gtp_engine.compiled.copying import copy_record
from gtp_engine.compiled.jit import entry
from gtp_engine.engine.playout.params import PlayoutParams
from gtp_engine.engine.playout.playout import TALLY, play_out
from gtp_engine.engine.playout.policy import SUGGESTIONS, playout_policy
from gtp_engine.engine.search.leaf import HISTORY
from gtp_engine.go.points import BLACK, EMPTY, NO_POINT, STRIDE, WHITE
from gtp_engine.go.position import POSITION
from gtp_engine.learning.training.record_kernels import replay
from gtp_engine.learning.training.records import OWNER_UNKNOWN, RESIGNED, Records

PLAYOUTS = 24  # with each player to move first
CLEAR = 0.4  # the difference of the sides' shares of playouts from which one owns a point
MOST_APART = 1.5  # points between the owners' count and the result: territory and area scores differ by one, dame by half a point more
GAMES_AT_ONCE = 1000  # between reports
Report = Callable[[int], None]  # called with the number of games done

ENDING = np.dtype(
    [
        ("position", POSITION),
        ("start", POSITION),  # the end of the game, from which playouts start
        ("scratch", POSITION),
        ("moves", np.int64, (HISTORY,)),  # the last ones; unused
        ("tally", TALLY),
        ("suggestions", SUGGESTIONS),
    ],
    align=True,
)


@entry
def judge_ends(moves, ends, counted, work, policies, first, last, owners):  # type: ignore[no-untyped-def]  # compiled
    """Fill `owners` int8 [G, S * S] for the `counted` ([G] booleans) games first .. last - 1: 1 Black's, -1 White's, 0 neither's.

    Other games, and those with an illegal move, aren't changed. The moves of game g are moves[ends[g] : ends[g + 1]]. `work` [1] ENDING
    is overwritten, `policies` [1] PLAYOUT_POLICY.
    """
    ending = work[0]
    position, tally = ending.position, ending.tally
    size = np.int64(np.sqrt(owners.shape[1]))
    for g in range(first, last):
        played = moves[ends[g] : ends[g + 1]]
        if not counted[g] or replay(position, played, len(played), size, ending.moves) < len(played):
            continue
        position.random = np.uint64(g + 1)
        position.ko_point = NO_POINT
        copy_record(ending.start, position)
        tally.ownership[:] = 0
        for turn in range(2 * PLAYOUTS):
            random = position.random
            copy_record(position, ending.start)
            position.random, position.to_play = random, BLACK if turn % 2 == 0 else WHITE
            tally.first_player[:] = EMPTY
            play_out(position, policies[0], tally, ending.suggestions, ending.scratch)
        for place in range(size * size):
            votes = tally.ownership[(size - place // size) * STRIDE + place % size + 1]
            owners[g, place] = np.int8(votes > CLEAR * 2 * PLAYOUTS) - np.int8(votes < -CLEAR * 2 * PLAYOUTS)


def owners_of(records: Records, threads: int, report: Report) -> np.ndarray:
    """Records.owners by playouts. The result doesn't depend on the number of threads."""
    owners = np.full((len(records), records.size**2), OWNER_UNKNOWN, np.int8)
    starts = range(0, len(records), GAMES_AT_ONCE)
    with ThreadPoolExecutor(threads) as pool:
        for done in pool.map(lambda first: judge_part(records, first, min(first + GAMES_AT_ONCE, len(records)), owners), starts):
            report(done)
    lead = owners.sum(1, dtype=np.int64) - records.komi
    apart = np.abs(lead - records.winner * records.margin)
    owners[(owners[:, 0] == OWNER_UNKNOWN) | (apart > MOST_APART)] = OWNER_UNKNOWN
    return owners


def judge_part(records: Records, first: int, last: int, owners: np.ndarray) -> int:
    """judge_ends with its own scratch space; returns `last`."""
    ends = np.append(records.starts, len(records.moves))
    judge_ends(records.moves, ends, records.margin != RESIGNED, np.zeros(1, ENDING), playout_policy(PlayoutParams()), first, last, owners)
    return last


def with_owners(records: Records, cache: Path | None, threads: int, report: Report) -> Records:
    """The records with owners: their own, those in the file `cache`, or new ones, which are kept there."""
    if records.owners is not None or (records.margin == RESIGNED).all():
        return records
    if cache and cache.exists():
        cached = np.load(cache, mmap_mode="r")
        if cached.shape == (len(records), records.size**2):
            return replace(records, owners=cached)
    owners = owners_of(records, threads, report)
    if cache:
        cache.parent.mkdir(parents=True, exist_ok=True)
        write_whole(cache, lambda unfinished: save(owners, unfinished))
    return replace(records, owners=owners)


def save(owners: np.ndarray, path: Path) -> None:
    """Write the array to this path, without the suffix that numpy would add."""
    with path.open("wb") as file:
        np.save(file, owners)
