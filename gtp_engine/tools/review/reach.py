"""Which mistakes a player could have avoided: how many people of the player's rank find the better move, and of five ranks above."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gtp_engine.go.points import PASS
from gtp_engine.go.rank_names import STRONGEST_LEARNED, WEAKEST_LEARNED, rank_of_record, rank_text, read_rank
from gtp_engine.tools.review.by_rank import Reach

if TYPE_CHECKING:
    from gtp_engine.engine.network.formats import OpenNetwork
    from gtp_engine.tools.review.model import GameReview, MoveReview
    from gtp_engine.tools.review.records import GameRecord

RANKS_ABOVE = 5
LEAST_SHARE = 0.1  # of the people five ranks above: what fewer find is no use to learn yet
MOST_SHOWN = 3


def with_reach(review: "GameReview", network: "OpenNetwork") -> list["MoveReview"]:
    """The moves of a game on the board that the ranks were learned on; mistakes with who finds the better move."""
    from gtp_engine.engine.network.rank_likelihood import RANKS, move_chances

    moves = list(review.moves)
    wanted = {i for i, move in enumerate(moves) if move.is_mistake and move.best and move.best.point not in (PASS, move.point)}
    for i, game in enumerate(review.record.positions()):
        if i not in wanted:
            continue
        move = moves[i]
        rank = rank_of(review, move.color)
        if rank is None or move.best is None:
            continue
        above = min(rank + RANKS_ABOVE, STRONGEST_LEARNED)
        chances = move_chances(game, review.komi, move.color, network, move.best.point)
        first = int(RANKS[0])
        moves[i] = replace(
            move, reach=Reach(rank_text(rank), float(chances[rank - first]), rank_text(above), float(chances[above - first]))
        )
    return moves


def rank_of(review: "GameReview", color: int) -> int | None:
    """The rank of a player: that of the record, or what the moves look like; None where neither is known."""
    written = written_rank(review.record, color)
    if written is not None:
        return written
    played = review.ranks.get(color)
    return read_rank(played.rank) if played is not None else None


def written_rank(record: "GameRecord", color: int) -> int | None:
    """The rank that the record names, where one of it was learned."""
    from gtp_engine.sgf import parse  # not above: the command line knows this module, and must start at once

    rank = rank_of_record(parse(record.text, 1, record.rules, record.komi).ranks.get(color, ""))
    return rank if WEAKEST_LEARNED <= rank <= STRONGEST_LEARNED else None


def within_reach(moves: Sequence["MoveReview"]) -> list["MoveReview"]:
    """The mistakes that a player would gain most by seeing at five ranks more, at most three, the most worthwhile first."""
    known = [(move.loss * move.reach.share_above, move) for move in moves if move.reach and move.reach.share_above >= LEAST_SHARE]
    return [move for _, move in sorted(known, key=lambda each: (-each[0], each[1].number))[:MOST_SHOWN]]
