"""Reasons that the solver proves: own groups that die after a mistake, and the opponent's groups that live."""

from collections.abc import Iterator, Sequence

from gtp_engine.engine.player.fights import question_about, questions
from gtp_engine.engine.solver.bits import ATTACKER, DEFENDER
from gtp_engine.engine.solver.graph import PASS_MOVE
from gtp_engine.engine.solver.question import Budget
from gtp_engine.engine.solver.region import Region, safe_stones
from gtp_engine.engine.solver.status import Outcome, Report, Solver
from gtp_engine.go.count import liberties_of
from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS, opponent, to_vertex
from gtp_engine.tools.review.model import NAMES, Reason

NODES = 4000  # for one group: some hundredths of a second
FEW_LIBERTIES = 4  # surrounding stones that are not proved safe must have more
MOST_MOVES = 7  # of a variation in the text


def life_reason(after: Game, best: Game, color: int, better: int) -> Reason | None:
    """Return a reason if the move decides a group's life, or None. `after`, `best`: the boards after the mistake and the better move."""
    for chain, region in fights(after):
        owner = after.color_at(min(chain))
        side = DEFENDER if owner == opponent(color) else ATTACKER  # the opponent is to play
        solved_after = solved(after, region, side)
        if solved_after is None or solved_after[0].outcome is not (Outcome.DEAD if owner == color else Outcome.LIVES):
            continue
        if best.color_at(min(chain)) != owner:
            continue
        question_after_best = question_about(best, frozenset(best.chain_at(min(chain))), safe_stones(best))
        if question_after_best is None or not is_walled(best, question_after_best.region):
            continue
        solved_best = solved(best, question_after_best.region, side)
        if solved_best is None or solved_best[0].outcome is not (Outcome.LIVES if owner == color else Outcome.DEAD):
            continue
        if owner == color:
            return lost_group(chain, color, better, solved_after[1])
        return saved_group(chain, color, better, solved_after[1], solved_best[1])
    return None


def fights(game: Game) -> Iterator[tuple[frozenset[int], Region]]:
    """Yield the enclosed fights, chain by chain, whose surrounding stones have liberties to spare."""
    for question in questions(game):
        if is_walled(game, question.region):
            yield question.target, question.region


def is_walled(game: Game, region: Region) -> bool:
    """Do all surrounding stones that aren't proved safe have liberties to spare?"""
    return all(len(liberties_of(game, game.chain_at(stone))) > FEW_LIBERTIES for stone in region.assumed)


def solved(game: Game, region: Region, side: int) -> tuple[Report, list[int]] | None:
    """Return the outcome when `side` plays first, and a line of play; None if the solver finds no outcome."""
    solver = Solver(game, region, Budget(NODES))
    report = solver.outcome(side, asks_life=False)
    if report.outcome is Outcome.UNKNOWN:
        return None
    return report, [PASS if point == PASS_MOVE else point for point in solver.line(report)][:MOST_MOVES]


def group_text(chain: frozenset[int]) -> str:
    """Return `3 stones at D4`."""
    return f"{len(chain)} stones at {to_vertex(min(chain))}"


def line_text(line: Sequence[int]) -> str:
    """Return ` (B1 A1 C2)`, or an empty text for a single move."""
    return f" ({' '.join(to_vertex(point) for point in line)})" if len(line) > 1 else ""


def lost_group(chain: frozenset[int], color: int, better: int, line: Sequence[int]) -> Reason:
    """Return the reason for own stones that die."""
    text, opponent_name = f"{NAMES[color]}'s {group_text(chain)} can now be killed", NAMES[opponent(color)]
    if line and line[0] == better:
        return Reason("life", f"{text}: {to_vertex(better)} is the vital point, and {opponent_name} plays there first{line_text(line)}.")
    start = f": {opponent_name} plays {to_vertex(line[0])}{line_text(line)}" if line and line[0] != PASS else ""
    return Reason("life", f"{text}{start}. {to_vertex(better)} would have saved them.")


def saved_group(chain: frozenset[int], color: int, better: int, line_after: Sequence[int], line_best: Sequence[int]) -> Reason:
    """Return the reason for the opponent's stones that live."""
    opponent_name = NAMES[opponent(color)]
    text = f"{to_vertex(better)} would have killed {opponent_name}'s {group_text(chain)}{line_text([better, *line_best])}."
    start = f" with {to_vertex(line_after[0])}" if line_after and line_after[0] != PASS else ""
    return Reason("life", f"{text} Now they live{start}.")
