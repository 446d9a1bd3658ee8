"""What makes a made problem a ladder, a net or connect-and-die: seen on a drawn position, with the moves that prove them."""

from collections.abc import Callable

from gtp_engine.engine.solver.bits import ATTACKER, CAPTURE, NEITHER
from gtp_engine.engine.solver.question import Answer
from gtp_engine.engine.solver.status import Outcome, Report
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, from_vertex
from gtp_engine.tools.problems.kinds import Solved, is_connect_and_die, is_ladder, is_net
from gtp_engine.tools.problems.shapes import Local

CHASED = """
    . X . . . . .
    X O . . . . .
    X . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""
CORNERED = """
    . . . . . . .
    . X X . . . .
    X O . . . . .
    . X . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""
CUTTING = """
    . . . . . . .
    . . X O . . .
    . X O . . . .
    . O . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""
EXTENDING = """
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    X . . . . . .
    . X X . . . .
    . O O . . . .
"""
RUN = "C6 B5 B4 C5 D5 C4 C3 D4 E4 D3 D2"


def solved(game: Game, target: str, moves: str, line: str) -> Solved:
    """Black takes the chain of `target` with any of `moves`, as in `line`."""
    points = [[from_vertex(word, game.size) for word in text.split()] for text in (moves, line)]
    report = Report(ATTACKER, Outcome.DEAD, (CAPTURE, NEITHER), Answer.YES, moves=points[0], line=points[1])
    chain = frozenset(game.chain_at(from_vertex(target, game.size)))
    return Solved(game, Local(game.size, set(), {}), chain, BLACK, report, 1)


def test_a_ladder_is_atari_after_atari(diagram: Callable[..., Game]) -> None:
    game = diagram(CHASED)
    assert is_ladder(solved(game, "B6", "C6", RUN))
    assert not is_ladder(solved(game, "B6", "C6", RUN[: RUN.index("C4")])), "three of them are no ladder"
    assert not is_ladder(solved(game, "B6", "C5", "C5 C6 D6 B5 B4")), "White had two liberties"
    broken = solved(game, "B6", "C6", RUN)
    broken.report.outcome = Outcome.ALIVE
    assert not is_ladder(broken)


def test_a_net_catches_from_a_distance(diagram: Callable[..., Game]) -> None:
    game = diagram(CUTTING)
    assert is_net(solved(game, "C5", "D4", "D4"))
    assert not is_net(solved(game, "C5", "D4 C4", "D4")), "an atari takes it as well"
    assert not is_net(solved(game, "C5", "F2", "F2")), "far from its liberties"
    assert not is_net(solved(diagram(CORNERED), "B5", "D5", "D5")), "White was in atari before"


def test_connect_and_die_takes_three_stones_right_after_the_last_was_added(diagram: Callable[..., Game]) -> None:
    game = diagram(EXTENDING)
    assert is_connect_and_die(solved(game, "B1", "D1", "D1 A1 A2"))
    assert not is_connect_and_die(solved(game, "B1", "D1", "D1 G7 A1")), "two stones, and none was added"
    assert not is_connect_and_die(solved(game, "B1", "D1", "D1 A1 G7 G6 A2")), "not at once"
