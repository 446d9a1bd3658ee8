"""The golden trees: searches with a fixed seed, stored as JSON. After an intended change,
`.venv/bin/python tests/golden_tree.py` writes them anew.

A difference that nobody intended means that the search behaves differently: `git diff tests/golden` shows where.
"""

import json
from pathlib import Path
from typing import Any

from conftest import draw_game
from trees import plain_params, tree_of

from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.search.params import SearchParams
from gtp_engine.search.search import Limits, Search

FOLDER = Path(__file__).parent / "golden"
LEAST_VISITS = 8  # nodes with fewer are left out: a file should be read
SIMULATIONS = 400

RACE = """
    . X O . .
    X X O O .
    X O O . X
    X O . X X
    . O . X .
"""
OPENING = """
    . . . . . . .
    . . . . . . .
    . . . . X . .
    . . O . . . .
    . . O X X . .
    . . . . . . .
    . . . . . . .
"""


def searches() -> dict[str, dict[str, Any]]:
    """The tree of each golden search, by the name of its file."""
    default = SearchParams(memory=16, seed=1, threads=1)
    return {
        "plain": search_tree(OPENING, BLACK, plain_params()),
        "default": search_tree(OPENING, BLACK, default),
        "race": search_tree(RACE, WHITE, plain_params(expand_visits=1)),
        "uniform": search_tree(RACE, WHITE, plain_params(evaluator="uniform")),
    }


def search_tree(drawing: str, color: int, params: SearchParams) -> dict[str, Any]:
    """A search of SIMULATIONS from a drawn board."""
    search = Search(params)
    search.prepare(draw_game(drawing, color), color, 7.5)
    search.run(Limits(simulations=SIMULATIONS))
    return tree_of(search).as_json(LEAST_VISITS)


def renew() -> None:
    """Write every file."""
    FOLDER.mkdir(exist_ok=True)
    for name, tree in searches().items():
        (FOLDER / f"{name}.json").write_text(json.dumps(tree, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    renew()
