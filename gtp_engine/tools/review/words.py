"""What a review says of a move, in a person's words: what happened, what was better, and by how much. The page and the records say it."""

from gtp_engine.go.points import PASS, opponent, to_vertex
from gtp_engine.tools.review.model import NAMES, MoveReview

NOTHING = 0.75  # points: what loses less is as good, as far as a review can tell
MISSED_BEFORE = 1.0  # points by which the lead falls further than a move cost: then it is said why
AHEAD, BEHIND = 0.6, 0.4  # win rates
DRIFT = 2.0  # points by which the lead changes although no move lost them: then it is said why


def verdict_text(move: MoveReview) -> str:
    """What is to be said of a move, in one to six sentences."""
    drift = f" {drift_text(move)}" if abs(move.drift) >= DRIFT else ""
    return judgement_text(move) + drift


def judgement_text(move: MoveReview) -> str:
    """How good the move was, in one to five sentences."""
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
        sentences.append(f"{name} was ahead before this move, and is behind after it.")
    if move.reach is not None:
        sentences.append(move.reach.text(better))
    return " ".join(sentences)


def cost_text(move: MoveReview, better: str) -> str:
    """What a mistake cost. The reader also sees how far the lead fell: more, where an earlier move had missed the same point."""
    played = capital(move_name(move.point))
    if move.since and move.lead_before - move.lead_after >= move.loss + MISSED_BEFORE:
        return f"{played} cost about {points_text(move.loss)} more: {better} was already missed at move {move.since}."
    if any(better in reason.text for reason in move.reasons):
        return f"{played} cost about {points_text(move.loss)}."
    return f"{capital(better)} was better by about {points_text(move.loss)}."


def drift_text(move: MoveReview) -> str:
    """That the lead changes because the engine judges the next position differently."""
    gainer = NAMES[move.color if move.drift > 0.0 else opponent(move.color)]
    return (
        f"The engine only now sees that {gainer} is {points_text(abs(move.drift))} better off than it thought; this move is not the reason."
    )


def modest_text(move: MoveReview, best: str) -> str:
    """Of a move that is no mistake, or whose mistake was made before."""
    if move.since:
        if move.best is not None and move.best.point == PASS:
            return "Nothing is left to gain: passing is best."
        return f"{capital(best)} is still the biggest move on the board."
    if move.loss < NOTHING:
        return "A good move."
    return f"A small loss: {best} was better by about {points_text(move.loss)}."


def doubt_text(moves: int) -> str:
    """How many moves were not looked at for long, though the lead swings there; the end of a sentence."""
    return f"the engine is not sure of {moves} of the moves"


def points_text(points: float) -> str:
    """`10 points`, `1 point`: nothing finer can be told."""
    whole = max(round(points), 1)
    return f"{whole} point{'' if whole == 1 else 's'}"


def move_name(point: int) -> str:
    """A move within a sentence."""
    return "passing" if point == PASS else to_vertex(point)


def capital(text: str) -> str:
    """With a capital letter at the start."""
    return text[0].upper() + text[1:]
