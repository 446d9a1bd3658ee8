"""Turn mistakes into lessons: positions in which the player looks for the better move."""

import hashlib
from typing import Any

from gtp_engine import sgf
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, WHITE, to_color_name, to_vertex
from gtp_engine.tools.review.model import GameReview, MoveReview
from gtp_engine.tools.review.words import verdict_text

PROVED_KINDS = ("life", "capture", "atari", "ladder", "cut")  # reasons that are facts on the board
MOST_OTHERS = 3  # most lessons without a proof for each player of a game: the most valuable ones
LEAST_LOSS = 2.0  # points: a smaller loss is no lesson
AS_GOOD = 0.75  # points: a candidate that is worse by less is accepted as well
FEWEST_VISITS = 8  # of an accepted candidate
LINE_MOVES = 8


def lessons_of(review: GameReview) -> list[dict[str, Any]]:
    """Return the lessons of both players for JSON: `name`, `color`, `sgf` (the game up to the position) and `facts`."""
    return [lesson_of(review, move) for color in (BLACK, WHITE) for move in worth_keeping(review, color)]


def worth_keeping(review: GameReview, color: int) -> list[MoveReview]:
    """Return the mistakes of a player that are kept as lessons: all proved ones, and the most valuable of the others."""
    own_mistakes = [move for move in review.moves if move.color == color and move.is_mistake and has_lesson(move)]
    proved = [move for move in own_mistakes if is_proved(move)]
    unproved = sorted((move for move in own_mistakes if move not in proved), key=lambda move: -worth(move))[:MOST_OTHERS]
    return proved + unproved


def worth(move: MoveReview) -> float:
    """Return the value of a lesson: points lost, times the share of stronger players who find the better move, if that is known."""
    return move.loss * (move.reach.share_above if move.reach is not None else 1.0)


def has_lesson(move: MoveReview) -> bool:
    """Is there a better move on the board, does it gain LEAST_LOSS, and was it not missed before?"""
    return move.best is not None and move.best.point not in (PASS, move.point) and move.loss >= LEAST_LOSS and not move.since


def is_proved(move: MoveReview) -> bool:
    """Is it certain that the move was a mistake?"""
    return any(reason.kind in PROVED_KINDS for reason in move.reasons)


def lesson_of(review: GameReview, move: MoveReview) -> dict[str, Any]:
    """Return the lesson of one mistake, see lessons_of."""
    record = review.record
    game = record.position(move.number)
    text = sgf.dump(game, review.komi, record.rules, record.players, record.result)
    evaluation = review.evaluations[move.number - 1]
    best = move.best
    assert best is not None
    right = [
        candidate for candidate in evaluation.candidates if candidate.score >= best.score - AS_GOOD and candidate.visits >= FEWEST_VISITS
    ]
    after = review.evaluations[move.number].candidates
    facts = {
        "source": record.source.path.name,
        "number": move.number,
        "played": to_vertex(move.point),
        "right": [
            to_vertex(best.point),
            *(to_vertex(candidate.point) for candidate in right if candidate.point not in (best.point, move.point)),
        ],
        "line": [to_vertex(point) for point in best.variation[:LINE_MOVES]],
        "answer": [to_vertex(point) for point in after[0].variation[:LINE_MOVES]] if after else [],
        "loss": round(move.loss, 1),
        "text": verdict_text(move),
        "proved": is_proved(move),
    }
    return {"name": name_of(game, move.color), "color": to_color_name(move.color), "sgf": text, "facts": facts}


def name_of(game: Game, color: int) -> str:
    """Return a name for the position, which is the same in every review of the game."""
    text = repr((game.size, color, game.setup_stones, game.moves))
    return f"mistake-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
