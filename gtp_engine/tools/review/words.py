"""The sentences of a review about a move: the reasons, the better move and the loss. The page and the records use them."""

from collections.abc import Sequence

from gtp_engine.go.points import PASS, opponent, to_vertex
from gtp_engine.tools.review.model import NAMES, MoveReview
from gtp_engine.tools.review.standing import NOTHING

MISSED_BEFORE = 1.0  # points by which the lead must fall further than a move's loss, so that the text explains it
AHEAD, BEHIND = 0.6, 0.4  # win rates
SMALL = 1.5  # points: a smaller loss is called small
MOST_DOUBTS = 10  # most moves that are listed
DRIFT = 2.0  # points by which the lead must change without a loss, so that the text explains it
CHANCES = 0.15  # win rate by which the chances must change without a mistake, so that the text explains it


def verdict_text(move: MoveReview) -> str:
    """Return the verdict on a move in one to six sentences."""
    return " ".join(filter(None, (judgement_text(move), drift_text(move))))


def judgement_text(move: MoveReview) -> str:
    """Return one to five sentences about the quality of the move."""
    best = move.best
    if best is None:
        return "The game was over."
    if best.point == move.point:
        return "The engine would play the same move."
    name = NAMES[move.color]
    if not move.is_mistake:
        return modest_text(move, move_name(best.point))
    better = move_name(best.point)
    sentences = [reason.text for reason in move.reasons]
    sentences.append(cost_text(move, better))
    if move.win_rate_before >= AHEAD and move.win_rate_after <= BEHIND:
        sentences.append(f"{capital(move_name(move.point))} turned the game against {name}.")
    if move.reach is not None:
        sentences.append(move.reach.text(better))
    return " ".join(sentences)


def cost_text(move: MoveReview, better: str) -> str:
    """Return a sentence about the cost of a mistake. It explains a larger fall of the lead if an earlier move missed the same point."""
    played = capital(move_name(move.point))
    if move.since and move.lead_before - move.lead_after >= move.loss + MISSED_BEFORE:
        return missed_again_text(move, better)
    if any(better in reason.text for reason in move.reasons):
        return f"{played} cost about {points_text(move.loss)}."
    return f"{capital(better)} was better by about {points_text(move.loss)}."


def missed_again_text(move: MoveReview, better: str) -> str:
    """Return a text about a better move that was missed before. It explains why the lead falls by more than the counted loss."""
    counted_points = max(round(move.lead_before - move.lead_after - move.loss), 1)
    new_points = round(move.loss) if move.loss >= NOTHING else 0
    text = f"{capital(better)} was still the best move, as at move {move.since}."
    if not new_points:
        return f"{text} Missing it is already counted."
    played = capital(move_name(move.point))
    return f"{text} Missing it has cost about {points_text(counted_points)} so far; {played} loses about {new_points} more."


def drift_text(move: MoveReview) -> str:
    """Return a sentence if the engine's judgement of the next position changes the lead or the chances much; else an empty text."""
    if abs(move.drift) < DRIFT:
        is_odd = not (move.is_mistake or move.since) and abs(move.win_rate_before - move.win_rate_after) >= CHANCES
        return "The chances change only because the engine misjudged the previous position." if is_odd else ""
    gainer = NAMES[move.color if move.drift > 0.0 else opponent(move.color)]
    change = f"The score changes by about {points_text(abs(move.drift))} in {gainer}'s favor"
    return f"{change} only because the engine misjudged the previous position."


def modest_text(move: MoveReview, best: str) -> str:
    """Return a text about a move that is no mistake, or that misses the same point again."""
    if move.since:
        if move.best is not None and move.best.point == PASS:
            return "Nothing is left to gain: passing is best."
        return missed_again_text(move, best)
    if move.loss < NOTHING:
        return "A good move."
    better = f"{best} was better by about {points_text(move.loss)}."
    return f"A small loss: {better}" if move.loss < SMALL else capital(better)


def doubt_text(moves: Sequence[int]) -> str:
    """Return a sentence, without its full stop, that lists the moves where the lead swings and long searches are missing."""
    shown = ", ".join(map(str, moves[:MOST_DOUBTS])) + (" and others" if len(moves) > MOST_DOUBTS else "")
    return f"The comments on these moves are uncertain: {shown}"


def points_text(points: float) -> str:
    """Return `10 points` or `1 point`. A review is not more precise than a point."""
    rounded = max(round(points), 1)
    return f"{rounded} point{'' if rounded == 1 else 's'}"


def move_name(point: int) -> str:
    """Return the name of a move within a sentence."""
    return "passing" if point == PASS else to_vertex(point)


def capital(text: str) -> str:
    """Return the text with a capital letter at the start."""
    return text[0].upper() + text[1:]
