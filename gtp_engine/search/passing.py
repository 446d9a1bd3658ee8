"""When to pass: the game is over, and whoever counts it now counts what we count."""

import numpy as np

from gtp_engine.go.count import Count, count
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, EMPTY, PASS
from gtp_engine.go.score import count_area
from gtp_engine.playout.status import dead_stones, estimate_ownership
from gtp_engine.search.search import Candidate, SearchResult

SETTLED = 0.8  # an ownership as sure as this on every point means that nothing is left to fight for


def judge(game: Game) -> tuple[Count, np.ndarray]:
    """The count of the board with the dead stones that playouts find, and their ownership ([P] -1..1, 1 for Black).

    Under rules that take every stone as alive there are none. What genmove, final_score and final_status_list all ask.
    """
    ownership = estimate_ownership(game)
    dead: set[int] = set() if game.rules.all_alive else dead_stones(game, ownership)
    return count(game, dead), ownership


def is_settled(game: Game, board: Count, ownership: np.ndarray) -> bool:
    """Is the owner of every point sure, and no neutral point left that the count would give to somebody?"""
    for point, owner in board.owners.items():
        if owner == EMPTY or abs(ownership[point]) < SETTLED:
            return False
    return True


def passing_wins(game: Game, color: int, komi: float) -> bool:
    """Would `color` win if the game ended now? `komi` is all that White gets."""
    if game.rules.all_alive:
        score = int(count_area(game.positions, 0)) - komi
    else:
        score = judge(game)[0].score - komi
    return score > 0 if color == BLACK else score < 0


def should_pass(game: Game, color: int, komi: float) -> bool:
    """Is passing right, whatever the search likes? Only when it wins: the opponent passed, or there is nothing left to do."""
    if game.passes() >= 1 and passing_wins(game, color, komi):
        return True
    if game.positions[0]["empty_count"] * 2 > game.size * game.size:
        return False  # too early to ask: most of the board is empty
    board, ownership = judge(game)
    return is_settled(game, board, ownership) and passing_wins(game, color, komi)


def choose_move(game: Game, color: int, komi: float, result: SearchResult) -> Candidate:
    """The move to play: the most visited legal one, except that a pass that loses is put off while there is another move."""
    legal = [candidate for candidate in result.candidates if game.is_legal(color, candidate.point)]
    if not legal:
        return Candidate(PASS, 0, result.win_rate, result.score, [PASS])
    best = legal[0]
    others = [candidate for candidate in legal if candidate.point != PASS]
    if best.point == PASS and others and not passing_wins(game, color, komi):
        return others[0]
    return best

