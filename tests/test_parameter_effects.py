"""What a parameter of the search needs to have an effect: without it, other values give the same tree."""

from dataclasses import fields, replace
from typing import Any

import pytest
from conftest import draw_game

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import MIXED, NETWORK, OF_TACTICS, PLAYOUTS, SearchParams, has_effect
from gtp_engine.go.points import BLACK
from gtp_engine.go.rules import CHINESE

NUMBERS: dict[str, Any] = {item.name: item for item in fields(SearchParams) if not isinstance(item.default, str)}

# Black can capture one stone, save two, and live or die with the corner.
POSITION = """
    . . . . . . . . .
    . . X O . . . . .
    . X O . . . O . .
    . . X . . . . . .
    . . . . X . . O .
    . . O . X O . . .
    O O O O O X O . .
    X X X O . . . . .
    . . X O . . . . .
"""


@pytest.fixture(scope="module")
def engine() -> Engine:
    """One engine for all searches, with the position."""
    engine = Engine(SearchParams(playouts=60, seed=1, memory=16, threads=1), CHINESE, 7.5, 9)
    engine.state.set_game(draw_game(POSITION, BLACK))
    return engine


def tree(engine: Engine, params: SearchParams) -> list[Any]:
    """What is known of each move after a search from a fresh start."""
    engine.set_params(params)
    engine.reg_genmove(BLACK)
    assert engine.last_result is not None
    return [(each.point, each.visits, each.win_rate, each.variation) for each in engine.last_result.candidates]


def other_value(name: str) -> Any:
    """A value that is not the default, nor what -1 means; 0 only where the default is."""
    item = NUMBERS[name]
    if isinstance(item.default, bool):
        return not item.default
    value = item.default / 2 if item.default > 0 else min(item.metadata["high"], 1.0) / 4
    return int(value) if isinstance(item.default, int) else value


@pytest.mark.parametrize("evaluator", [PLAYOUTS, NETWORK, MIXED])
def test_what_has_no_effect_changes_nothing(evaluator: str, engine: Engine) -> None:
    params = SearchParams(playouts=60, seed=1, memory=16, threads=1, evaluator=evaluator)
    expected = tree(engine, params)
    idle = [name for name in NUMBERS if not has_effect(name, evaluator)]
    assert {"rave_visits", "exploration"} <= set(idle) or "pass_prior" in idle
    for name in idle:
        assert tree(engine, replace(params, **{name: other_value(name)})) == expected, name


@pytest.mark.parametrize(
    ("evaluator", "names"), [(PLAYOUTS, ("rave_visits", "prior_even")), (MIXED, ("puct_exploration", "playout_share"))]
)
def test_what_has_an_effect_changes_the_tree(evaluator: str, names: tuple[str, ...], engine: Engine) -> None:
    params = SearchParams(playouts=60, seed=1, memory=16, threads=1, evaluator=evaluator)
    expected = tree(engine, params)
    for name in names:
        assert has_effect(name, evaluator)
        assert tree(engine, replace(params, **{name: other_value(name)})) != expected, name


def test_a_zero_has_an_effect_with_a_network_where_tactics_are_looked_at(engine: Engine) -> None:
    params = SearchParams(playouts=60, seed=1, memory=16, threads=1, evaluator=NETWORK, tactics_prior=1.0)
    expected = tree(engine, params)
    assert tree(engine, replace(params, prior_capture=0.0)) != expected
    assert all(has_effect(name, NETWORK, (0.0, 24.0)) and not has_effect(name, NETWORK, (12.0, 24.0)) for name in OF_TACTICS)
