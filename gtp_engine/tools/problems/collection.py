"""Problems by number: the same seed and number always give the same problem. Each is proved on its whole board."""

import math
import random
from dataclasses import dataclass
from typing import Any

from gtp_engine.engine.solver.bits import ATTACKER, CAPTURE, DEFENDER, NEITHER
from gtp_engine.engine.solver.question import Answer, Budget
from gtp_engine.engine.solver.region import Region, RegionError, find_region
from gtp_engine.engine.solver.status import Outcome, Report, Solver
from gtp_engine.go.game import Game
from gtp_engine.go.life import safe_area
from gtp_engine.go.points import BLACK, EMPTY, WHITE, opponent, point_at, to_color_name, to_vertex
from gtp_engine.sgf import dump_problem
from gtp_engine.tools.problems.frame import area_outside, frame
from gtp_engine.tools.problems.kinds import KINDS, Solved
from gtp_engine.tools.problems.learning import lesson_of
from gtp_engine.tools.problems.shapes import Local

SIZES = (9, 13, 19)
NODES = 20_000  # of each question; harder problems are left out, so that the result doesn't depend on the clock
MOST_EMPTY = 20  # points of a region
ATTEMPTS = 150  # random shapes for one kind before another kind is tried
FEWEST_POINTS = 6  # of the score at stake in the fight
MOST_RIGHT = 0.5  # share of the empty points that may be right moves


@dataclass(frozen=True)
class MadeProblem:
    """A framed problem with its proof."""

    name: str
    kind: str
    solved: Solved
    komi: float

    def moves(self) -> list[str]:
        """All first moves that reach the result, as vertices."""
        return sorted(map(to_vertex, self.solved.report.moves))

    def result(self) -> str:
        """`black to play: white dies with C3`."""
        solved = self.solved
        words = {Outcome.DEAD: "dies", Outcome.ALIVE: "lives", Outcome.SEKI: "gets a seki", Outcome.KO: "fights a ko"}
        target = to_color_name(opponent(solved.attacker))
        text = f"{to_color_name(solved.color)} to play: {target} {words[solved.report.outcome]} with {' or '.join(self.moves())}"
        if solved.report.first_threat is not None:
            loser = solved.attacker if solved.report.first_threat == ATTACKER else opponent(solved.attacker)
            text += f"; {to_color_name(loser)} must find the first threat"
        return text

    def sgf(self) -> str:
        """The record: the position with marked targets, the result, and how hard the proof was."""
        solved = self.solved
        comment = f"{self.result()}\n{self.kind}; proved with {solved.nodes} nodes, a line of {len(solved.report.line)} moves"
        return dump_problem(solved.game, self.komi, solved.color, sorted(solved.targets), comment)

    def test(self, number: int) -> str:
        """The lines of a suite."""
        color = "b" if self.solved.color == BLACK else "w"
        return f"# {self.kind}: {self.result()}.\nloadsgf {self.name}.sgf\n{number} reg_genmove {color}\n#? [{'|'.join(self.moves())}]\n\n"


def make_problem(seed: int, number: int, sizes: tuple[int, ...], kinds: tuple[str, ...]) -> MadeProblem:
    """One problem. If there is none of a kind after ATTEMPTS, the next kind is used."""
    rng = random.Random(f"{seed} {number}")
    turn = number - 1
    while True:
        kind, size = kinds[turn % len(kinds)], sizes[turn // len(kinds) % len(sizes)]
        for _ in range(ATTEMPTS):
            solved = attempt(rng, kind, size)
            if solved is not None:
                return MadeProblem(f"{number:04d}-{kind}", kind, *solved)
        turn += 1


def problem_texts(data: dict[str, Any], seed: int) -> dict[str, Any]:
    """A job: problem `number` of this seed, `sizes` and `kinds`, as the texts of its files and its lesson for training."""
    number = data["number"]
    problem = make_problem(seed, number, tuple(data["sizes"]), tuple(data["kinds"]))
    solved = problem.solved
    lesson = lesson_of(solved.game, solved.color, sorted(solved.report.moves), problem.komi)
    return {"name": problem.name, "sgf": problem.sgf(), "test": problem.test(10 * number), "lesson": lesson}


def attempt(rng: random.Random, kind: str, size: int) -> tuple[Solved, float] | None:
    """Draw a shape, frame it and prove it; (problem, komi), or None if it is no problem of this kind."""
    draw, is_kind = KINDS[kind]
    local = draw(rng, size)
    defender, side = rng.choice((BLACK, WHITE)), rng.choice((ATTACKER, DEFENDER))
    stones = [point for point, owner in local.stones.items() if owner == DEFENDER]
    game = frame(rng, local, defender) if stones else None
    if game is None:
        return None
    chains: list[list[int]] = [game.chain_at(point_at(*point)) for point in sorted(stones)]
    targets = frozenset(sorted(chains, key=len)[-1])
    try:
        region = find_region(game, targets)
    except RegionError:
        return None
    if region.assumed or not 0 < region.empty_count() <= MOST_EMPTY:
        return None
    if {point_at(*point) for point in local.inside} - set(region.points) - safe_area(game, BLACK) - safe_area(game, WHITE):
        return None  # there is another fight beside it
    solved = solve(game, local, region, targets, side)
    if solved is None or not is_kind(solved[0]):
        return None
    return solved


def solve(game: Game, local: Local, region: Region, targets: frozenset[int], side: int) -> tuple[Solved, float] | None:
    """The proof for `side` to play first, and the komi with which it decides the game; None if its first move matters too little."""
    solver = Solver(game, region, Budget(NODES))
    solver.solve()
    report, passed = solver.reports[side], solver.reports[1 - side]
    most_moves = max(1, int(MOST_RIGHT * region.empty_count()))
    if not 0 < len(report.moves) <= most_moves or not report.moves_are_complete or report.repeats or passed.repeats:
        return None
    if report.outcome is Outcome.LIVES or passed.outcome is Outcome.LIVES or not is_the_same_without_threats(solver, report):
        return None
    komi = deciding_komi(game, local, region, report, passed)
    return None if komi is None else (Solved(game, local, targets, region.attacker, report, solver.node_count()), komi)


def is_the_same_without_threats(solver: Solver, report: Report) -> bool:
    """True if the same moves are right on a board without ko threats. Otherwise the frame would make wrong moves right."""
    if report.outcome is Outcome.KO and report.first_threat == report.side:
        return False  # there is no such threat: the ko is lost
    if report.outcome is Outcome.SEKI and report.side == ATTACKER:
        return True
    right_answer = Answer.YES if report.side == ATTACKER else Answer.NO
    rule = (CAPTURE, NEITHER)
    right = [point for point, node in solver.moves(rule, report.side).items() if solver.question(rule).ask(node) is right_answer]
    return sorted(right) == sorted(report.moves)


def deciding_komi(game: Game, local: Local, region: Region, report: Report, passed: Report) -> float | None:
    """Half a point beside the mean of the scores after the right move and after a pass; None if too few points are at stake."""
    outside = area_outside(game, local)
    values = []
    for case in (report, passed):
        is_taken = case.outcome is Outcome.DEAD or (case.outcome is Outcome.KO and case.first_threat == DEFENDER)
        inside = [point_at(*point) for point in local.inside]
        if is_taken:
            value = len(inside)
        elif case.outcome is Outcome.ALIVE and Outcome.SEKI in (report.outcome, passed.outcome):
            value = -len(inside)
        else:
            colors = [game.color_at(point) for point in inside]
            value = sum((color == region.attacker) - (color not in (EMPTY, region.attacker)) for color in colors)
        values.append(outside + (value if region.attacker == BLACK else -value))
    if abs(values[0] - values[1]) < FEWEST_POINTS:
        return None
    return math.floor(sum(values) / 2) + 0.5
