"""One question with yes or no for an answer: does the prover reach its goal in this region? Runs the compiled search within a budget."""

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

FIRST_NODES = 1 << 12  # space at the beginning, if the budget is as large; doubled when it is used up
EDGES_PER_NODE = 12  # space for edges: small regions have fewer, large ones leave more nodes unexpanded
CHUNK = 20_000  # visits of nodes in one compiled call, some hundredths of a second: how late Ctrl-C and the clock are seen
VISITS_PER_NODE = 100  # a search that looks at the same nodes more often than this, on average, gets nowhere
LEAST_CHANCE = 1e-9  # of a first move that nothing was said of, or that is hardly likely

Rule = tuple[int, int]  # goal and ko winner
FirstMoves = Mapping[int, Mapping[int, float]]  # by color: how likely each of its moves is in the given position, a point or PASS


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


@dataclass(frozen=True)
class NodeFacts:
    """What a question about one target has proved."""

    facts: np.ndarray  # NODE_FACT, see facts.py
    base: int  # mixed with ZOBRIST of the stones in the region: the name of a position with the attacker to play and no ban of ko
    turn: int  # mixed in when the defender is to play


class Question:
    """A goal in a region, with one rule for kos, asked of any number of positions in it. What was found for one serves the next.

    game -- the region was made of its position
    rule -- (goal, ko winner). CAPTURE: the attacker takes every target; CAPTURE_ANY: the attacker takes one of them;
        TWO_EYES: the defender makes a target safe against everything. The ko winner is the side that may retake a ko at once, as if it had
        a threat for each; NEITHER: whoever may not retake must play elsewhere
    first_moves -- what a network says of the position; its order is followed, and changes no answer

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
        """Positions so far."""
        return int(self.totals[0]["nodes"])

    @property
    def has_kos(self) -> bool:
        """Was any ko taken in a position so far? Without one, the answers hold for every rule for kos."""
        return bool(self.totals[0]["kos"]) or self.region.ko != 0

    def start(self, side: int) -> int:
        """The node of the position that was given, with `side` to play."""
        self._make_space()
        return int(graph.add_root(self.task, self.nodes, self.slots, self.totals, self.starts, side))

    def ask(self, node: int) -> Answer:
        """Search until the answer for this node is proved or the budget is spent."""
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
        """Search until the node is solved, on one path at least; False when the budget is spent before."""
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
        """Enlarge the pool when the next expansion might not fit; False when it is not urgent and the budget doesn't allow it."""
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
            arrays = self.task, self.nodes, self.edges, self.slots, self.totals, self.positions, self.starts
            graph.expand_node(*arrays, node)

    def children(self, node: int) -> list[tuple[int, int]]:
        """(point of the board, PASS_MOVE for a pass; node) of each move; none for a node that was not expanded."""
        first, count = int(self.nodes[node]["first_edge"]), int(self.nodes[node]["edge_count"])
        return [(int(edge["point"]), int(edge["node"])) for edge in self.edges[first : first + max(count, 0)]]

    def distances(self, answer: Answer) -> np.ndarray:
        """[nodes] how many moves the side that is right needs when the other delays; UNREACHED where no such proof is in the graph."""
        find = fixpoint.distances_to_success if answer is Answer.YES else fixpoint.distances_to_failure
        lengths: np.ndarray = find(self.task, self.nodes, self.edges, self.node_count)
        return lengths

    def side_to_play(self, node: int) -> int:
        """ATTACKER or DEFENDER."""
        return int(self.nodes[node]["to_play"])

    def facts(self) -> NodeFacts:
        """All that is proved by now; for a question about one target. Failures that were not known to hold on every path are settled."""
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
            order[0]["is_told"][side] = 1
            order[0]["told"][side] = math.log(LEAST_CHANCE)
            for point, chance in chances.items():
                if point != PASS:
                    order[0]["told"][side][point] = math.log(max(chance, LEAST_CHANCE))
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
    """Load or compile the kernels that few questions call: those which outgrow their first arrays, or know an answer before its moves.

    In a game, that would come at a bad time. `game`, `region`: any.
    """
    question = Question(game, region, (CAPTURE, NEITHER), Budget(FIRST_NODES))
    question.expand(question.start(ATTACKER))
    graph.fill_slots(question.nodes, question.slots, question.node_count)
