"""Reasons that one move shows: what the opponent's best answer to a mistake does, and what the better move would have done."""

from collections.abc import Iterator, Sequence

from gtp_engine.go.game import Game
from gtp_engine.go.points import PASS, opponent, to_vertex
from gtp_engine.tools.review.chains_text import SEVERAL, chains, stones_text
from gtp_engine.tools.review.ladders import liberties_at
from gtp_engine.tools.review.missed_move import MissedMove
from gtp_engine.tools.review.model import NAMES, Reason


def harmful_answer(missed: MissedMove) -> Iterator[Reason]:
    """The answer captures stones or puts several in atari, and it would not do so after the better move."""
    answers = missed.expected.answers if missed.expected is not None else []
    if not answers or answers[0].point == PASS:
        return
    answer, color = answers[0].point, missed.color
    opponent_name, after_text = NAMES[opponent(color)], f"After {to_vertex(missed.point)},"
    taken_after_move, taken_after_best = (taken_by(game, answer, color) for game in (missed.after, missed.best))
    stones_lost = sorted(set(taken_after_move) - set(taken_after_best))
    if stones_lost and set(stones_lost) <= set(missed.best.stones(color)) | {missed.point}:
        yield Reason("answer", f"{after_text} {opponent_name} can take {stones_text(stones_lost, NAMES[color])} with {to_vertex(answer)}.")
    atari_after_best = put_in_atari_by(missed.best, answer, color)
    for chain in put_in_atari_by(missed.after, answer, color):
        if not any(set(chain) & set(best_chain) for best_chain in atari_after_best):
            yield Reason(
                "answer", f"{after_text} {opponent_name} can put {stones_text(chain, NAMES[color])} in atari with {to_vertex(answer)}."
            )


def missed_atari(missed: MissedMove) -> Iterator[Reason]:
    """The better move puts several stones in atari, and the played move doesn't."""
    opponent_color = opponent(missed.color)
    for chain in put_in_atari_by(missed.before, missed.better, opponent_color):
        if missed.after.color_at(chain[0]) == opponent_color and len(liberties_at(missed.after, chain[0])) > 1:
            yield Reason("answer", f"{to_vertex(missed.better)} would have put {stones_text(chain, NAMES[opponent_color])} in atari.")


def taken_by(game: Game, move: int, color: int) -> Sequence[int]:
    """Return the stones of `color` that the opponent's move captures. The list is empty when the move is illegal."""
    if not game.is_legal(opponent(color), move):
        return []
    played = game.copy()
    played.play(opponent(color), move)
    return sorted(set(game.stones(color)) - set(played.stones(color)))


def put_in_atari_by(game: Game, move: int, color: int) -> list[list[int]]:
    """Return the chains of several stones of `color` that the opponent's move puts in atari, the largest first."""
    if not game.is_legal(opponent(color), move):
        return []
    played = game.copy()
    played.play(opponent(color), move)
    in_atari = [chain for chain in chains(played, color) if len(chain) >= SEVERAL and len(liberties_at(played, chain[0])) == 1]
    return [chain for chain in in_atari if len(liberties_at(game, chain[0])) > 1]
