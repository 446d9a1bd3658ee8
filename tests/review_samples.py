"""Records for the tests of reviews, and quick reviews of them."""

from pathlib import Path

import numpy as np
from conftest import draw_game

from gtp_engine import sgf
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.result import Candidate
from gtp_engine.go.points import BLACK, POINTS, from_vertex
from gtp_engine.go.rules import CHINESE
from gtp_engine.tools.review.judge import Judge
from gtp_engine.tools.review.model import Evaluation, GameReview, MoveReview
from gtp_engine.tools.review.records import GameRecord, GameSource, read_record
from gtp_engine.tools.review.settings import ReviewSettings

PARAMS = SearchParams(threads=1, seed=1, memory=16)
QUICK = ReviewSettings(playouts=60)

# Whoever plays on E5 wins the fight: Black takes six stones there, White connects them.
FIGHT = """
    . . . . . . .
    . X X X . . .
    X O O O . O O
    X O O O X O .
    . X X X . O O
    . . . . . . .
    . . . . . . .
"""
SHORT_GAME = "(;GM[1]FF[4]SZ[5]KM[0.5]RU[Chinese]PB[Anna]PW[Bert]RE[B+R];B[cc];W[cb];B[bb];W[dc];B[cd];W[dd])"


def fight_record(vertex: str, to_play: int = BLACK) -> str:
    """The fight with one move by the player to play."""
    game = draw_game(FIGHT, to_play)
    game.play(to_play, from_vertex(vertex, 7))
    return sgf.dump(game, 0.5, CHINESE)


def record_of(text: str) -> GameRecord:
    """A record from its text."""
    return read_record(GameSource(Path("game.sgf"), 1, 1, text), CHINESE, 7.5)


def review_of(text: str, settings: ReviewSettings = QUICK, params: SearchParams = PARAMS) -> GameReview:
    """A real review, by a search with one thread and a fixed seed."""
    return Judge(params, settings).review(record_of(text))


def drawn_review(text: str, mistakes: dict[int, tuple[str, ...]]) -> GameReview:
    """A review without a search: every move is good except those in `mistakes`, number -> the better variation."""
    record = record_of(text)
    review = GameReview(record, ReviewSettings(), record.komi, record.rules.name)
    even = Evaluation(BLACK, 0.5, 0.0, np.zeros(POINTS))
    for game in record.positions():
        review.boards.append({point: color for color in (1, 2) for point in game.stones(color)})
        review.evaluations.append(even)
    for number, (color, point) in enumerate(record.moves, 1):
        better = [from_vertex(vertex, record.size) for vertex in mistakes.get(number, ())]
        best = Candidate(better[0], 10, 0.6, 9.0, better) if better else None
        loss, size = (9.0, "mistake") if better else (0.0, "good")
        review.moves.append(MoveReview(number, color, point, "opening", 0.6, 0.5, 9.0, 0.0, loss, best, 2, 5, 0.1, size))
    return review
