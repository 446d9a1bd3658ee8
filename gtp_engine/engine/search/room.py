"""Room in a full pool: what the tree forgets when there are no nodes left, while no thread searches.

Where few visits were, branches are cut; their visits and results stay in the node that loses them, which can grow again. Without that
a long search would no longer look into moves that it hadn't looked into before: each visit would find the same first value again.
"""

import threading
from collections.abc import Callable

from gtp_engine.engine.search.arrays import SearchArrays
from gtp_engine.engine.search.compaction import keep_subtree
from gtp_engine.engine.search.tree import BLOCK, ROOT

KEPT = 0.5  # of the pool: so much may stay in use
MOST_CUT = 0.5  # of the root's visits: nodes with more keep their children, whatever that leaves


def is_full(arrays: SearchArrays) -> bool:
    """Can no thread take another block of nodes?"""
    return int(arrays.shared[0]["next_free"]) + BLOCK > int(arrays.shared[0]["capacity"])


def make_room(arrays: SearchArrays) -> None:
    """Cut branches where the fewest visits were, until KEPT is left. No thread may search meanwhile."""
    most_used, visits = KEPT * int(arrays.shared[0]["capacity"]), int(arrays.nodes[ROOT]["visits"])
    least, following = 0, 2  # visits that a node must have to keep its children
    while keep_subtree(arrays.nodes, arrays.shared, arrays.workspaces, ROOT, least) > most_used and following <= MOST_CUT * visits:
        least, following = following, 2 * following


class Meeting:
    """Where the threads of a run wait for each other, so that one of them does what no search may go on beside."""

    def __init__(self, threads: int) -> None:
        self._condition = threading.Condition()
        self._present = threads  # that have not left
        self._waiting = 0
        self._turn = 0

    def meet(self, work: Callable[[], None]) -> None:
        """Wait until every thread that has not left is here, too; the `work` of one of them is done then. All must come or leave."""
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
        """This thread comes no more."""
        with self._condition:
            self._present -= 1
            self._condition.notify_all()
