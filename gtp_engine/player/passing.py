"""When to pass, and which move to play when the rules want dead stones captured first."""

import numpy as np

from gtp_engine.go.count import neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE, board_points
from gtp_engine.go.rules import Scoring
from gtp_engine.player.verdict import Verdict, judge, leads
from gtp_engine.search.result import Candidate, SearchResult
from gtp_engine.search.search import Limits

MOSTLY_EMPTY = 0.6  # with more of the board empty than this, whatever playouts make of it can still change
UNSURE = 0.5  # an ownership nearer to 0 than this is still open
EXPECTED_WIN = 0.5  # win rate of a move: with more, the search doesn't agree that all is over and lost, and a pass is looked at again
PASS_CHECK_SIMULATIONS = 400  # of the look at what the opponent can do after a pass
PASS_CHECK_SECONDS = 0.5  # that this look may take, if there are so many
HURRY = 0.05  # seconds on the clock for a move that leave no time for a verdict, which takes as long
CLOSE = 8.0  # points: a verdict may be wrong by so many
MOST_UNSURE = 8  # points: with more of them open the game can't be over; the shared liberties of sekis stay open for ever


def is_mostly_empty(game: Game) -> bool:
    """Is it too early in the game to think of its end?"""
    return int(game.positions[0]["empty_count"]) > MOSTLY_EMPTY * game.size * game.size


def answers_pass(game: Game, color: int, komi: float) -> bool:
    """Did the opponent pass, and is passing right for `color` too: does it win, or is nothing left to do? `komi` is all that White gets.

    A close game that seems to be lost is searched before it is given away.
    """
    if game.passes() == 0 or is_mostly_empty(game):
        return False
    verdict = judge(game)
    return leads(verdict.count.score, color, komi) or (verdict.is_settled and abs(verdict.count.score - komi) > CLOSE)


def may_be_over(game: Game, result: SearchResult) -> bool:
    """Is it worth asking for a verdict, as far as the search's own playouts tell? Where a needless move costs a point, it always is."""
    if is_mostly_empty(game):
        return False
    if game.rules.scoring is Scoring.TERRITORY:
        return True
    owned = np.abs(result.ownership[list(board_points(game.size))])
    return int((owned < UNSURE).sum()) <= MOST_UNSURE


def choose_move(game: Game, color: int, komi: float, result: SearchResult, in_hurry: bool = False) -> Candidate:
    """The move to play: PASS when the game is over, else the most visited legal one.

    A pass that loses is put off while there is another move. Only moves that were searched are considered, PASS excepted. `in_hurry`:
    there is no time for a verdict, and no pass while there is another move.
    """
    legal = [candidate for candidate in result.candidates if game.is_legal(color, candidate.point)]
    others = [candidate for candidate in legal if candidate.point != PASS]
    if in_hurry and others:
        return others[0]
    if not others or (may_be_over(game, result) and is_done(judge(game), color, komi, others[0])):
        found = [candidate for candidate in legal if candidate.point == PASS]
        return found[0] if found else Candidate(PASS, 0, result.win_rate, result.score, [PASS])
    if legal[0].point == PASS and not leads(judge(game).count.score, color, komi):
        return others[0]
    return legal[0]


def is_hurried(limits: Limits) -> bool:
    """Does the clock leave no time for a verdict?"""
    return limits.most_seconds is not None and limits.most_seconds < HURRY


def pass_check(left: Limits) -> Limits:
    """How far to look at what the opponent can do after a pass, when this is left after the search: not longer than the clock allows."""
    seconds = None if left.seconds is None else min(PASS_CHECK_SECONDS, left.seconds)
    return Limits(PASS_CHECK_SIMULATIONS, seconds, early_stop=False)


def best_beside_pass(game: Game, color: int, result: SearchResult) -> Candidate | None:
    """The most visited legal move that is no pass; None when there is none."""
    return next((each for each in result.candidates if each.point != PASS and game.is_legal(color, each.point)), None)


def is_done(verdict: Verdict, color: int, komi: float, best: Candidate) -> bool:
    """Is nothing left to play for? A verdict that gives the game away is not believed against a search that expects to win it."""
    return verdict.is_settled and (leads(verdict.count.score, color, komi) or best.win_rate < EXPECTED_WIN)


def capturing_points(game: Game, color: int, verdict: Verdict) -> set[int]:
    """The liberties of the opponent's hopeless chains: where `color` plays to take them off."""
    prey = [point for point in verdict.hopeless if game.color_at(point) == BLACK + WHITE - color]
    return {beside for point in prey for beside in neighbors(point, game.size) if game.color_at(beside) == EMPTY}


def choose_capture(game: Game, color: int, result: SearchResult) -> int:
    """The most visited move that helps to capture hopeless stones; PASS when there are none left or no such move was searched."""
    points = capturing_points(game, color, judge(game))
    return next((c.point for c in result.candidates if c.point in points and game.is_legal(color, c.point)), PASS)
