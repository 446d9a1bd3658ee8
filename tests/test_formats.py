"""Formats of networks, evaluators of one's own, and evaluators that want several leaves at once."""

from pathlib import Path

import pytest
from count_evaluator import CountEvaluator
from hand_made import HandMade
from toy_format import TOY, ToyBackend, ToyFeatures
from trees import assert_sound, indices, plain_params, tree_of

from gtp_engine.engine.network import formats
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.formats import OpenNetwork
from gtp_engine.engine.network.katago.inputs import OPPONENT, OWN
from gtp_engine.engine.network.loading import RANKS, load_network
from gtp_engine.engine.network.network_evaluator import NetworkEvaluator
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, point_at

KOMI = 7.5


@pytest.fixture
def toy_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A network of the tests' own format, which the package knows for the time of a test."""
    monkeypatch.setattr(formats, "FORMATS", [TOY, *formats.FORMATS])
    (tmp_path / "center.toy").write_text("0.5\n")
    return tmp_path / "center.toy"


def test_the_engine_plays_with_a_format_added_from_outside(toy_file: Path) -> None:
    params = SearchParams(evaluator="network", network=str(toy_file), playouts=50, threads=1, seed=1, memory=16, resign=False)
    engine = Engine(params, size=5)
    assert engine.genmove(BLACK) == point_at(3, 3)
    look = engine.network_look()
    assert max(look.policy, key=lambda point: look.policy[point]) in {point_at(3, 2), point_at(2, 3), point_at(4, 3), point_at(3, 4)}
    assert look.win_rate < 0.5, "White is to move, Black has the center"


def test_a_broken_file_of_such_a_format_is_told(toy_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    toy_file.write_text("none\n")
    engine = Engine(SearchParams(evaluator="network", network=str(toy_file), playouts=5, threads=1, memory=16), size=5)
    engine.genmove(BLACK)
    assert capsys.readouterr().err == f"gtp_engine: {toy_file}: expected a number; playing with playouts instead\n"


def test_what_a_network_says_of_owners_is_heard() -> None:
    params = plain_params()
    search = Search(params, NetworkEvaluator(OpenNetwork(ToyFeatures(), ToyBackend(0.5)), params))
    game = Game(5)
    for move in (point_at(3, 3), point_at(1, 1)):
        game.play(game.to_play, move)
    search.prepare(game, BLACK, KOMI)
    result = search.run(Limits(simulations=60))
    assert result.ownership[point_at(3, 3)] == 1.0 and result.ownership[point_at(1, 1)] == -1.0
    owned = result.best.ownership
    assert owned is not None and owned[result.best.point] == 1.0


@pytest.mark.parametrize("threads", [1, 2])
def test_a_backend_gets_as_many_leaves_at_once_as_it_demands(threads: int) -> None:
    backend = HandMade(value=lambda planes: float(planes[OWN].sum() - planes[OPPONENT].sum()), leaves=8)
    params = SearchParams(threads=threads, seed=1, memory=16)
    search = Search(params, backend.evaluator(params))
    search.prepare(Game(9), BLACK, KOMI)
    result = search.run(Limits(simulations=400))
    assert backend.largest == 8
    assert result.simulations >= 400
    tree = tree_of(search)
    assert all(0.0 <= candidate.win_rate <= 1.0 for candidate in result.candidates)
    own = tree.visits - sum(child.visits for child in tree.children)
    assert 1 <= own <= threads, "each thread may have asked about the root"
    if threads == 1:
        assert_no_visit_is_left_over(search)


def assert_no_visit_is_left_over(search: Search) -> None:
    """Every visit of a walk got its result: no virtual loss stays in the tree."""
    nodes = search._arrays.nodes
    for index in indices(nodes):
        first, count = int(nodes[index]["first_child"]), int(nodes[index]["child_count"])
        if first > 0:
            assert int(nodes[index]["visits"]) - int(nodes[first : first + count]["visits"].sum()) <= 8, "more than its own evaluations"


def test_a_seed_repeats_a_search_that_asks_for_one_leaf_at_a_time() -> None:
    """With several leaves at once another tree grows, which depends on when the clock ends a call, as with several threads."""
    trees = []
    for leaves in (1, 1, 8):
        params = SearchParams(threads=1, seed=1, memory=16)
        search = Search(params, HandMade(value=lambda planes: float(planes[OWN].sum()), leaves=leaves).evaluator(params))
        search.prepare(Game(5), BLACK, KOMI)
        search.run(Limits(simulations=150))
        trees.append(tree_of(search))
    assert trees[0] == trees[1] != trees[2]


def test_an_evaluator_without_a_policy_may_want_several_leaves_too() -> None:
    evaluator = CountEvaluator(leaves=4)
    search = Search(plain_params(), evaluator)
    search.prepare(Game(5), BLACK, KOMI)
    assert search.run(Limits(simulations=500)).simulations == 500
    assert evaluator.most_at_once == 4


@pytest.mark.parametrize("threads", [1, 2])
def test_a_plain_count_is_an_evaluator(threads: int) -> None:
    search = Search(plain_params(threads=threads), CountEvaluator())
    search.prepare(Game(5), BLACK, KOMI)
    result = search.run(Limits(simulations=1000))
    assert_sound(search)
    assert not result.ownership.any(), "nobody said who owns what"


def test_cuda_is_refused_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onnxruntime.get_available_providers", lambda: ["CPUExecutionProvider"])
    with pytest.raises(NetworkError, match="has no CUDA"):
        load_network(RANKS, SearchParams(backend="cuda", threads=1)).backend.new_batch(9)
