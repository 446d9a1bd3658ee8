"""A solved problem in words, as a row of a table, and as JSON."""

import time
from collections.abc import Collection
from dataclasses import dataclass
from typing import TypedDict

from gtp_engine.engine.solver.bits import ATTACKER, DEFENDER
from gtp_engine.engine.solver.graph import PASS_MOVE
from gtp_engine.engine.solver.problem import Problem
from gtp_engine.engine.solver.question import Budget
from gtp_engine.engine.solver.region import Region, find_region
from gtp_engine.engine.solver.status import Outcome, Report, Solver, Status
from gtp_engine.go.points import BLACK, WHITE, to_color_name, to_vertex, vertices

SHOWN_MOVES = 12  # of a line of play; the loser can often delay for long
HEADER = f"{'problem':<34} {'status':<13} {'black first':<26} {'white first':<26} {'nodes':>9} {'seconds':>8}"


class OutcomeJson(TypedDict):
    """One side's part of the JSON."""

    outcome: str
    moves: list[str]  # the first moves that reach it; empty if none is needed or none helps
    moves_are_complete: bool
    first_threat: str | None  # in a ko: the color that must find the first threat
    repeats: bool  # true: alive only by endless repetition
    line: list[str]


class SolutionJson(TypedDict):
    """What `--json` prints for a problem."""

    problem: str
    status: str
    target_color: str
    targets: list[str]
    empty_points: int
    assumed_safe: list[str]
    nodes: int
    seconds: float
    assumption: str  # the question, if nothing was marked; otherwise empty
    first: dict[str, OutcomeJson]  # by the color that plays first


@dataclass(frozen=True)
class Solution:
    """A problem with its solution."""

    problem: Problem
    region: Region
    solver: Solver
    status: Status
    seconds: float
    assumption: str = ""  # the question, if nothing was marked

    def report(self, color: int) -> Report | None:
        """The report for `color` to play first; None if that was not asked."""
        return self.solver.reports.get(ATTACKER if color == self.region.attacker else DEFENDER)

    def as_dict(self) -> SolutionJson:
        """The solution as JSON."""
        region = self.region
        return {
            "problem": self.problem.name,
            "status": self.status.value,
            "target_color": to_color_name(region.color(DEFENDER)),
            "targets": [to_vertex(point) for i, point in enumerate(region.points) if region.targets >> i & 1],
            "empty_points": region.empty_count(),
            "assumed_safe": [to_vertex(point) for point in sorted(region.assumed)],
            "nodes": self.solver.node_count(),
            "seconds": round(self.seconds, 3),
            "assumption": self.assumption,
            "first": {to_color_name(color): self.outcome_dict(report) for color in (BLACK, WHITE) if (report := self.report(color))},
        }

    def outcome_dict(self, report: Report) -> OutcomeJson:
        """One side's part of the JSON."""
        threat = report.first_threat
        return {
            "outcome": report.outcome.value,
            "moves": [to_vertex(point) for point in report.moves],
            "moves_are_complete": report.moves_are_complete,
            "first_threat": None if threat is None else to_color_name(self.region.color(threat)),
            "repeats": report.repeats,
            "line": [move_text(point) for point in report.line],
        }

    def row(self) -> str:
        """A row of the table under HEADER."""
        cells = [short_text(self.report(color)) for color in (BLACK, WHITE)]
        nodes = self.solver.node_count()
        return f"{self.problem.name[:34]:<34} {word(self.status):<13} {cells[0]:<26} {cells[1]:<26} {nodes:>9,} {self.seconds:>8.2f}"

    def as_text(self) -> str:
        """A few lines for people."""
        region = self.region
        color = to_color_name(region.color(DEFENDER))
        lines = [f"{self.problem.name}: {color} is {self.headline()}"]
        if self.assumption:
            lines.append(f"  {self.assumption}")
        for first in (BLACK, WHITE):
            report = self.report(first)
            if report is not None:
                lines.append(f"  {to_color_name(first)} first: {self.outcome_text(report)}")
                if report.line:
                    lines.append(f"    line: {line_text(report)}")
        empty = region.empty_count()
        points = f"{empty} empty point{'' if empty == 1 else 's'}"
        lines.append(f"  {points}, {self.solver.node_count():,} nodes, {self.seconds:.2f} s")
        if region.assumed:
            names = vertices(sorted(region.assumed))
            lines.append(f"  assumed to be safe, not proved: {names}")
        return "\n".join(lines)

    def tries_text(self) -> str:
        """A line for each wrong first move with its refutation, for each side for which the first move decides."""
        lines = []
        for report in self.solver.reports.values():
            color = to_color_name(self.region.color(report.side))
            for point, line in self.solver.tries(report):
                moves = " ".join(move_text(move) for move in line[:SHOWN_MOVES])
                lines.append(f"  wrong for {color}: {to_vertex(point)}, refuted by {moves or 'the stones already there'}")
        return "\n".join(lines)

    def headline(self) -> str:
        """The status in words."""
        if self.status is Status.UNSETTLED:
            return "unsettled: the first move decides"
        if self.status is Status.UNKNOWN:
            return f"unknown after {self.solver.node_count():,} nodes; try more with --nodes, or mark a smaller region"
        return word(self.status)

    def outcome_text(self, report: Report) -> str:
        """`dead: B7 or C7 takes it`, `ko: A6; white must find the first threat`."""
        text = word(report.outcome)
        if report.moves:
            text += " with " + " or ".join(to_vertex(point) for point in report.moves)
            text += "" if report.moves_are_complete else " (other moves were not examined to the end)"
        if report.first_threat is not None:
            text += f"; {to_color_name(self.region.color(report.first_threat))} must find the first ko threat"
        if report.repeats:
            text += ", by a fight that never ends; under superko it needs as many other threats"
        return text


def short_text(report: Report | None) -> str:
    """Outcome and moves for a cell of the table."""
    if report is None:
        return "-"
    moves = vertices(report.moves)
    return f"{word(report.outcome)} {moves}".strip()[:26]


def word(result: Status | Outcome) -> str:
    """A word for people."""
    return "alive or seki" if result in (Status.LIVES, Outcome.LIVES) else result.value


def move_text(point: int) -> str:
    """A vertex or `pass`."""
    return "pass" if point == PASS_MOVE else to_vertex(point)


def line_text(report: Report) -> str:
    """The beginning of the line of play."""
    shown = [move_text(point) for point in report.line[:SHOWN_MOVES]]
    rest = " ..." if len(report.line) > SHOWN_MOVES else ""
    return " ".join(shown) + rest


def is_solved(solution: Solution) -> bool:
    """True if everything that was asked is proved."""
    return all(report.outcome is not Outcome.UNKNOWN for report in solution.solver.reports.values())


def solve(problem: Problem, colors: Collection[int], budget: Budget) -> Solution:
    """Solve the problem with each of these colors to play first. Raises RegionError."""
    started = time.monotonic()
    region = find_region(problem.game, problem.targets, problem.marked)
    solver = Solver(problem.game, region, budget)
    status = solver.solve(tuple(side for side in (ATTACKER, DEFENDER) if region.color(side) in colors))
    return Solution(problem, region, solver, status, time.monotonic() - started)
