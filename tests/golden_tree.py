"""The golden trees: searches with a fixed seed, stored as JSON. After an intended change,
`.venv/bin/python tests/golden_tree.py` writes them anew.

A difference that nobody intended means that the search behaves differently: `git diff tests/golden` shows where.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from conftest import draw_game
from count_evaluator import CountEvaluator
from hand_made import HandMade
from trees import plain_params, tree_of

from gtp_engine.engine.network.katago.inputs import AREA, LADDER, LIBERTIES, OPPONENT, OWN, RECENT, WORKING
from gtp_engine.engine.player.reading import Reader, ReadingLimits
from gtp_engine.engine.search.evaluator import Evaluator
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE

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
FIGHT = """
    . . . X O . .
    X X X X O . .
    O O O O O . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
"""


@cache  # a test for each of them asks for all
def searches() -> dict[str, dict[str, Any]]:
    """The tree of each golden search, by the name of its file."""
    default = SearchParams(memory=16, seed=1, threads=1)
    return {
        "plain": search_tree(OPENING, BLACK, plain_params()),
        "default": search_tree(OPENING, BLACK, default),
        "race": search_tree(RACE, WHITE, plain_params(expand_visits=1)),
        "count": search_tree(RACE, WHITE, plain_params(), CountEvaluator()),
        "network-9": network_tree(9, 0.0),
        "facts": facts_tree(),
        "mixed-9": network_tree(9, default.playout_share),
        "mixed-13": network_tree(13, default.playout_share),
        "mixed-19": network_tree(19, default.playout_share),
    }


def facts_tree() -> dict[str, Any]:
    """A search that is told who wins the fight in the corner, by playouts with priors."""
    game = draw_game(FIGHT, WHITE)
    reading = Reader().read(game, ReadingLimits(nodes=20_000))
    search = Search(SearchParams(memory=16, seed=1, threads=1))
    assert reading.record[0]["count"] == 1
    search.set_facts(reading.record, reading.facts)
    search.prepare(game, WHITE, -38.5)  # the fight decides the game
    search.run(Limits(simulations=SIMULATIONS))
    return tree_of(search).as_json(LEAST_VISITS)


def network_tree(size: int, playout_share: float) -> dict[str, Any]:
    """A search with a network made by hand after ten seeded random moves; `playout_share`: what `auto` plays with there."""
    params = SearchParams(memory=16, seed=1, threads=1)
    game, random = Game(size), np.random.default_rng(size)
    for _ in range(10):
        game.play(game.to_play, int(random.choice(game.legal_points(game.to_play))))
    network = HandMade(points=wanted_points, value=lambda planes: float(planes[OWN].sum() - planes[OPPONENT].sum()))
    search = Search(params, network.evaluator(params, playout_share))
    search.prepare(game, game.to_play, 7.5)
    search.run(Limits(simulations=SIMULATIONS))
    return tree_of(search).as_json(LEAST_VISITS)


def wanted_points(planes: np.ndarray) -> np.ndarray:
    """Logits [S, S] by sums of planes, which every processor works out alike: ladders, stones in atari, areas, answers."""
    near_atari, near = (sum(np.roll(planes[plane], step, axis) for step in (-1, 1) for axis in (0, 1)) for plane in (LIBERTIES, RECENT))
    tactics = 2.0 * planes[WORKING] - planes[LADDER] + 2.0 * near_atari
    return np.asarray(np.round(tactics + near - planes[AREA] - planes[AREA + 1], 2), np.float64)


def search_tree(drawing: str, color: int, params: SearchParams, evaluator: Evaluator | None = None) -> dict[str, Any]:
    """A search of SIMULATIONS from a drawn board."""
    search = Search(params, evaluator)
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
