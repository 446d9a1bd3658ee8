"""One question with yes or no for an answer: does the prover reach its goal in this region? Runs the compiled search within a budget."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from gtp_engine.solver import fixpoint, graph, proof_numbers
from gtp_engine.solver.bits import ATTACKER, CAPTURE, DEFENDER
from gtp_engine.solver.region import Region

FIRST_NODES = 1 << 12  # space at the beginning, if the budget is as large; doubled when it is used up
EDGES_PER_NODE = 12  # space for edges: small regions have fewer, large ones leave more nodes unexpanded
CHUNK = 20_000  # visits of nodes in one compiled call, some hundredths of a second: how late Ctrl-C and the clock are seen
VISITS_PER_NODE = 100  # a search that looks at the same nodes more often than this, on average, gets nowhere


class Answer(Enum):
    """What is known of a question."""

    YES = "yes"  # the prover reaches its goal, whatever the other does
    NO = "no"  # it can't, the other knowing how to prevent it
    UNKNOWN = "unknown"  # the budget was spent before


@dataclass
class Budget:
    """What may be spent: nodes, each one position, on each Question; and seconds on all that share this budget."""

    nodes: int = 1_000_000  # about 200 MB; a question always has the 130 nodes of two moves with all their answers
    seconds: float | None = None  # None: no limit
    progress: Callable[[int], None] = lambda nodes: None  # called now and then with a question's nodes so far
    clock: Callable[[], float] = time.monotonic  # that counts the seconds; time.process_time on a busy machine
    deadline: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if self.seconds is not None:
            self.deadline = self.clock() + self.seconds

    def is_over(self) -> bool:
        """Has the time run out?"""
        return self.deadline is not None and self.clock() > self.deadline

    def stop(self) -> None:
        """No more time: whoever uses this budget ends soon."""
        self.deadline = -math.inf


def first_space(budget: Budget) -> int:
    """For how many nodes a question has space at the beginning: its search stops where the space that the budget allows is used up."""
    return max(min(FIRST_NODES, budget.nodes), 2 * graph.MOST_EDGES)


class Question:
    """A goal in a region, with one rule for kos, asked of any number of positions in it. What was found for one serves the next.

    goal -- CAPTURE: the attacker takes every target; TWO_EYES: the defender makes a target safe against everything
    ko_winner -- the side that may retake a ko at once, as if it had a threat for each; NEITHER: whoever may not retake must play elsewhere
    """

    def __init__(self, region: Region, goal: int, ko_winner: int, budget: Budget) -> None:
        self.region, self.budget = region, budget
        self.record = region.record.copy()
        self.prover = ATTACKER if goal == CAPTURE else DEFENDER
        self.record[0]["goal"], self.record[0]["prover"], self.record[0]["ko_winner"] = goal, self.prover, ko_winner
        self.totals = np.zeros(1, graph.TOTALS)
        self.nodes = np.empty(first_space(budget), graph.NODE)
        self.edges = np.empty(FIRST_NODES * EDGES_PER_NODE, graph.EDGE)
        self.slots = np.full(4 * FIRST_NODES, -1, np.int32)

    @property
    def node_count(self) -> int:
        """Positions so far."""
        return int(self.totals[0]["nodes"])

    @property
    def has_kos(self) -> bool:
        """Was any ko taken in a position so far? Without one, the answers hold for every rule for kos."""
        return bool(self.totals[0]["kos"]) or self.region.ko != 0

    def start(self, side: int) -> int:
        """The node of the position that was given, with `side` to play."""
        region = self.region
        is_banned = region.ko and region.color(side) == region.to_play
        ko = region.ko.bit_length() - 1 if is_banned else graph.NO_KO
        self._make_space()
        stones = [np.uint64(points) for points in region.stones]
        return int(graph.add_root(self.record, self.nodes, self.slots, self.totals, (*stones, np.uint64(region.targets), side, ko)))

    def ask(self, node: int) -> Answer:
        """Search until the answer for this node is proved or the budget is spent."""
        target = node
        while True:
            before = self.node_count
            if not self._search(target):
                return Answer.UNKNOWN
            if self.nodes[node]["proof"] == 0:
                return Answer.YES
            hopes = fixpoint.settle_failures(self.record, self.nodes, self.edges, self.node_count)
            if self.nodes[node]["disproof"] == 0:
                return Answer.NO
            target = node if self.node_count > before else self._open_node(node, hopes)

    def _search(self, node: int) -> bool:
        """Search until the node is solved, on one path at least; False when the budget is spent before."""
        while not proof_numbers.search(self.record, self.nodes, self.edges, self.slots, self.totals, node, CHUNK):
            self.budget.progress(self.node_count)
            most_visits = VISITS_PER_NODE * max(self.budget.nodes, CHUNK)
            if self.budget.is_over() or int(self.totals[0]["visits"]) > most_visits or not self._make_space():
                return False
        return True

    def _make_space(self, is_urgent: bool = False) -> bool:
        """Enlarge the pool when the next expansion might not fit; False when it is not urgent and the budget doesn't allow it."""
        totals = self.totals[0]
        if int(totals["nodes"]) + 2 * graph.MOST_EDGES > len(self.nodes):
            if len(self.nodes) >= self.budget.nodes and not is_urgent:
                return False
            size = min(2 * len(self.nodes), max(self.budget.nodes, FIRST_NODES))
            self.nodes = np.resize(self.nodes, max(size, self.node_count + 2 * graph.MOST_EDGES))
            self.slots = np.full(2 * len(self.slots), -1, np.int32)
            self._fill_slots()
        if int(totals["edges"]) + 2 * graph.MOST_EDGES > len(self.edges):
            self.edges = np.resize(self.edges, 2 * len(self.edges))
        return True

    def _fill_slots(self) -> None:
        """Enter all nodes into the hash table."""
        graph.fill_slots(self.nodes, self.slots, self.node_count)

    def _open_node(self, node: int, hopes: np.ndarray) -> int:
        """What must be known next when the search itself found nothing to do: an open node on the way to which the prover's hopes rest.

        Where the ways on are all solved, that is the node itself: it is solved as soon as it is searched again.
        """
        while self.nodes[node]["edge_count"] != graph.NOT_EXPANDED:
            nearer = [child for _, child in self.children(node) if hopes[child] < hopes[node] and self.known(child) is Answer.UNKNOWN]
            if not nearer:
                return node
            node = min(nearer, key=lambda child: int(hopes[child]))
        return node

    def known(self, node: int) -> Answer:
        """What is proved of this node already."""
        if self.nodes[node]["proof"] == 0:
            return Answer.YES
        return Answer.NO if self.nodes[node]["disproof"] == 0 else Answer.UNKNOWN

    def expand(self, node: int) -> None:
        """Find the moves of this node, if they are not known, even where the answer is and beyond the budget."""
        if self.nodes[node]["edge_count"] == graph.NOT_EXPANDED:
            self._make_space(is_urgent=True)
            graph.expand_node(self.record, self.nodes, self.edges, self.slots, self.totals, node)

    def children(self, node: int) -> list[tuple[int, int]]:
        """(point of the board, PASS_MOVE for a pass; node) of each move; none for a node that was not expanded."""
        first, count = int(self.nodes[node]["first_edge"]), int(self.nodes[node]["edge_count"])
        edges = self.edges[first : first + max(count, 0)]
        points = self.region.points
        return [(points[edge["point"]] if edge["point"] != graph.PASS_MOVE else graph.PASS_MOVE, int(edge["node"])) for edge in edges]

    def distances(self, answer: Answer) -> np.ndarray:
        """[nodes] how many moves the side that is right needs when the other delays; UNREACHED where no such proof is in the graph."""
        find = fixpoint.distances_to_success if answer is Answer.YES else fixpoint.distances_to_failure
        found: np.ndarray = find(self.record, self.nodes, self.edges, self.node_count)
        return found

    def side_to_play(self, node: int) -> int:
        """ATTACKER or DEFENDER."""
        return int(self.nodes[node]["to_play"])
