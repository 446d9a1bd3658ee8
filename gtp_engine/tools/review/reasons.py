"""Find reasons why a move was a mistake. Reasons are facts on the board or confirmed opinions, and most mistakes get none.

Each finder compares the boards before the move, after it and after the better move, and it knows the game's next moves. Its reasons are
facts: ladders are read to the end (ladders.py), life and death is proved (life_reasons.py), and captures take one move. Two kinds of
reasons are opinions of the search: the area that was lost (area_reasons.py) and the opponent's next move (reply_reasons.py).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from gtp_engine.go.count import neighbors
from gtp_engine.go.game import Game
from gtp_engine.go.life import safe_area
from gtp_engine.go.points import BLACK, EMPTY, NO_POINT, opponent, to_vertex
from gtp_engine.tools.review.answer_reasons import harmful_answer, missed_atari
from gtp_engine.tools.review.area_reasons import expected_in, lost_area
from gtp_engine.tools.review.chains_text import SEVERAL, chains, stones_text
from gtp_engine.tools.review.ladders import certain_catch, certainly_escapes, is_certainly_lost, is_certainly_safe, liberties_at
from gtp_engine.tools.review.life_reasons import life_reason
from gtp_engine.tools.review.missed_move import MissedMove, has_better_move, missed_move_of
from gtp_engine.tools.review.model import NAMES, GameReview, MoveReview, Reason
from gtp_engine.tools.review.reply_reasons import free_move, lost_point, lost_sente

MOST_REASONS = 2
ANSWER_MOVES = 3  # moves of the opponent's best variation, if known, within which stones in atari must be captured


def with_reasons(review: GameReview) -> list[MoveReview]:
    """Return the moves of the review with the reasons for mistakes. Opinions are not confirmed yet, see confirmation.py."""
    moves = list(review.moves)
    mistake_numbers = {number for number, move in enumerate(moves) if has_better_move(move)}
    for number, game in enumerate(review.record.positions()):
        if number in mistake_numbers:
            move = moves[number]
            missed = missed_move_of(game, move, review.record.moves[number + 1 :], expected_in(review, move))
            if missed is not None:
                moves[number] = replace(move, reasons=tuple(reasons_for(missed)))
    return moves


def reasons_for(missed: MissedMove) -> list[Reason]:
    """Return at most MOST_REASONS reasons of different kinds, the weightiest first and facts before opinions."""
    reasons: dict[str, Reason] = {}
    for finder in FINDERS:
        for reason in finder(missed):
            reasons.setdefault(reason.kind, reason)
        if len(reasons) >= MOST_REASONS:
            break
    for finder in () if reasons else (harmful_answer, missed_atari):
        for reason in finder(missed):
            reasons.setdefault(reason.kind, reason)
    for reason in opinions(missed, is_explained=bool(reasons)):
        reasons.setdefault(reason.kind, reason)
    return list(reasons.values())[:MOST_REASONS]


def pronoun(chain: Sequence[int]) -> str:
    """Return the pronoun for a chain's stones, `it` or `them`."""
    return "it" if len(chain) == 1 else "them"


# ---------------------------------------------------------------- captures


def left_in_atari(missed: MissedMove) -> Iterator[Reason]:
    """Own stones stay in atari, and the opponent's best variation captures them. The better move saves them."""
    opponent_color = opponent(missed.color)
    for chain in chains(missed.before, missed.color):
        first = chain[0]
        if len(liberties_at(missed.before, first)) != 1 or len(liberties := liberties_at(missed.after, first)) != 1:
            continue
        if (
            missed.after.is_legal(opponent_color, liberties[0])
            and is_certainly_safe(missed.best, first)
            and is_expected(missed, liberties[0])
        ):
            captured_text = "the ko" if starts_ko(missed.after, opponent_color, liberties[0]) else pronoun(chain)
            text = f"{NAMES[missed.color]} leaves {stones_text(chain)} in atari: {NAMES[opponent_color]} can take {captured_text} with "
            better = f"{to_vertex(missed.better)} would have saved {pronoun(chain)}"
            yield Reason("atari", f"{text}{to_vertex(liberties[0])}. {better}.")


def is_expected(missed: MissedMove, point: int) -> bool:
    """Does the opponent soon play there according to the search after the move? True if that search was too short."""
    answers = missed.expected.answers if missed.expected is not None else []
    return not answers or point in answers[0].variation[:ANSWER_MOVES]


def starts_ko(game: Game, color: int, point: int) -> bool:
    """Does `color` capture a ko there?"""
    taken = game.copy()
    taken.play(color, point)
    return bool(taken.positions[0]["ko_point"] != NO_POINT)


def put_in_atari(missed: MissedMove) -> Iterator[Reason]:
    """The move puts several own stones in atari, and the opponent can capture them without being recaptured."""
    opponent_color = opponent(missed.color)
    chain, liberties = sorted(missed.after.chain_at(missed.point)), liberties_at(missed.after, missed.point)
    has_captured = len(missed.after.stones(opponent_color)) < len(missed.before.stones(opponent_color))
    if len(chain) < SEVERAL or len(liberties) != 1 or has_captured or not missed.after.is_legal(opponent_color, liberties[0]):
        return
    if any(len(liberties_at(missed.before, stone)) == 1 for stone in chain if stone != missed.point):
        return
    taken = missed.after.copy()
    taken.play(opponent_color, liberties[0])
    if len(liberties_at(taken, liberties[0])) > 1:
        text = f"{to_vertex(missed.point)} puts {len(chain)} of {NAMES[missed.color]}'s own stones into atari"
        yield Reason("atari", f"{text}: {NAMES[opponent_color]} can take them with {to_vertex(liberties[0])}.")


def missed_capture(missed: MissedMove) -> Iterator[Reason]:
    """The better move captures several stones that the played move leaves on the board."""
    opponent_color = opponent(missed.color)
    taken = sorted(set(missed.before.stones(opponent_color)) - set(missed.best.stones(opponent_color)))
    if len(taken) >= SEVERAL and set(taken) <= set(missed.after.stones(opponent_color)):
        yield Reason("capture", f"{to_vertex(missed.better)} would have taken {stones_text(taken)}.")


# ---------------------------------------------------------------- ladders


def allowed_ladder(missed: MissedMove) -> Iterator[Reason]:
    """The opponent can now capture own stones in a ladder. The better move prevents it."""
    opponent_color = opponent(missed.color)
    for chain in chains(missed.after, missed.color):
        if len(chain) < SEVERAL or len(liberties_at(missed.after, chain[0])) != 2 or missed.best.color_at(chain[0]) != missed.color:
            continue
        start = certain_catch(missed.after, chain[0])
        if start is not None and is_certainly_safe(missed.best, chain[0]):
            text = f"{NAMES[opponent_color]} can now catch {stones_text(chain)} in a ladder that begins with {to_vertex(start)}. "
            yield Reason("ladder", f"{text}{to_vertex(missed.better)} would have prevented it.")


def missed_ladder(missed: MissedMove) -> Iterator[Reason]:
    """The better move captures stones in a ladder, and they escape after the played move."""
    for chain in chains(missed.before, opponent(missed.color)):
        first = chain[0]
        if len(chain) < SEVERAL or missed.better not in liberties_at(missed.before, first) or len(liberties_at(missed.before, first)) != 2:
            continue
        if not is_certainly_lost(missed.best, first):
            continue
        liberties_left = len(liberties_at(missed.after, first)) if missed.after.color_at(first) == opponent(missed.color) else 0
        if liberties_left > 1 or (liberties_left == 1 and certainly_escapes(missed.after, first)):
            yield Reason("ladder", f"{to_vertex(missed.better)} would have caught {stones_text(chain)} in a ladder.")


def failed_ladder(missed: MissedMove) -> Iterator[Reason]:
    """The move begins a ladder that doesn't work, and the game continues it."""
    opponent_color = opponent(missed.color)
    for chain in chains(missed.after, opponent_color):
        first = chain[0]
        if missed.point not in liberties_at(missed.before, first) or len(liberties_at(missed.after, first)) != 1:
            continue
        if is_chased(missed, first) and certainly_escapes(missed.after, first):
            yield Reason("ladder", f"The ladder against {stones_text(chain)} does not work.")


def is_chased(missed: MissedMove, point: int) -> bool:
    """Did the chain in atari on `point` extend in the game, and did the next move put it in atari again?"""
    game = missed.after.copy()
    escape = liberties_at(game, point)[0]
    if [move[0] for move in missed.later[:2]] != [opponent(missed.color), missed.color] or missed.later[0][1] != escape:
        return False
    for color, move in missed.later[:2]:
        if not game.is_legal(color, move):
            return False
        game.play(color, move)
    return game.color_at(point) != EMPTY and len(liberties_at(game, point)) == 1


# ---------------------------------------------------------------- cut and connected


def cut_apart(game: Game, cut: int, color: int) -> tuple[list[int], list[int]] | None:
    """Return two chains of `color` that the opponent's stone on `cut` separates so that no single move connects them, or None.

    `color` is to play. Only chains of several stones count, and one of the two must not be safe.
    """
    if not is_certainly_safe(game, cut):
        return None
    beside = {tuple(sorted(game.chain_at(point))) for point in neighbors(cut, game.size) if game.color_at(point) == color}
    large = sorted((list(chain) for chain in beside if len(chain) >= SEVERAL), key=lambda chain: (-len(chain), chain[0]))
    if any(len(liberties_at(game, chain[0])) == 1 for chain in chains(game, opponent(color))):
        return None  # a capture may connect them
    safe = safe_area(game, color)
    for i, first in enumerate(large):
        for second in large[i + 1 :]:
            is_needed = first[0] not in safe or second[0] not in safe
            if is_needed and second[0] not in joined(game, first, color):
                return first, second
    return None


def joined(game: Game, chain: Sequence[int], color: int) -> set[int]:
    """Return all stones of `color` that are linked with the chain by shared liberties, directly or through further chains."""
    stones, waiting = set(chain), list(chain)
    while waiting:
        for liberty in liberties_at(game, waiting.pop()):
            for neighbor in neighbors(liberty, game.size):
                if neighbor not in stones and game.color_at(neighbor) == color:
                    new_stones = set(game.chain_at(neighbor)) - stones
                    stones |= new_stones
                    waiting += new_stones
    return stones


def missed_connection(missed: MissedMove) -> Iterator[Reason]:
    """The better move connects own chains, and the opponent can now cut them there."""
    opponent_color = opponent(missed.color)
    if not missed.after.is_legal(opponent_color, missed.better):
        return
    cut = missed.after.copy()
    cut.play(opponent_color, missed.better)
    parts = cut_apart(cut, missed.better, missed.color)
    if parts is not None and missed.best.color_at(parts[0][0]) == missed.color and parts[1][0] in missed.best.chain_at(parts[0][0]):
        vertex, joined_stones = to_vertex(missed.better), f"{stones_text(parts[0])} with {stones_text(parts[1])}"
        text = f"{NAMES[opponent_color]} can now cut at {vertex}. {NAMES[missed.color]} needed {vertex} first, to connect {joined_stones}."
        yield Reason("cut", text)


def missed_cut(missed: MissedMove) -> Iterator[Reason]:
    """The better move cuts the opponent's chains, and the opponent can now connect them there."""
    opponent_color = opponent(missed.color)
    parts = cut_apart(missed.best, missed.better, opponent_color)
    if parts is None or not missed.after.is_legal(opponent_color, missed.better):
        return
    together = missed.after.copy()
    together.play(opponent_color, missed.better)
    if parts[1][0] in together.chain_at(parts[0][0]):
        vertex = to_vertex(missed.better)
        parted = f"{stones_text(parts[0], NAMES[opponent_color])} from {stones_text(parts[1])}"
        yield Reason("cut", f"{vertex} would have separated {parted}. Now {NAMES[opponent_color]} can connect at {vertex}.")


# ---------------------------------------------------------------- life, and moves that gain nothing


def life(missed: MissedMove) -> Iterator[Reason]:
    """The solver proves that the move decides the life of a group."""
    reason = life_reason(missed.after, missed.best, missed.color, missed.better)
    if reason is not None:
        yield reason


def wasted(missed: MissedMove) -> Iterator[Reason]:
    """The move gains nothing: it is in safe territory, or on a neutral point between living stones."""
    opponent_color, vertex = opponent(missed.color), to_vertex(missed.point)
    if len(missed.after.stones(opponent_color)) < len(missed.before.stones(opponent_color)):
        return
    safe = {color: safe_area(missed.before, color) for color in (missed.color, opponent_color)}
    around = neighbors(missed.point, missed.before.size)
    if missed.point in safe[opponent_color]:
        yield Reason("wasted", f"{vertex} is in {NAMES[opponent_color]}'s safe territory: no stone can live there.")
    elif missed.point in safe[missed.color]:
        yield Reason("wasted", f"{vertex} fills {NAMES[missed.color]}'s own safe territory, where nothing was threatened.")
    elif {missed.before.color_at(point) for point in around} == {BLACK, opponent(BLACK)} and all(
        point in safe[missed.before.color_at(point)] for point in around
    ):
        yield Reason("wasted", f"{vertex} is a neutral point (dame): all stones around it are alive.")


def opinions(missed: MissedMove, is_explained: bool) -> Iterator[Reason]:
    """Yield the opinions of the searches after both moves: the area that is lost, sente, and the vital point.

    is_explained -- True if a fact explains the mistake already: vague areas and the vital point are left out then
    """
    if missed.expected is None:
        return
    reason = lost_area(missed.before, missed.color, missed.expected, (missed.point, missed.better), may_be_vague=not is_explained)
    if reason is None and missed.best.is_legal(
        opponent(missed.color), free_move(missed.expected)
    ):  # an illegal move can't be tried, see confirmation.py
        reason = lost_sente(missed.color, missed.point, missed.better, missed.expected)
    reasons = [reason] if reason is not None else []
    point = None if is_explained else lost_point(missed.color, missed.point, missed.better, missed.expected, may_be_near=not reasons)
    yield from reasons if point is None else [*reasons, point]


FINDERS: tuple[Callable[[MissedMove], Iterator[Reason]], ...] = (
    life,
    missed_capture,
    left_in_atari,
    put_in_atari,
    failed_ladder,
    missed_ladder,
    allowed_ladder,
    missed_connection,
    missed_cut,
    wasted,
)
