"""A question with the answer yes or no: does the prover reach its goal in this region? Runs the compiled search within a budget."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from gtp_engine.engine.move_model.model_file import shipped_model
from gtp_engine.engine.solver import facts, fixpoint, graph, move_order, proof_numbers
from gtp_engine.engine.solver.bits import ATTACKER, CAPTURE, DEFENDER, NEITHER, TWO_EYES
from gtp_engine.engine.solver.region import Region, RegionError
from gtp_engine.go.count import neighbor_table
from gtp_engine.go.game import Game
from gtp_engine.go.points import EMPTY, NO_POINT, PASS, POINTS
from gtp_engine.go.position import POSITION, ZOBRIST, new_positions

FIRST_NODES = 1 << 12  # space at first, if the budget allows; doubled when it is used up
EDGES_PER_NODE = 12  # space for edges: small regions have fewer, large ones leave more nodes unexpanded
CHUNK = 20_000  # visits of nodes in one compiled call, some hundredths of a second; Ctrl-C and the clock are checked in between
VISITS_PER_NODE = 100  # a search that visits the same nodes more often than this, on average, makes no progress
LEAST_CHANCE = 1e-9  # the smallest probability of a first move

Rule = tuple[int, int]  # goal and ko winner
FirstMoves = Mapping[int, Mapping[int, float]]  # by color: the probability of each move in the given position, a point or PASS


class Answer(Enum):
    """The answer to a question."""

    YES = "yes"  # the prover reaches its goal against every defense
    NO = "no"  # the other side can prevent it
    UNKNOWN = "unknown"  # the budget was used up before


@dataclass
class Budget:
    """A limit of nodes, each one position, for each Question, and of seconds for all questions that share the budget."""

    nodes: int = 1_000_000  # about 200 MB; a question always has 130 nodes, enough for two moves with all their answers
    seconds: float | None = None  # None: no limit
    progress: Callable[[int], None] = lambda nodes: None  # called regularly with the number of a question's nodes so far
    clock: Callable[[], float] = time.monotonic  # measures the seconds; time.process_time on a busy machine
    deadline: float | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if self.seconds is not None:
            self.deadline = self.clock() + self.seconds

    def is_over(self) -> bool:
        """True if the time has run out."""
        return self.deadline is not None and self.clock() > self.deadline

    def stop(self) -> None:
        """End the time: all searches that use this budget end soon."""
        self.deadline = -math.inf


def first_space(budget: Budget) -> int:
    """The number of nodes for which a question has space at first. Its search stops when the space that the budget allows is used up."""
    return max(min(FIRST_NODES, budget.nodes), 2 * graph.MOST_EDGES)


@dataclass(frozen=True)
class NodeFacts:
    """The facts that a question about one target has proved."""

    facts: np.ndarray  # NODE_FACT, see facts.py
    base: int  # mixed with ZOBRIST of the stones in the region: the key of a position with the attacker to play and no ban of ko
    turn: int  # mixed into the key when the defender is to play


class Question:
    """A goal in a region with one rule for kos, asked for any number of positions in it. Results for one position help with the next.

    game -- has the position that the region was made from
    rule -- (goal, ko winner). CAPTURE: the attacker takes every target; CAPTURE_ANY: the attacker takes one of them;
        TWO_EYES: the defender makes a target unconditionally alive. The ko winner is the side that may retake a ko at once, as if it always
        had a ko threat; NEITHER: a side that may not retake must play elsewhere
    first_moves -- a network's policy for the position; it orders the first moves and changes no answer

    Raises RegionError for more targets than fit.
    """

    def __init__(self, game: Game, region: Region, rule: Rule, budget: Budget, first_moves: FirstMoves | None = None) -> None:
        self.region, self.budget = region, budget
        self.prover = DEFENDER if rule[0] == TWO_EYES else ATTACKER
        self.task = make_task(game, region, rule)
        self.totals = np.zeros(1, graph.TOTALS)
        self.nodes = np.empty(first_space(budget), graph.NODE)
        self.edges = np.empty(FIRST_NODES * EDGES_PER_NODE, graph.EDGE)
        self.slots = np.full(4 * FIRST_NODES, -1, np.int32)
        self.starts = new_positions(2, game.size)
        self.positions = np.empty(proof_numbers.MOST_DEPTH + 1, POSITION)
        self.move_judge = new_order(region, first_moves or {}), shipped_model()
        self.limits = np.zeros((proof_numbers.MOST_DEPTH, 3), np.int64)
        for side in (ATTACKER, DEFENDER):
            self.starts[side] = game.positions[0]
            if region.color(side) != game.to_play:
                self.starts[side]["ko_point"] = NO_POINT

    @property
    def node_count(self) -> int:
        """The number of positions so far."""
        return int(self.totals[0]["nodes"])

    @property
    def has_kos(self) -> bool:
        """True if a ko was taken in a position so far. Otherwise the answers hold for every rule for kos."""
        return bool(self.totals[0]["kos"]) or self.region.ko != 0

    def start(self, side: int) -> int:
        """The node of the given position with `side` to play."""
        self._make_space()
        return int(graph.add_root(self.task, self.nodes, self.slots, self.totals, self.starts, side))

    def ask(self, node: int) -> Answer:
        """Search until the answer for this node is proved or the budget is used up."""
        target = node
        while True:
            before = self.node_count
            if not self._search(target):
                return Answer.UNKNOWN
            if self.nodes[node]["proof"] == 0:
                return Answer.YES
            hopes = fixpoint.settle_failures(self.task, self.nodes, self.edges, self.node_count)
            if self.nodes[node]["disproof"] == 0:
                return Answer.NO
            target = node if self.node_count > before else self._open_node(node, hopes)

    def _search(self, node: int) -> bool:
        """Search until the node is solved, at least on one path; False if the budget is used up before."""
        proof_numbers.set_root(self.task, self.nodes, self.positions, self.starts, self.limits, node)
        path = self.positions, self.limits
        arrays = self.task, self.nodes, self.edges, self.slots, self.totals, path, self.move_judge
        while not proof_numbers.search(*arrays, CHUNK):
            self.budget.progress(self.node_count)
            most_visits = VISITS_PER_NODE * max(self.budget.nodes, CHUNK)
            if self.budget.is_over() or int(self.totals[0]["visits"]) > most_visits or not self._make_space():
                return False
            arrays = self.task, self.nodes, self.edges, self.slots, self.totals, path, self.move_judge
        return True

    def _make_space(self, is_urgent: bool = False) -> bool:
        """Enlarge the pool if the next expansion might not fit; False if it is not urgent and the budget doesn't allow it."""
        totals = self.totals[0]
        if int(totals["nodes"]) + 2 * graph.MOST_EDGES > len(self.nodes):
            if len(self.nodes) >= self.budget.nodes and not is_urgent:
                return False
            size = min(2 * len(self.nodes), max(self.budget.nodes, FIRST_NODES))
            self.nodes = np.resize(self.nodes, max(size, self.node_count + 2 * graph.MOST_EDGES))
            self.slots = np.full(2 * len(self.slots), -1, np.int32)
            graph.fill_slots(self.nodes, self.slots, self.node_count)
        if int(totals["edges"]) + 2 * graph.MOST_EDGES > len(self.edges):
            self.edges = np.resize(self.edges, 2 * len(self.edges))
        return True

    def _open_node(self, node: int, hopes: np.ndarray) -> int:
        """The open node to search next if the search by itself finds nothing to do: one through which the prover might still succeed.

        If all children are solved, that is the node itself, which is solved when it is searched again.
        """
        while self.nodes[node]["edge_count"] != graph.NOT_EXPANDED:
            nearer = [child for _, child in self.children(node) if hopes[child] < hopes[node] and self.known(child) is Answer.UNKNOWN]
            if not nearer:
                return node
            node = min(nearer, key=lambda child: int(hopes[child]))
        return node

    def known(self, node: int) -> Answer:
        """The answer for this node, if it is proved already."""
        if self.nodes[node]["proof"] == 0:
            return Answer.YES
        return Answer.NO if self.nodes[node]["disproof"] == 0 else Answer.UNKNOWN

    def expand(self, node: int) -> None:
        """Find the moves of this node if they are not known yet, even if its answer is known, and even beyond the budget."""
        if self.nodes[node]["edge_count"] == graph.NOT_EXPANDED:
            self._make_space(is_urgent=True)
            arrays = self.task, self.nodes, self.edges, self.slots, self.totals, self.positions, self.starts
            graph.expand_node(*arrays, node)

    def children(self, node: int) -> list[tuple[int, int]]:
        """(point or PASS_MOVE, node) for each move; empty for a node that is not expanded."""
        first, count = int(self.nodes[node]["first_edge"]), int(self.nodes[node]["edge_count"])
        return [(int(edge["point"]), int(edge["node"])) for edge in self.edges[first : first + max(count, 0)]]

    def distances(self, answer: Answer) -> np.ndarray:
        """[nodes] the number of moves that the winner needs against the longest resistance; UNREACHED without a proof of this answer."""
        find = fixpoint.distances_to_success if answer is Answer.YES else fixpoint.distances_to_failure
        lengths: np.ndarray = find(self.task, self.nodes, self.edges, self.node_count)
        return lengths

    def side_to_play(self, node: int) -> int:
        """ATTACKER or DEFENDER."""
        return int(self.nodes[node]["to_play"])

    def facts(self) -> NodeFacts:
        """All facts proved so far, for a question about one target. Settles the failures."""
        count = self.node_count
        fixpoint.settle_failures(self.task, self.nodes, self.edges, count)
        table = np.zeros(count, facts.NODE_FACT)
        distances = self.distances(Answer.YES), self.distances(Answer.NO)
        written = facts.write_facts(self.task, self.nodes, self.edges, count, *distances, table)
        start = self.starts[0]
        base = int(start["hash"]) ^ int(graph.TARGET_HASH[0])
        for point in self.region.points:
            if start["color"][point] != EMPTY:
                base ^= int(ZOBRIST[start["color"][point], point])
        return NodeFacts(table[:written], base, int(graph.TURN_HASH))


def new_order(region: Region, first_moves: FirstMoves) -> np.ndarray:
    """[1] MOVE_ORDER that knows these first moves."""
    order = np.zeros(1, move_order.MOVE_ORDER)
    for side in (ATTACKER, DEFENDER):
        chances = first_moves.get(region.color(side))
        if chances:
            order[0]["has_policy"][side] = 1
            order[0]["policy"][side] = math.log(LEAST_CHANCE)
            for point, chance in chances.items():
                if point != PASS:
                    order[0]["policy"][side][point] = math.log(max(chance, LEAST_CHANCE))
    return order


def make_task(game: Game, region: Region, rule: Rule) -> np.ndarray:
    """[1] TASK. Raises RegionError for more targets than fit."""
    targets = sorted({game.chain_at(point)[0] for i, point in enumerate(region.points) if region.targets >> i & 1})
    if len(targets) > graph.MOST_TARGETS:
        raise RegionError(f"there are {len(targets)} target chains, and at most {graph.MOST_TARGETS} can be searched; mark fewer")
    tasks = np.zeros(1, graph.TASK)
    task, around = tasks[0], neighbor_table(region.size)
    number = {point: i for i, point in enumerate(region.points)}
    task["goal"], task["ko_winner"] = rule
    task["prover"] = DEFENDER if rule[0] == TWO_EYES else ATTACKER
    task["count"], task["target_count"] = len(region.points), len(targets)
    task["points"][: len(region.points)] = region.points
    task["targets"][: len(targets)] = targets
    task["number"] = np.full(POINTS, -1)
    for point, i in number.items():
        task["number"][point] = i
        task["beside"][i] = sum(1 << number[other] for other in around[point] if other in number)
    task["safe_beside"] = region.safe_beside
    task["everything"] = (1 << len(region.points)) - 1
    task["colors"] = [region.color(side) for side in (ATTACKER, DEFENDER)]
    return tasks


def load_rare_kernels(game: Game, region: Region) -> None:
    """Load or compile the kernels that few questions call: for questions that outgrow their arrays, or are answered before they have moves.

    This keeps the delay out of games. `game` and `region` may be any.
    """
    question = Question(game, region, (CAPTURE, NEITHER), Budget(FIRST_NODES))
    question.expand(question.start(ATTACKER))
    graph.fill_slots(question.nodes, question.slots, question.node_count)
