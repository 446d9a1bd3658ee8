"""Find the mistakes that a player could have avoided: the share of players of the same rank, and five ranks above, who play better."""

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
LEAST_SHARE = 0.1  # of the players five ranks above: a move that fewer find is too hard to learn yet
MOST_SHOWN = 3


def with_reach(review: "GameReview", network: "OpenNetwork") -> list["MoveReview"]:
    """Return the moves of a review with `reach` set for mistakes. The board must have the size that the ranks were learned on."""
    from gtp_engine.engine.network.rank_likelihood import RANKS, move_chances

    moves = list(review.moves)
    mistake_indices = {i for i, move in enumerate(moves) if move.is_mistake and move.best and move.best.point not in (PASS, move.point)}
    for i, game in enumerate(review.record.positions()):
        if i not in mistake_indices:
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
    """Return the rank of a player: the record's, or the one that the moves look like; None if neither is known."""
    written = written_rank(review.record, color)
    if written is not None:
        return written
    played = review.ranks.get(color)
    return read_rank(played.rank) if played is not None else None


def written_rank(record: "GameRecord", color: int) -> int | None:
    """Return the rank in the record if it is one of the learned ranks, else None."""
    from gtp_engine.sgf import parse  # here, because the command line imports this module and must start at once

    rank = rank_of_record(parse(record.text, 1, record.rules, record.komi).ranks.get(color, ""))
    return rank if WEAKEST_LEARNED <= rank <= STRONGEST_LEARNED else None


def within_reach(moves: Sequence["MoveReview"]) -> list["MoveReview"]:
    """Return the mistakes that five more ranks would most likely avoid, weighted by their cost, at most MOST_SHOWN, the largest first."""
    weighted_moves = [(move.loss * move.reach.share_above, move) for move in moves if move.reach and move.reach.share_above >= LEAST_SHARE]
    return [move for _, move in sorted(weighted_moves, key=lambda pair: (-pair[0], pair[1].number))[:MOST_SHOWN]]
