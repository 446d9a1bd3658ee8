"""Mistakes of a person's own games, as positions in which to find the better move. The book grows with every review."""

import hashlib
from collections.abc import Collection

from gtp_engine import sgf
from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS, to_color_name, to_vertex
from gtp_engine.practice.notebook import MISTAKE, Notebook, now
from gtp_engine.review.model import GameReview, MoveReview
from gtp_engine.review.words import verdict_text

PROVED_KINDS = ("life", "capture", "atari", "ladder", "cut")  # reasons that are facts on the board
MOST_OTHERS = 3  # mistakes of a game and player without a proof: those that cost most
LEAST_LOSS = 2.0  # points: what costs less is no lesson
AS_GOOD = 0.75  # points: a candidate that is worse by less is right, too
FEWEST_VISITS = 8  # of such a candidate
LINE_MOVES = 8


def keep_mistakes(notebook: Notebook, review: GameReview, colors: Collection[int]) -> int:
    """Add the mistakes of these colors to the notebook: those that are proved, and the largest others. How many are new.

    Raises OSError.
    """
    wanted = [move for color in colors for move in worth_keeping(review, color)]
    if not wanted:
        return 0
    with notebook.change() as notes:
        added = [notes.add(*entry, now()) for move in wanted for entry in (entry_of(review, move),)]
    return sum(added)


def worth_keeping(review: GameReview, color: int) -> list[MoveReview]:
    """The mistakes of a player that teach something."""
    own = [move for move in review.moves if move.color == color and move.is_mistake and has_lesson(move)]
    proved = [move for move in own if is_proved(move)]
    others = sorted((move for move in own if move not in proved), key=lambda move: -move.loss)[:MOST_OTHERS]
    return proved + others


def has_lesson(move: MoveReview) -> bool:
    """Is there a better move on the board, and does it gain enough?"""
    return move.best is not None and move.best.point not in (PASS, move.point) and move.loss >= LEAST_LOSS and not move.since


def is_proved(move: MoveReview) -> bool:
    """Is it certain that the move was a mistake?"""
    return any(reason.kind in PROVED_KINDS for reason in move.reasons)


def entry_of(review: GameReview, move: MoveReview) -> tuple[str, str, str, dict[str, object]]:
    """(name, kind, record up to the position, facts) of a mistake."""
    record = review.record
    game = record.position(move.number)
    text = sgf.dump(game, review.komi, record.rules, record.players, record.result)
    found = review.evaluations[move.number - 1]
    best = move.best
    assert best is not None
    right = [each for each in found.candidates if each.score >= best.score - AS_GOOD and each.visits >= FEWEST_VISITS]
    after = review.evaluations[move.number].candidates
    facts: dict[str, object] = {
        "source": record.source.path.name,
        "number": move.number,
        "color": to_color_name(move.color),
        "played": to_vertex(move.point),
        "right": [to_vertex(best.point), *(to_vertex(each.point) for each in right if each.point not in (best.point, move.point))],
        "line": [to_vertex(point) for point in best.variation[:LINE_MOVES]],
        "answer": [to_vertex(point) for point in after[0].variation[:LINE_MOVES]] if after else [],
        "loss": round(move.loss, 1),
        "text": verdict_text(move),
        "proved": is_proved(move),
    }
    return name_of(game, move.color), MISTAKE, text, facts


def name_of(game: Game, color: int) -> str:
    """A name for the position: the same one in every review of the game."""
    text = repr((game.size, color, game.setup_stones, game.moves))
    return f"mistake-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
