"""Room in a full pool: the branches that the tree forgets when no nodes are left.

Branches with few visits are cut. The node that loses them keeps its visits and results and can grow again. Otherwise a long search couldn't
search any new moves: each visit would only get the same first value again.
"""

import threading
from collections.abc import Callable

from gtp_engine.engine.search.arrays import SearchArrays
from gtp_engine.engine.search.compaction import keep_subtree
from gtp_engine.engine.search.tree import BLOCK, ROOT

KEPT = 0.5  # share of the pool that may stay in use
MOST_CUT = 0.5  # share of the root's visits: nodes with more always keep their children


def is_full(arrays: SearchArrays) -> bool:
    """True if no thread can take another block of nodes."""
    return int(arrays.shared[0]["next_free"]) + BLOCK > int(arrays.shared[0]["capacity"])


def make_room(arrays: SearchArrays) -> None:
    """Cut the branches with the fewest visits until KEPT is left. No thread may search meanwhile."""
    most_used, visits = KEPT * int(arrays.shared[0]["capacity"]), int(arrays.nodes[ROOT]["visits"])
    least, following = 0, 2  # visits that a node must have to keep its children
    while keep_subtree(arrays.nodes, arrays.shared, arrays.workspaces, ROOT, least) > most_used and following <= MOST_CUT * visits:
        least, following = following, 2 * following


class Meeting:
    """A meeting of all threads of a run, in which one of them does work during which no thread may search."""

    def __init__(self, threads: int) -> None:
        self._condition = threading.Condition()
        self._present = threads  # threads that have not left
        self._waiting = 0
        self._turn = 0

    def meet(self, work: Callable[[], None]) -> None:
        """Wait until every thread that has not left has called this; then the `work` of one of them is done. All must come or leave."""
        with self._condition:
            turn = self._turn
            self._waiting += 1
            try:
                while self._turn == turn and self._waiting < self._present:
                    self._condition.wait()
                if self._turn == turn:
                    work()
            finally:
                if self._turn == turn and self._waiting == self._present:
                    self._waiting = 0
                    self._turn += 1
                elif self._turn == turn:
                    self._waiting -= 1  # interrupted while it waited
                self._condition.notify_all()

    def leave(self) -> None:
        """Call this when the thread won't come again."""
        with self._condition:
            self._present -= 1
            self._condition.notify_all()
