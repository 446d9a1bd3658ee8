"""Write the HTML page of a reviewed game. The file is self-contained and fetches nothing.

The page, its style and its scripts are files in page/, and base/pages/ holds the parts that all pages share. This module puts them
together with the review's data. The texts of a record are untrusted: they reach the page as JSON, and the script inserts them as text only.
"""

import json
from dataclasses import replace
from importlib.resources import files

from gtp_engine import __version__
from gtp_engine.base.pages import put_together
from gtp_engine.engine.search.result import Candidate
from gtp_engine.engine.search.result_fields import ownership_text
from gtp_engine.go.points import BLACK, EMPTY, PASS, WHITE, row_and_column, to_color_name, to_vertex, vertices
from gtp_engine.go.rule_names import rules_title
from gtp_engine.tools.review.annotate import effort_text
from gtp_engine.tools.review.development import KIND_NAMES
from gtp_engine.tools.review.model import GameReview
from gtp_engine.tools.review.moments import moments
from gtp_engine.tools.review.tables import move_row, ranks_as_dict, summary_as_dict

SCRIPTS = ("trial.js", "page.js")


def html_page(review: GameReview, is_first_look: bool = False) -> str:
    """Return the text of the page. With `is_first_look` the page says that only the first pass is done."""
    folder = files("gtp_engine.tools.review") / "page"
    page_files = {name: (folder / name).read_text(encoding="utf-8") for name in ("page.html", "page.css", *SCRIPTS)}
    text = put_together(page_files["page.html"], page_files["page.css"], "\n".join(page_files[name] for name in SCRIPTS))
    return text.replace("/*DATA*/", json_in_html(page_data(review) | {"isFirstLook": is_first_look}))


def json_in_html(data: object) -> str:
    """Return JSON that is safe inside a script element: no text in it can end the element."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def page_data(review: GameReview) -> dict[str, object]:
    """Return the data for the page's script."""
    record = review.record
    return {
        "version": __version__,
        "size": record.size,
        "komi": review.komi,
        "rules": rules_title(review.rules),
        "result": record.result,
        "effort": effort_text(review),
        "judgedBy": review.judged_by.name,
        "notes": review.notes,
        "warnings": record.warnings,
        "players": {to_color_name(color): record.players.get(color, "") for color in (BLACK, WHITE)},
        "summary": {to_color_name(color): summary_as_dict(review.summary(color)) for color in (BLACK, WHITE)},
        "kindNames": KIND_NAMES,
        "ranks": ranks_as_dict(review),
        "moments": [move.number for move in moments(review.moves)],
        "moves": [move_row(move) for move in review.moves],
        "positions": [position_data(review, index) for index in range(len(review.evaluations))],
    }


def position_data(review: GameReview, index: int) -> dict[str, object]:
    """Return the data of one position: the changes of the board since the position before, and the evaluation."""
    size, evaluation = review.record.size, review.evaluations[index]
    before = review.boards[index - 1] if index else {}
    return {
        "toPlay": to_color_name(evaluation.to_play),
        "winRate": round(evaluation.win_rate, 4),
        "lead": round(evaluation.lead, 1),
        "visits": evaluation.simulations,
        "changes": board_changes(before, review.boards[index], size),
        "ownership": ownership_text(evaluation.ownership, size),
        "candidates": [candidate_data(candidate, review.settings.variation) for candidate in listed_candidates(review, index)],
    }


def listed_candidates(review: GameReview, index: int) -> list[Candidate]:
    """Return the moves to show: the best candidates and the played move. Both have the win rates and leads of the judgement."""
    candidates = review.evaluations[index].candidates
    if index >= len(review.moves) or not candidates:
        return candidates[: review.settings.candidates]
    move = review.moves[index]
    first = move.best or candidates[0]
    best = [first, *(candidate for candidate in candidates if candidate.point != first.point)]
    listed = [
        replace(candidate, win_rate=move.win_rate_after, score=move.lead_after) if candidate.point == move.point else candidate
        for candidate in best
    ]
    if move.rank is None:
        listed.append(Candidate(move.point, 0, move.win_rate_after, move.lead_after, [move.point], [0], move.prior))
    return [candidate for rank, candidate in enumerate(listed) if rank < review.settings.candidates or candidate.point == move.point]


def candidate_data(candidate: Candidate, length: int) -> dict[str, object]:
    """Return the data of one move, from the side of the player to move."""
    return {
        "vertex": to_vertex(candidate.point),
        "visits": candidate.visits,
        "winRate": round(candidate.win_rate, 4),
        "lead": round(candidate.score, 1),
        "prior": round(candidate.prior, 3),
        "variation": vertices(candidate.variation[:length]),
    }


def board_changes(before: dict[int, int], after: dict[int, int], size: int) -> list[int]:
    """Return a flat list of the index and the new color of every point that changed. Indices run by rows from the top left."""
    changes: list[int] = []
    for point in sorted(before.keys() | after.keys()):
        if before.get(point, EMPTY) != after.get(point, EMPTY) and point != PASS:
            row, column = row_and_column(point)
            changes += [(size - row) * size + column - 1, after.get(point, EMPTY)]
    return changes
