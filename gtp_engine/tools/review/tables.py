"""Write a review as tables: CSV with a row for each move, and a JSON document with everything."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from gtp_engine.go.points import BLACK, WHITE, to_color_name, to_vertex, vertices
from gtp_engine.tools.review.by_rank import in_words, share_text
from gtp_engine.tools.review.judged_by import ADVICE
from gtp_engine.tools.review.lessons import lessons_of
from gtp_engine.tools.review.model import OTHER, GameReview, MoveReview, PhaseSummary, Summary
from gtp_engine.tools.review.moments import moments
from gtp_engine.tools.review.reach import within_reach
from gtp_engine.tools.review.settings import counted
from gtp_engine.tools.review.words import doubt_text, verdict_text

COLUMNS: dict[str, Callable[[MoveReview], object]] = {  # of the table of moves; rates are 0..1, leads and losses points, all the player's
    "number": lambda move: move.number,
    "color": lambda move: to_color_name(move.color),
    "vertex": lambda move: to_vertex(move.point),
    "phase": lambda move: move.phase,
    "win_rate_before": lambda move: round(move.win_rate_before, 4),
    "win_rate_after": lambda move: round(move.win_rate_after, 4),
    "score_lead_before": lambda move: round(move.lead_before, 2),
    "score_lead_after": lambda move: round(move.lead_after, 2),
    "loss": lambda move: round(move.loss, 2),
    "drift": lambda move: round(move.drift, 2),
    "mistake": lambda move: move.size if move.is_mistake else "",
    "since": lambda move: move.since or None,
    "reasons": lambda move: " ".join(reason.text for reason in move.reasons),
    "kind": lambda move: (move.reasons[0].kind if move.reasons else OTHER) if move.is_mistake else "",
    "verdict": lambda move: verdict_text(move),
    "best": lambda move: to_vertex(move.best.point) if move.best else "",
    "best_variation": lambda move: vertices(move.best.variation) if move.best else "",
    "refutation": lambda move: vertices(move.refutation),
    "rank": lambda move: move.rank,
    "visits": lambda move: move.visits,
    "prior": lambda move: round(move.prior, 4),
    "found_by_rank": lambda move: move.reach.rank if move.reach else "",
    "found_by": lambda move: round(move.reach.share, 4) if move.reach else None,
    "found_by_stronger_rank": lambda move: move.reach.above if move.reach else "",
    "found_by_stronger": lambda move: round(move.reach.share_above, 4) if move.reach else None,
}


def move_row(move: MoveReview) -> dict[str, object]:
    """Return a move by the names in COLUMNS."""
    return {name: value_of(move) for name, value_of in COLUMNS.items()}


def csv_table(review: GameReview) -> str:
    """Return a header and a row for each move. The rank is empty if the search never visited the move."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(move_row(move) for move in review.moves)
    return text.getvalue()


def summary_as_dict(summary: Summary) -> dict[str, object]:
    """Return the figures of one player for JSON."""
    phases = {phase: figures_of(totals) | {"mistakes": totals.mistakes} for phase, totals in summary.phases.items()}
    return figures_of(summary) | {"mistakes": summary.mistakes, "phases": phases, "kinds": summary.kinds}


def figures_of(moves: Summary | PhaseSummary) -> dict[str, object]:
    """Return the figures of some moves for JSON."""
    return {"moves": moves.moves, "mean_loss": round(moves.mean_loss, 3), "agreement": round(moves.agreement, 4)}


def ranks_as_dict(review: GameReview) -> dict[str, object]:
    """Return the ranks that the moves look like, for JSON. Players without an estimate are left out."""
    return {to_color_name(color): rank.as_dict() for color, rank in review.ranks.items()}


def review_as_dict(review: GameReview, digest: str) -> dict[str, object]:
    """Return the whole review for JSON. `digest` identifies its record and settings."""
    record = review.record
    return {
        "digest": digest,
        "source": record.source.title,
        "size": record.size,
        "komi": review.komi,
        "rules": review.rules,
        "result": record.result,
        "date": record.date,
        "players": {to_color_name(color): record.players.get(color, "") for color in (BLACK, WHITE)},
        "warnings": record.warnings,
        "settings": review.settings.as_dict(),
        "seconds": round(review.seconds, 2),
        "summary": {to_color_name(color): summary_as_dict(review.summary(color)) for color in (BLACK, WHITE)},
        "ranks": ranks_as_dict(review),
        "moments": [move.number for move in moments(review.moves)],
        "within_reach": [move.number for move in within_reach(review.moves)],
        "in_doubt": review.in_doubt,
        "judged_by": review.judged_by.name,
        "misses_fights": review.judged_by.misses_fights,
        "black_win_rates": [round(evaluation.win_rate, 4) for evaluation in review.evaluations],
        "black_score_leads": [round(evaluation.lead, 2) for evaluation in review.evaluations],
        "moves": [move_row(move) for move in review.moves],
        "lessons": lessons_of(review),
    }


def json_document(review: GameReview, digest: str) -> str:
    """Return the review as JSON text."""
    return json.dumps(review_as_dict(review, digest), indent=1, ensure_ascii=False) + "\n"


def outcome_text(document: Mapping[str, Any]) -> str:
    """Return a summary of a review's JSON document for the terminal."""
    lines = [f"{document['source']}: {counted(len(document['moves']), 'move')}"]
    for color, summary in document["summary"].items():
        mistakes = ", ".join(counted(count, size) for size, count in summary["mistakes"].items())
        name = document["players"][color] or color.capitalize()
        agreement_text = f"{summary['agreement']:.0%} of the moves are the engine's choice"
        lines.append(f"  {name}: {summary['mean_loss']:.1f} points lost per move; {agreement_text}; {mistakes}")
        if color in document.get("ranks", {}):  # reviews of version 0.2 have none
            lines.append(f"    {played_rank_text(document['ranks'][color])}")
    lines += [f"  {reach_text(document['moves'][number - 1])}" for number in document.get("within_reach", [])]
    lines += [f"  {moment_text(document['moves'][number - 1])}" for number in document["moments"]]
    doubts = document.get("in_doubt", [])  # reviews of version 0.2 have none
    if doubts:
        lines.append(f"  {doubt_text(doubts)}; allow more time with --minutes")
    return "\n".join(lines)


def advice_text(documents: Iterable[Mapping[str, Any]]) -> str:
    """Return the advice, for the terminal, that the reader of these JSON documents needs; empty if none is needed."""
    return ADVICE if any(document.get("misses_fights") for document in documents) else ""  # reviews of version 0.2 don't say


def played_rank_text(rank: Mapping[str, Any]) -> str:
    """Return a text with the rank that a player's moves look like."""
    return f"the moves look like {rank['rank']}, anything from {rank['low']} to {rank['high']}"


def reach_text(row: Mapping[str, Any]) -> str:
    """Return a line about a mistake that its player could have avoided, from its row."""
    share = f"{share_text(row['found_by_stronger']).lower()} of {in_words(row['found_by_stronger_rank'])} players would play {row['best']}"
    return f"within reach: move {row['number']}, {row['color'].capitalize()} {row['vertex']}: {share}, {row['loss']:.1f} points lost"


def moment_text(row: Mapping[str, Any]) -> str:
    """Return a line about a move that decided the game, from its row."""
    chances = f"{row['win_rate_before']:.0%} to {row['win_rate_after']:.0%}"
    move = f"decisive: move {row['number']}, {row['color'].capitalize()} {row['vertex']}"
    return f"{move}: the chances fell from {chances}, {row['loss']:.1f} points lost; {row['best']} was better"
