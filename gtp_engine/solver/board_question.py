"""Questions asked on the engine's own board: open regions, chains to connect, a number of ko threats. See board_graph.py."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, NO_POINT, PASS, POINTS, WHITE, opponent
from gtp_engine.go.position import POSITION, ZOBRIST, new_positions
from gtp_engine.move_model.model_file import shipped_model
from gtp_engine.solver import board_facts, board_graph, board_search, fixpoint, graph, move_order
from gtp_engine.solver.bits import ATTACKER, CAPTURE, DEFENDER, NEITHER
from gtp_engine.solver.board_graph import CONNECT, UNLIMITED
from gtp_engine.solver.question import CHUNK, EDGES_PER_NODE, FIRST_NODES, VISITS_PER_NODE, Answer, Budget, Question, first_space
from gtp_engine.solver.region import Region, RegionError, make_region, safe_stones
from gtp_engine.solver.status import Outcome, Report, Rule, Solver

FirstMoves = Mapping[int, Mapping[int, float]]  # by color: how likely each of its moves is in the given position, a point or PASS
LEAST_CHANCE = 1e-9  # of a move that isn't among them, or hardly likely


@dataclass(frozen=True)
class NodeFacts:
    """What a question about one target has proved."""

    facts: np.ndarray  # NODE_FACT, see board_facts.py
    base: int  # mixed with ZOBRIST of the stones in the region: the name of a position with the attacker to play and no ban of ko
    turn: int  # mixed in when the defender is to play


class BoardQuestion(Question):
    """As Question, with the same answers, on the board of a game whose position the region was made of.

    goal -- CAPTURE, TWO_EYES, or CONNECT: the defender joins the chains of two targets, the first of `ends` and the second
    threats -- how many ko threats the ko winner has; UNLIMITED: for every ko
    first_moves -- what a network says of the position; its order is followed, and changes no answer
    """

    def __init__(
        self,
        game: Game,
        region: Region,
        rule: Rule,
        budget: Budget,
        threats: int = UNLIMITED,
        ends: tuple[int, int] | None = None,
        first_moves: FirstMoves | None = None,
    ) -> None:
        goal, ko_winner = rule
        self.region, self.budget, self.threats = region, budget, threats
        self.prover = ATTACKER if goal == CAPTURE else DEFENDER
        self.record = make_task(game, region, ends)
        self.record[0]["goal"], self.record[0]["prover"], self.record[0]["ko_winner"] = goal, self.prover, ko_winner
        self.totals = np.zeros(1, graph.TOTALS)
        self.nodes = np.empty(first_space(budget), board_graph.NODE)
        self.edges = np.empty(FIRST_NODES * EDGES_PER_NODE, graph.EDGE)
        self.slots = np.full(4 * FIRST_NODES, -1, np.int32)
        self.starts = new_positions(2, game.size)
        self.positions = np.empty(board_search.MOST_DEPTH + 1, POSITION)
        self.move_judge = new_order(region, first_moves or {}), shipped_model()
        self.limits = np.zeros((board_search.MOST_DEPTH, 3), np.int64)
        for side in (ATTACKER, DEFENDER):
            self.starts[side] = game.positions[0]
            if region.color(side) != game.to_play:
                self.starts[side]["ko_point"] = NO_POINT

    def start(self, side: int) -> int:
        """The node of the position that was given, with `side` to play."""
        self._make_space()
        return int(board_graph.add_root(self.record, self.nodes, self.slots, self.totals, self.starts, side, self.threats))

    def _search(self, node: int) -> bool:
        """Search until the node is solved, on one path at least; False when the budget is spent before."""
        board_search.set_root(self.record, self.nodes, self.positions, self.starts, self.limits, node)
        path = self.positions, self.limits
        arrays = self.record, self.nodes, self.edges, self.slots, self.totals, path, self.move_judge
        while not board_search.search(*arrays, CHUNK):
            self.budget.progress(self.node_count)
            most_visits = VISITS_PER_NODE * max(self.budget.nodes, CHUNK)
            if self.budget.is_over() or int(self.totals[0]["visits"]) > most_visits or not self._make_space():
                return False
            arrays = self.record, self.nodes, self.edges, self.slots, self.totals, path, self.move_judge
        return True

    def _fill_slots(self) -> None:
        """Enter all nodes into the hash table."""
        board_graph.fill_slots(self.nodes, self.slots, self.node_count)

    def expand(self, node: int) -> None:
        """Find the moves of this node, if they are not known, even where the answer is and beyond the budget."""
        if self.nodes[node]["edge_count"] == graph.NOT_EXPANDED:
            self._make_space(is_urgent=True)
            arrays = self.record, self.nodes, self.edges, self.slots, self.totals, self.positions, self.starts
            board_graph.expand_node(*arrays, node)

    def children(self, node: int) -> list[tuple[int, int]]:
        """(point of the board, PASS_MOVE for a pass; node) of each move; none for a node that was not expanded."""
        first, count = int(self.nodes[node]["first_edge"]), int(self.nodes[node]["edge_count"])
        return [(int(edge["point"]), int(edge["node"])) for edge in self.edges[first : first + max(count, 0)]]

    def facts(self) -> NodeFacts:
        """All that is proved by now; for a question about one target. Failures that were not known to hold on every path are settled."""
        count = self.node_count
        fixpoint.settle_failures(self.record, self.nodes, self.edges, count)
        facts = np.zeros(count, board_facts.NODE_FACT)
        distances = self.distances(Answer.YES), self.distances(Answer.NO)
        written = board_facts.write_facts(self.record, self.nodes, self.edges, count, *distances, facts)
        start = self.starts[0]
        base = int(start["hash"]) ^ int(board_graph.THREAT_HASH[self.threats]) ^ int(board_graph.TARGET_HASH[0])
        for point in self.region.points:
            if start["color"][point] != EMPTY:
                base ^= int(ZOBRIST[start["color"][point], point])
        return NodeFacts(facts[:written], base, int(board_graph.TURN_HASH))


def join(game: Game, ends: tuple[int, int], playable: Collection[int], budget: Budget, rule_of_ko: int = NEITHER) -> BoardQuestion:
    """The question whether the owner of two stones can join their chains, both sides playing on the empty points `playable` only.

    `rule_of_ko` is the side that may retake a ko at once; the owner is the DEFENDER. Raises RegionError for points without stones of one
    color, and for a region too large.
    """
    color = game.color_at(ends[0])
    if color not in (BLACK, WHITE) or game.color_at(ends[1]) != color:
        raise RegionError("name two stones of one color to connect")
    chains = {stone for point in ends for stone in game.chain_at(point)}
    region = make_region(game, chains, opponent(color), set(playable), safe_stones(game))
    return BoardQuestion(game, region, (CONNECT, rule_of_ko), budget, ends=ends)


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


def make_task(game: Game, region: Region, ends: tuple[int, int] | None = None) -> np.ndarray:
    """[1] TASK without goal, prover and ko winner. Raises RegionError for more targets than fit."""
    targets = {game.chain_at(point)[0] for i, point in enumerate(region.points) if region.targets >> i & 1}
    stones = list(ends) if ends else sorted(targets)
    if len(stones) > board_graph.MOST_TARGETS:
        raise RegionError(f"there are {len(stones)} target chains, and at most {board_graph.MOST_TARGETS} can be searched; mark fewer")
    task = np.zeros(1, board_graph.TASK)
    for name in region.record.dtype.names or ():
        task[name] = region.record[name]
    record = task[0]
    record["count"], record["target_count"] = len(region.points), len(stones)
    record["points"][: len(region.points)] = region.points
    record["targets"][: len(stones)] = stones
    record["number"] = np.full(POINTS, -1)
    record["number"][list(region.points)] = range(len(region.points))
    record["colors"] = [region.color(side) for side in (ATTACKER, DEFENDER)]
    return task


class BoardSolver(Solver):
    """As Solver, on the board of a game; `first_moves` as for BoardQuestion."""

    def __init__(self, game: Game, region: Region, budget: Budget, first_moves: FirstMoves | None = None) -> None:
        super().__init__(region, budget)
        self.game, self.first_moves = game, first_moves

    def question(self, rule: Rule) -> Question:
        """The question of this goal and ko winner; the same one each time, so that it remembers."""
        if rule not in self.questions:
            self.questions[rule] = BoardQuestion(self.game, self.region, rule, self.budget, first_moves=self.first_moves)
        return self.questions[rule]

    def outcome(self, side: int, asks_life: bool = True) -> Report:
        """What becomes of the targets when `side` plays first, and in a ko whether one threat is enough."""
        report = super().outcome(side, asks_life)
        if asks_life and report.outcome is Outcome.KO and report.first_threat is not None:
            question = BoardQuestion(self.game, self.region, (CAPTURE, report.first_threat), self.budget, threats=1)
            answer = question.ask(question.start(side))
            wanted = Answer.NO if report.first_threat == DEFENDER else Answer.YES
            report.threats = None if answer is Answer.UNKNOWN else 1 if answer is wanted else 2
        return report


def load_rare_kernels(game: Game, region: Region) -> None:
    """Load or compile the kernels that few questions call: those which outgrow their first arrays, or know an answer before its moves.

    In a game, that would come at a bad time. `game`, `region`: any.
    """
    question = BoardQuestion(game, region, (CAPTURE, NEITHER), Budget(FIRST_NODES))
    question.expand(question.start(ATTACKER))
    board_graph.fill_slots(question.nodes, question.slots, question.node_count)
