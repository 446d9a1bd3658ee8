"""The status of a chain, proved by the solver, in words."""

from typing import Any

from gtp_engine.engine.solver.bits import ATTACKER, DEFENDER
from gtp_engine.engine.solver.graph import PASS_MOVE
from gtp_engine.engine.solver.question import Budget
from gtp_engine.engine.solver.region import RegionError, find_region
from gtp_engine.engine.solver.status import Outcome, Report, Solver
from gtp_engine.go.game import Game
from gtp_engine.go.points import opponent, to_color_name, to_vertex

NODES, SECONDS = 200_000, 5.0  # of the proofs for a click; a question with fewer than about 15 empty points is solved at once
LINE_MOVES = 12  # of a shown line
WORDS = {
    Outcome.DEAD: "dead",
    Outcome.KO: "a matter of ko",
    Outcome.SEKI: "alive in seki",
    Outcome.ALIVE: "alive",
    Outcome.LIVES: "alive",
}


def fate_text(game: Game, point: int) -> dict[str, Any]:
    """{"text": sentences, "chain": vertices, "lines": {color that plays first: vertices of a line of play}}."""
    chain = game.chain_at(point)
    color = game.color_at(point)
    name = f"{to_color_name(color).capitalize()}'s {'chain' if len(chain) > 1 else 'stone'} at {to_vertex(point)}"
    fate = {"chain": [to_vertex(stone) for stone in chain], "lines": {}}
    try:
        region = find_region(game, set(chain))
    except RegionError:
        return fate | {"text": f"{name} has too much room around it for a proof."}
    solver = Solver(game, region, Budget(NODES, SECONDS))
    solver.solve()
    sides = {color: DEFENDER, opponent(color): ATTACKER}
    reports = {first: solver.reports[side] for first, side in sides.items()}
    if any(report.outcome is Outcome.UNKNOWN for report in reports.values()):
        return fate | {"text": f"{name}: no proof was found within {SECONDS:g} seconds."}
    lines = {to_color_name(first): line_of(report) for first, report in reports.items()}
    own, other = reports[color], reports[opponent(color)]
    text = f"{name} is {WORDS[own.outcome]}, whichever side plays first."
    if own.outcome is not other.outcome:
        sentences = (sentence(first, report, color) for first, report in reports.items())
        text = f"{name} is unsettled. {' '.join(sentences)}"
    condition = ", provided that the stones around it are safe" if region.assumed else ""
    return fate | {"text": f"{text} This is proved{condition}.", "lines": lines}


def sentence(first: int, report: Report, owner: int) -> str:
    """A sentence about the outcome when `first` plays first."""
    moves = " or ".join(to_vertex(point) for point in report.moves)
    how = f" at {moves}" if moves else ""
    verb = "it lives" if report.outcome in (Outcome.ALIVE, Outcome.LIVES) else f"it is {WORDS[report.outcome]}"
    ko = ""
    if report.first_threat is not None:
        side = owner if report.first_threat == DEFENDER else opponent(owner)
        ko = f" for which {to_color_name(side).capitalize()} needs the first threat"
    return f"If {to_color_name(first).capitalize()} plays first{how}, {verb}{ko}."


def line_of(report: Report) -> list[str]:
    """The line of play as vertices."""
    return ["pass" if point == PASS_MOVE else to_vertex(point) for point in report.line[:LINE_MOVES]]
