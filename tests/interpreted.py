"""A short search whose every number is printed as JSON: run compiled and interpreted, both must print the same.

Interpreted (NUMBA_DISABLE_JIT=1), an element of a structured array has no fields as attributes unless the array is a recarray; so the
two places that make such arrays are replaced by ones that give recarrays. Nothing else differs.
"""

import json
from dataclasses import fields
from typing import Any

import numba
import numpy as np
from count_evaluator import CountEvaluator
from kernels_consistency import check

from gtp_engine.engine.search import search as search_module
from gtp_engine.engine.search.arrays import SearchArrays, new_arrays
from gtp_engine.engine.search.evaluator import Evaluator
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.go import position as kernel
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK
from gtp_engine.go.rules import NEW_ZEALAND
from gtp_engine.go.score import count_area


def new_records(count: int, size: int) -> np.ndarray:
    """As kernel.new_positions, as a recarray."""
    positions = np.zeros(count, kernel.POSITION).view(np.recarray)
    for i in range(count):
        kernel.clear(positions, i, size)
    return positions


def new_record_arrays(params: SearchParams, workspaces: int, beside: int = 0) -> SearchArrays:
    """As new_arrays, of recarrays."""
    arrays = new_arrays(params, workspaces, beside)
    for item in fields(arrays):
        array = getattr(arrays, item.name)
        if array.dtype.names:
            setattr(arrays, item.name, array.view(np.recarray))
    return arrays


def describe(params: SearchParams, size: int, moves: int, simulations: int, evaluator: Evaluator | None = None) -> dict[str, Any]:
    """The moves that a search plays against itself, and what it knew at each."""
    game, search = Game(size, NEW_ZEALAND), Search(params, evaluator)
    found = []
    for _ in range(moves):
        kept = search.prepare(game, game.to_play, 0.5)
        result = search.run(Limits(simulations=simulations))
        found.append([kept, *([c.point, c.visits, c.win_rate, c.score] for c in result.candidates)])
        game.play(game.to_play, result.best.point)
    position = game.positions[0]
    return {
        "searches": found,
        "fault": int(check(game.positions, 0)),
        "area": int(count_area(game.positions, 0)),
        "hash": int(position["hash"]),
        "legal": game.legal_points(BLACK),
    }


def main() -> None:
    """Print everything."""
    if numba.config.DISABLE_JIT:
        np.seterr(over="ignore")  # hashes and random numbers wrap around on purpose
        kernel.new_positions = new_records
        search_module.new_arrays = new_record_arrays  # type: ignore[attr-defined]  # imported there, which is what counts
    plain = SearchParams(policy="light", priors=False, rave_visits=0.0, exploration=0.7, threads=1, seed=1, memory=16)
    searches = [describe(plain, 3, 6, 25), describe(SearchParams(threads=1, seed=1, memory=16), 5, 2, 8)]
    searches.append(describe(SearchParams(threads=1, seed=1, memory=16), 3, 3, 10, CountEvaluator()))
    print(json.dumps(searches))


if __name__ == "__main__":
    main()
