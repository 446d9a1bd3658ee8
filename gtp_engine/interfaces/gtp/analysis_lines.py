"""Results of a search for clients: `info` lines in Leela Zero's and KataGo's form, and CGOS's JSON.

All numbers are from the side of the analyzed player. The principal variation comes last in its part of a line, because Sabaki reads it to
the end.
"""

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING

from gtp_engine.go.places import points_by_place
from gtp_engine.go.points import to_vertex, vertices
from gtp_engine.interfaces.gtp.analysis_request import AnalysisRequest

if TYPE_CHECKING:
    import numpy as np

    from gtp_engine.engine.network.details import Details
    from gtp_engine.engine.search.result import Candidate, SearchResult

PARTS = 10_000  # Leela Zero's probabilities are ten-thousandths
CGOS_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"  # an ownership from -1 to 1, in 63 steps
CGOS_STEPS = 62
CGOS_MOVES = 10  # viewers show a few


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
        pieces.append(f"rootInfo {kata_numbers(result.simulations, result.win_rate, result.score)}")
        pieces += [] if details is None else [details_text(details)]
    pieces += ownership_pieces("ownership", request.flags, result.ownership, board_size)
    return " ".join(pieces)


def details_text(details: "Details") -> str:
    """What the network by itself predicts of the root. A search adds up no deviations, so the network's own stands for them."""
    errors = f"rawStWrError {details.win_error:.6f} rawStScoreError {details.score_error:.3f}"
    return f"scoreStdev {details.score_deviation:.3f} {errors} rawVarTimeLeft {details.time_left:.3f}"


def ownership_pieces(key: str, flags: set[str], ownership: "np.ndarray", board_size: int) -> list[str]:
    """`KEY values` and `KEYStdev values`, each if it was requested. A point is owned or not, so the deviation follows from the mean."""
    pieces = []
    values = board_values(ownership, board_size)
    if key in flags:
        pieces.append(f"{key} " + " ".join(f"{value:.4f}" for value in values))
    if f"{key}Stdev" in flags:
        pieces.append(f"{key}Stdev " + " ".join(f"{math.sqrt(max(1.0 - value * value, 0.0)):.4f}" for value in values))
    return pieces


def kata_info(candidate: "Candidate", order: int, flags: set[str], board_size: int) -> str:
    """One move for kata-analyze."""
    numbers = kata_numbers(candidate.visits, candidate.win_rate, candidate.score)
    bound = candidate.lower_bound
    numbers += f" edgeVisits {candidate.visits} prior {candidate.prior:.6f} lcb {bound:.6f} utilityLcb {utility(bound):.6f}"
    if "noResultValue" in flags:
        numbers += " noResultValue 0"  # every game has a winner or is drawn
    text = f"info move {to_vertex(candidate.point)} {numbers} order {order} pv {vertices(candidate.variation)}"
    for name in ("pvVisits", "pvEdgeVisits"):  # the same in a tree without transpositions
        if name in flags:
            text += f" {name} " + " ".join(str(visits) for visits in candidate.variation_visits)
    if candidate.ownership is not None:
        text = " ".join([text, *ownership_pieces("movesOwnership", flags, candidate.ownership, board_size)])
    return text


def kata_numbers(visits: int, win_rate: float, score: float) -> str:
    """The numbers of both a move and the root, as in analysis results."""
    lead = " ".join(f"{name} {score:.3f}" for name in ("scoreMean", "scoreLead", "scoreSelfplay"))
    return f"visits {visits} utility {utility(win_rate):.6f} winrate {win_rate:.6f} {lead} weight {visits}"


def utility(win_rate: float) -> float:
    """A win rate from -1 to 1."""
    return 2 * win_rate - 1


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
    ownership = "".join(CGOS_DIGITS[round((value + 1.0) / 2.0 * CGOS_STEPS)] for value in board_values(result.ownership, board_size))
    numbers = {"winrate": round(result.win_rate, 4), "score": round(result.score, 2), "visits": result.simulations}
    return json.dumps(numbers | {"moves": moves, "ownership": ownership}, separators=(",", ":"))


def board_values(ownership: "np.ndarray", board_size: int) -> list[float]:
    """The ownership of every point, row by row from the top left."""
    values: list[float] = ownership[list(points_by_place(board_size))].tolist()
    return values
