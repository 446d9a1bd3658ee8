"""Results of a search for clients: `info` lines in Leela Zero's and KataGo's form, and CGOS's JSON.

All numbers are from the side of the analyzed player. The principal variation comes last in its part of a line, because Sabaki reads it to
the end.
"""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from gtp_engine.engine.search.result_fields import Fields, move_fields, ownership_fields, ownership_text, root_fields
from gtp_engine.go.points import to_vertex, vertices
from gtp_engine.interfaces.gtp.analysis_request import AnalysisRequest

if TYPE_CHECKING:
    import numpy as np

    from gtp_engine.engine.network.details import Details
    from gtp_engine.engine.search.result import Candidate, SearchResult

PARTS = 10_000  # Leela Zero's probabilities are ten-thousandths
CGOS_MOVES = 10  # viewers show a few
FORMS = {  # the fields of a move for kata-analyze, in their order
    **{"visits": "d", "utility": ".6f", "winrate": ".6f", "scoreMean": ".3f", "scoreLead": ".3f", "scoreSelfplay": ".3f", "weight": ".0f"},
    **{"edgeVisits": "d", "prior": ".6f", "lcb": ".6f", "utilityLcb": ".6f"},
}
ROOT_FIELDS = list(FORMS)[:7]


def listed_candidates(result: "SearchResult", request: AnalysisRequest) -> list["Candidate"]:
    """The moves to list, best first: the visited ones, with others up to the requested minimum, at most the requested maximum."""
    listed = list(result.candidates)
    for point, prior in result.unvisited[: max(request.least_moves - len(listed), 0)]:
        listed.append(replace(listed[0], point=point, visits=0, win_rate=result.win_rate, score=result.score, prior=prior, ownership=None))
        listed[-1] = replace(listed[-1], variation=[point], variation_visits=[0], lower_bound=0.0)
    return listed[: max(request.most_moves, 1)]


def leela_line(result: "SearchResult", request: AnalysisRequest, board_size: int) -> str:
    """One line for lz-analyze: probabilities in ten-thousandths."""
    return " ".join(leela_info(candidate, order) for order, candidate in enumerate(listed_candidates(result, request)))


def leela_info(candidate: "Candidate", order: int) -> str:
    """One move for lz-analyze."""
    numbers = f"winrate {parts(candidate.win_rate)} prior {parts(candidate.prior)} lcb {parts(candidate.lower_bound)}"
    return f"info move {to_vertex(candidate.point)} visits {candidate.visits} {numbers} order {order} pv {vertices(candidate.variation)}"


def parts(probability: float) -> int:
    """A probability in ten-thousandths."""
    return min(max(round(probability * PARTS), 0), PARTS)


def kata_line(result: "SearchResult", request: AnalysisRequest, board_size: int, details: "Details | None" = None) -> str:
    """One line for kata-analyze: probabilities as fractions, all other fields of the request, and the network's `details` in rootInfo."""
    pieces = [kata_info(candidate, order, request.flags, board_size) for order, candidate in enumerate(listed_candidates(result, request))]
    if "rootInfo" in request.flags:
        pieces.append(f"rootInfo {fields_text(root_fields(result), ROOT_FIELDS)}")
        pieces += [] if details is None else [details_text(details)]
    pieces += ownership_pieces("ownership", request.flags, result.ownership, board_size)
    return " ".join(pieces)


def details_text(details: "Details") -> str:
    """What the network by itself predicts of the root. A search adds up no deviations, so the network's own stands for them."""
    errors = f"rawStWrError {details.win_error:.6f} rawStScoreError {details.score_error:.3f}"
    return f"scoreStdev {details.score_deviation:.3f} {errors} rawVarTimeLeft {details.time_left:.3f}"


def ownership_pieces(name: str, flags: set[str], ownership: "np.ndarray", board_size: int) -> list[str]:
    """`NAME values` and `NAMEStdev values`, each if it was requested."""
    fields = ownership_fields(ownership, board_size, name, flags)
    return [" ".join([key, *(f"{value:.4f}" for value in values)]) for key, values in fields.items()]


def kata_info(candidate: "Candidate", order: int, flags: set[str], board_size: int) -> str:
    """One move for kata-analyze."""
    fields = move_fields(candidate, order)
    no_result = " noResultValue 0" if "noResultValue" in flags else ""  # every game has a winner or is drawn
    text = f"info move {fields['move']} {fields_text(fields, FORMS)}{no_result} order {order} pv {' '.join(fields['pv'])}"
    for name in ("pvVisits", "pvEdgeVisits"):  # the same in a tree without transpositions
        if name in flags:
            text += f" {name} " + " ".join(str(visits) for visits in candidate.variation_visits)
    if candidate.ownership is not None:
        text = " ".join([text, *ownership_pieces("movesOwnership", flags, candidate.ownership, board_size)])
    return text


def fields_text(fields: Fields, names: Iterable[str]) -> str:
    """Each name with its value."""
    return " ".join(f"{name} {fields[name]:{FORMS[name]}}" for name in names)


def cgos_line(result: "SearchResult", request: AnalysisRequest, board_size: int) -> str:
    """The JSON object of cgos-genmove_analyze, on one line."""
    moves = [
        {
            "move": to_vertex(candidate.point),
            "visits": candidate.visits,
            "winrate": round(candidate.win_rate, 4),
            "score": round(candidate.score, 2),
            "prior": round(candidate.prior, 4),
            "pv": vertices(candidate.variation),
        }
        for candidate in result.candidates[:CGOS_MOVES]
    ]
    numbers = {"winrate": round(result.win_rate, 4), "score": round(result.score, 2), "visits": result.simulations}
    return json.dumps(numbers | {"moves": moves, "ownership": ownership_text(result.ownership, board_size)}, separators=(",", ":"))
