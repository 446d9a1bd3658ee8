"""When to pass, and which move to play when the rules require dead stones to be captured first."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

import numpy as np

from gtp_engine.engine.player.game_state import Turn
from gtp_engine.engine.player.own_search import OwnSearch
from gtp_engine.engine.player.verdict import Verdict, leads, open_points
from gtp_engine.engine.search.arrays import Avoid
from gtp_engine.engine.search.result import Candidate, SearchResult
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.count import neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE, board_points, opponent
from gtp_engine.go.rules import Scoring

MOSTLY_EMPTY = 0.7  # with more of the board empty than this, anything can still change
UNSURE = 0.5  # an ownership nearer to 0 than this is still open
EXPECTED_WIN = 0.5  # win rate of a move: with more, the search doesn't agree that all is over and lost, and a pass is looked at again
PASS_CHECK_SIMULATIONS = 400  # of the look at what the opponent can do after a pass
PASS_CHECK_SECONDS = 0.5  # that this look may take, if there are so many
OWN_CHECK_SIMULATIONS = 3  # for each point, of the look at what is better than a pass: a move that gains is often an unlikely one
HURRY = 0.05  # seconds on the clock for a move that leave no time for a verdict, which takes as long
CLOSE = 8.0  # points: a verdict may be wrong by so many
LITTLE = 0.05  # win rate that another move may cost
MOST_UNSURE = 8  # points: with more of them open the game can't be over; the shared liberties of sekis stay open for ever
SLACK = 0.1  # win rate by which a move that costs nothing may look worse than a pass, where the count is even
ALARM = 0.9  # win rate of the opponent after a pass, under an even komi, from which other moves are looked at
MOST_LOOKS = 3  # at what the opponent can do after a pass: each under a komi that follows what the last one found
GAIN = 0.3  # win rate by which a move that may cost something must look better than the pass then

Judged = Callable[[Game], Verdict]  # where verdicts come from
TimeLeft = Callable[[], Limits]  # how long to search from now on


def is_mostly_empty(game: Game) -> bool:
    """Is it too early in the game to think of its end?"""
    return int(game.positions[0]["empty_count"]) > MOSTLY_EMPTY * game.size * game.size


def answers_pass(game: Game, color: int, komi: float, judged: Judged) -> bool:
    """Did the opponent pass, and is passing right for `color` too, for nothing is left to do? `komi` is all that White gets.

    A close game that seems lost is searched before it is given away. Under territory scoring a move may cost a point, so the winner passes
    as soon as few points are open; those are examined first, see `open_points`.
    """
    if game.passes() == 0 or is_mostly_empty(game):
        return False
    verdict = judged(game)
    if leads(verdict.count.score, color, komi):
        is_clear = game.rules.scoring is Scoring.TERRITORY and len(open_points(game, color, verdict)) <= MOST_UNSURE
        return is_clear or is_all_done(game, color, verdict)
    return is_all_done(game, color, verdict) and abs(verdict.count.score - komi) > CLOSE


def is_all_done(game: Game, color: int, verdict: Verdict) -> bool:
    """Is nothing left to play for `color`? Its dead stones may stay, even if the rules count them as alive."""
    return verdict.is_settled or (verdict.is_decided and not capturing_points(game, color, verdict))


def may_be_over(game: Game, result: SearchResult) -> bool:
    """Is a verdict worth its time, by the search's own playouts? Always under territory scoring, where needless moves cost points."""
    if is_mostly_empty(game):
        return False
    if game.rules.scoring is Scoring.TERRITORY:
        return True
    owned = np.abs(result.ownership[list(board_points(game.size))])
    return int((owned < UNSURE).sum()) <= MOST_UNSURE


def choose_move(game: Game, color: int, komi: float, result: SearchResult, judged: Judged | None) -> Candidate:
    """The move to play: PASS when the game is over, else the most visited legal one.

    A pass that loses, or gives points away where moves cost nothing, is put off while there is another move. Only moves that were
    searched are considered, PASS excepted. With None for `judged` there is no time for a verdict, and no pass while there is another move.
    """
    legal = [candidate for candidate in result.candidates if game.is_legal(color, candidate.point)]
    others = [candidate for candidate in legal if candidate.point != PASS]
    if judged is None and others:
        return others[0]
    if not others or judged is None or (may_be_over(game, result) and is_done(game, judged(game), color, komi, others[0])):
        passes = [candidate for candidate in legal if candidate.point == PASS]
        return passes[0] if passes else Candidate(PASS, 0, result.win_rate, result.score, [PASS])
    if legal[0].point == PASS and is_better_than_pass(game, color, komi, legal[0], others[0], judged(game)):
        return others[0]
    return legal[0]


def is_better_than_pass(game: Game, color: int, komi: float, passed: Candidate, best: Candidate, verdict: Verdict) -> bool:
    """True if the best other move should be played although the search would pass. The game isn't over."""
    if not leads(verdict.count.score, color, komi):
        return True
    costs_nothing = best.win_rate >= passed.win_rate - LITTLE and best.score >= passed.score - 1.0
    return game.rules.scoring is Scoring.AREA and costs_nothing and not is_all_done(game, color, verdict)


def is_hurried(limits: Limits) -> bool:
    """Does the clock leave no time for a verdict?"""
    return limits.most_seconds is not None and limits.most_seconds < HURRY


def pass_check(left: Limits) -> Limits:
    """The limits of a search of the opponent's moves after a pass, with this left after the search: not longer than the clock allows."""
    seconds = None if left.seconds is None else min(PASS_CHECK_SECONDS, left.seconds)
    return Limits(PASS_CHECK_SIMULATIONS, seconds, early_stop=False)


def own_check(left: Limits, size: int) -> Limits:
    """The limits of a search for a move that is better than a pass: the same as for any other move."""
    return Limits(max(PASS_CHECK_SIMULATIONS, OWN_CHECK_SIMULATIONS * size * size), left.seconds, early_stop=False)


def is_done(game: Game, verdict: Verdict, color: int, komi: float, best: Candidate) -> bool:
    """Is nothing left to play for? A verdict that gives the game away is not believed against a search that expects to win it."""
    return is_all_done(game, color, verdict) and (leads(verdict.count.score, color, komi) or best.win_rate < EXPECTED_WIN)


def capturing_points(game: Game, color: int, verdict: Verdict) -> set[int]:
    """The liberties of the opponent's hopeless chains: where `color` plays to take them off."""
    dead = [point for point in verdict.hopeless if game.color_at(point) == BLACK + WHITE - color]
    return {beside for point in dead for beside in neighbors(point, game.size) if game.color_at(beside) == EMPTY}


def must_capture(game: Game, color: int, judged: Judged) -> set[int]:
    """The points where `color` captures dead stones before the end, when nothing else is left and all stones count as alive."""
    if not game.rules.all_alive or is_mostly_empty(game):
        return set()
    verdict = judged(game)
    return capturing_points(game, color, verdict) if verdict.is_decided else set()


def is_even(theirs: float, is_count: bool) -> bool:
    """Is a komi under which the opponent wins `theirs` after a pass near to what the pass is worth? Under the count it need not gain."""
    return theirs < ALARM and (is_count or theirs > 1.0 - ALARM)


def points_gained(reply: Candidate) -> float:
    """By how many points the komi follows when this answer to a pass wins or loses nearly all of the games; below 0 when it loses."""
    return max(1.0, abs(round(reply.score))) * (1.0 if reply.win_rate > EXPECTED_WIN else -1.0)


def best_in_place_of_pass(candidates: Iterable[Candidate], passed: float, costless: Collection[int]) -> Candidate | None:
    """The most visited of the moves that are worth playing where a pass wins `passed` of the games; None: the pass is best."""
    return next((move for move in candidates if is_worth_more(move, passed, move.point in costless)), None)


def is_worth_more(best: Candidate, passed: float, is_costless: bool) -> bool:
    """Is this move played where a pass wins `passed` of the games?"""
    return best.win_rate >= (passed - SLACK if is_costless else passed + GAIN)


def all_but(points: Collection[int], color: int, size: int) -> Avoid:
    """Keeps a search to these moves of `color` at the root, PASS excluded."""
    return {(color, other): 1 for other in [*board_points(size), PASS] if other not in points}


def choose_capture(game: Game, color: int, points: Collection[int], result: SearchResult) -> int:
    """The most visited move on one of these points; PASS when none was searched."""
    return next((c.point for c in result.candidates if c.point in points and game.is_legal(color, c.point)), PASS)


# ---------------------------------------------------------------- what is searched before a pass


def best_move(turn: Turn, result: SearchResult, search: OwnSearch, left: TimeLeft) -> Candidate:
    """See choose_move. A pass is searched once more: if the opponent would win after it, the best other move is played."""
    game, color = turn.game, turn.color
    move = choose_move(game, color, turn.komi, result, search.verdict)
    better = next((other for other in result.candidates if other.point != PASS and game.is_legal(color, other.point)), None)
    if move.point != PASS or better is None or better.win_rate < EXPECTED_WIN:
        return move
    after = game.copy()
    after.play(color, PASS)
    reply = search.run(replace(turn, game=after, color=opponent(color), avoid=None, virtual_komi=0.0), pass_check(left()))
    return move if reply.best.win_rate < 0.5 else better  # the best answer: the mean of all would hold the bad ones, too


def instead_of_pass(turn: Turn, search: OwnSearch, left: TimeLeft) -> tuple[int, SearchResult | None]:
    """A move that costs nothing or is worth points, and the search that found it; PASS and None when passing is best.

    Where territory counts, a move may cost a point: then only costless ones are looked at, unless the opponent gains by the pass.

    All is searched under the komi that makes the game even after the pass, so that one point decides. A move that costs something is
    looked at once more, as deep as the pass was.
    """
    game, color = turn.game, turn.color
    if is_mostly_empty(game):
        return PASS, None
    komi, passed, gives_away = value_of_pass(turn, search, left)
    costless = open_points(game, color, search.verdict(game))
    points = turn.allowed(board_points(game.size) if gives_away or game.rules.scoring is Scoring.AREA else costless)
    if not points:
        return PASS, None
    result = search.run(replace(turn, komi=komi, avoid=all_but(points, color, game.size), virtual_komi=0.0), own_check(left(), game.size))
    candidates = [candidate for candidate in result.candidates if candidate.point in points]
    best = best_in_place_of_pass(candidates, passed, costless)
    if best is not None and best.point not in costless:
        confirmed = replace(best, win_rate=1.0 - answer_to(turn, best.point, komi, search, left()).win_rate)
        free = (candidate for candidate in candidates if candidate.point in costless)
        best = best_in_place_of_pass([confirmed, *free], passed, costless)
    return (PASS, None) if best is None else (best.point, result)


def value_of_pass(turn: Turn, search: OwnSearch, left: TimeLeft) -> tuple[float, float, bool]:
    """The komi that makes the game even after a pass, how much of it the pass wins, and whether the opponent gains by the pass.

    The count of a settled position is what the pass is worth. Where something is left, the opponent may gain by it: then the komi
    follows by as many points, because under a komi with which every move loses, the search can't compare them.
    """
    verdict = search.verdict(turn.game)
    komi = count = verdict.count.score
    theirs = 0.5
    for looks_left in reversed(range(1 if verdict.is_settled else MOST_LOOKS)):
        reply = answer_to(turn, PASS, komi, search, left())
        theirs = reply.win_rate
        if is_even(theirs, komi == count) or not looks_left:
            break
        komi += points_gained(reply) * (-1.0 if turn.color == BLACK else 1.0)
    passed = 1.0 - theirs if komi != count else min(1.0 - theirs, 0.5)  # after two passes the count decides
    return komi, passed, theirs >= ALARM or komi != count


def answer_to(turn: Turn, point: int, komi: float, search: OwnSearch, left: Limits) -> Candidate:
    """The opponent's best move under this komi after one on `point`. After a PASS it is none: that ends the game."""
    after, other = turn.game.copy(), opponent(turn.color)
    after.play(turn.color, point)
    avoid = {(other, PASS): 1} if point == PASS else None
    reply = search.run(replace(turn, game=after, color=other, komi=komi, avoid=avoid, virtual_komi=0.0), pass_check(left))
    return reply.best if reply.candidates else Candidate(PASS, 0, 0.5, 0.0, [PASS])
