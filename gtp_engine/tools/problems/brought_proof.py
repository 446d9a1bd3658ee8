"""Users' problems, marked or not, for a person to solve, if their answers can be proved."""

from gtp_engine.engine.solver.bits import ATTACKER, DEFENDER
from gtp_engine.engine.solver.problem import Problem
from gtp_engine.engine.solver.question import Budget
from gtp_engine.engine.solver.region import RegionError, find_region
from gtp_engine.engine.solver.status import Solver
from gtp_engine.engine.solver.unmarked import ask_everything
from gtp_engine.tools.problems.trial import Trial


def trial_of(problem: Problem, budget: Budget) -> tuple[Trial | None, str]:
    """The trial of a problem, or None and a sentence that says why right and wrong moves can't be distinguished."""
    game, color = problem.game.copy(), problem.game.to_play
    if not problem.targets:
        answered = ask_everything(problem.game, color, budget)
        if answered is None:
            return None, "No group was found here whose life the first move decides."
        return Trial(answered.solver, answered.report, game, answered.guess.targets), ""
    try:
        region = find_region(problem.game, problem.targets, problem.marked)
    except RegionError as error:
        return None, f"The answer can't be proved: {error}."
    solver = Solver(problem.game, region, budget)
    solver.solve()
    report = solver.reports[ATTACKER if region.attacker == color else DEFENDER]
    if not report.moves:
        return None, "No first move could be proved to be right."
    return Trial(solver, report, game, frozenset(problem.targets)), ""
