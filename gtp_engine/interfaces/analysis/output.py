"""Results of a search in the form of KataGo's analysis engine: one JSON object for a position."""

import hashlib
from typing import Any

import numpy as np

from gtp_engine.engine.search.result import Candidate, SearchResult
from gtp_engine.engine.search.result_fields import move_fields, ownership_fields, root_fields
from gtp_engine.go.game import Game
from gtp_engine.go.places import points_by_place
from gtp_engine.go.points import BLACK, NO_POINT, PASS, board_points, row_and_column
from gtp_engine.interfaces.analysis.query import Query
from gtp_engine.interfaces.analysis.raw_network import HumanLook, Policy, rounded, rounded_all

ILLEGAL = -1.0  # in a policy
HASH_BYTES = 16
KO_MARK = 3  # in addition to the colors, for hashes


class Describer:
    """Turns the results of one position into messages. `game`: the position, whose player to move the results are for."""

    def __init__(self, query: Query, turn: int, game: Game) -> None:
        self._query, self._turn, self._game = query, turn, game
        self._flags = query.report.flags
        self.is_turned = query.report.perspective not in (game.to_play, 0)  # True: numbers are from the side of the opponent
        self._order = list(points_by_place(game.size))

    def message(
        self, result: SearchResult, is_during_search: bool, root: dict[str, Any], policy: Policy | None, human: HumanLook | None = None
    ) -> dict[str, Any]:
        """The whole message. `root`: more fields for rootInfo; `policy`: for the field `policy`, if requested; `human`: people's moves."""
        result = result.for_opponent() if self.is_turned else result
        message: dict[str, Any] = {
            "id": self._query.id,
            "turnNumber": self._turn,
            "isDuringSearch": is_during_search,
            "moveInfos": [self._move(candidate, order) for order, candidate in enumerate(result.candidates)],
            "rootInfo": self._root(result) | root,
        }
        if policy is not None:
            message["policy"] = self._listed(policy)
        if human is not None:
            message["rootInfo"] |= human.root
            for info, candidate in zip(message["moveInfos"], result.candidates, strict=True):
                info["humanPrior"] = rounded(human.policy.get(candidate.point, 0.0))
            if policy is not None:
                message["humanPolicy"] = self._listed(human.policy)
        return message | self._owned(result.ownership, "includeOwnership")

    def _listed(self, policy: Policy) -> list[float]:
        """A policy point by point from the top left, the pass last."""
        return [rounded(policy.get(point, ILLEGAL)) for point in [*self._order, PASS]]

    def _move(self, candidate: Candidate, order: int) -> dict[str, Any]:
        """One entry of moveInfos."""
        length = self._query.report.variation_length + 1
        info = rounded_all(move_fields(candidate, order))
        info["pv"] = info["pv"][:length]
        if "includePVVisits" in self._flags:
            info["pvVisits"] = info["pvEdgeVisits"] = candidate.variation_visits[:length]
        if "includeNoResultValue" in self._flags:
            info["noResultValue"] = 0.0  # every game has a winner or is drawn
        if candidate.ownership is not None:
            info |= self._owned(candidate.ownership, "includeMovesOwnership")
        return info

    def _root(self, result: SearchResult) -> dict[str, Any]:
        """rootInfo without the network's own numbers."""
        own, symmetric = position_hashes(self._game)
        player = "B" if self._game.to_play == BLACK else "W"
        return rounded_all(root_fields(result)) | {"currentPlayer": player, "thisHash": own, "symHash": symmetric}

    def _owned(self, ownership: np.ndarray, flag: str) -> dict[str, Any]:
        """`ownership` and `ownershipStdev`, each if it was requested."""
        fields = ownership_fields(ownership, self._game.size, flag, self._flags)
        return {name.replace(flag, "ownership"): np.round(values, 4).tolist() for name, values in fields.items()}


def no_results(query: Query, turn: int) -> dict[str, Any]:
    """The message for a position that was terminated before its search began."""
    return {"id": query.id, "turnNumber": turn, "isDuringSearch": False, "noResults": True}


def priors_of(result: SearchResult) -> Policy:
    """The search's own prior of each move, in place of a network's policy."""
    return {candidate.point: candidate.prior for candidate in result.candidates} | dict(result.unvisited)


def position_hashes(game: Game) -> tuple[str, str]:
    """Two hashes of the position, with player to move and ko: its own, and one that all symmetric positions share."""
    grid = np.zeros((game.size, game.size), np.uint8)
    for point in board_points(game.size):
        row, column = row_and_column(point)
        grid[row - 1, column - 1] = game.color_at(point)
    if game.ko_point() != NO_POINT:
        row, column = row_and_column(game.ko_point())
        grid[row - 1, column - 1] = KO_MARK
    turned = [np.rot90(board, turns).tobytes() for board in (grid, grid.T) for turns in range(4)]
    return hash_of(grid.tobytes(), game), hash_of(min(turned), game)


def hash_of(stones: bytes, game: Game) -> str:
    """A hash in hex digits."""
    content = stones + bytes([game.to_play, game.size])
    return hashlib.blake2b(content, digest_size=HASH_BYTES).hexdigest().upper()
