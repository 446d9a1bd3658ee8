"""When to pass, and which move to play when the rules want dead stones captured first."""

from gtp_engine.go.count import neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE
from gtp_engine.search.search import Candidate, SearchResult
from gtp_engine.search.verdict import Verdict, judge, leads

MOSTLY_EMPTY = 0.6  # with more of the board empty than this, nothing is settled


def should_pass(game: Game, color: int, komi: float) -> bool:
    """Is the game over for `color`, whatever the search likes? `komi` is all that White gets.

    It is when nothing is left that could change the count, and also when the opponent passed and the count wins.
    """
    if int(game.positions[0]["empty_count"]) > MOSTLY_EMPTY * game.size * game.size:
        return False
    verdict = judge(game)
    return verdict.is_settled or (game.passes() >= 1 and leads(verdict.count.score, color, komi))


def choose_move(game: Game, color: int, komi: float, result: SearchResult) -> Candidate:
    """The move to play: the most visited legal one, except that a pass that loses is put off while there is another move."""
    legal = [candidate for candidate in result.candidates if game.is_legal(color, candidate.point)]
    if not legal:
        return Candidate(PASS, 0, result.win_rate, result.score, [PASS])
    best = legal[0]
    others = [candidate for candidate in legal if candidate.point != PASS]
    if best.point == PASS and others and not leads(judge(game).count.score, color, komi):
        return others[0]
    return best


def capturing_points(game: Game, color: int, verdict: Verdict) -> set[int]:
    """The liberties of the opponent's hopeless chains: where `color` plays to take them off."""
    prey = [point for point in verdict.hopeless if game.color_at(point) == BLACK + WHITE - color]
    return {beside for point in prey for beside in neighbors(point, game.size) if game.color_at(beside) == EMPTY}


def choose_capture(game: Game, color: int, result: SearchResult) -> int:
    """The most visited move that helps to capture hopeless stones; PASS when there are none left or no such move was searched."""
    points = capturing_points(game, color, judge(game))
    return next((c.point for c in result.candidates if c.point in points and game.is_legal(color, c.point)), PASS)
