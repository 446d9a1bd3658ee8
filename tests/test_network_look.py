"""What a network says of a position without any search, for people to look at."""

from pathlib import Path

import numpy as np
import pytest
from conftest import Client
from networks import save_network

from gtp_engine.engine.move_model.model_file import load_model
from gtp_engine.engine.network.features import LEAF_SCRATCH, survey_leaf, write_planes
from gtp_engine.engine.network.session import OnnxRuntime
from gtp_engine.engine.player.engine import Engine, EngineError
from gtp_engine.engine.playout.policy import playout_policy
from gtp_engine.engine.search.leaf import LEAF
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import BLACK, NO_POINT, PASS, WHITE, board_points, from_vertex, to_vertex
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader

MOVES = ((BLACK, "C3"), (WHITE, "D3"), (BLACK, "B2"))


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """A tiny network with random weights."""
    save_network(tmp_path / "tiny.onnx")
    return tmp_path / "tiny.onnx"


def engine_with(network: Path) -> Engine:
    """An engine on 5x5 after MOVES; it searches with playouts."""
    engine = Engine(SearchParams(network=str(network), evaluator="playouts", memory=16, threads=1), size=5)
    for color, vertex in MOVES:
        engine.state.play(color, from_vertex(vertex, 5))
    return engine


def test_the_policy_is_of_legal_moves_and_by_the_networks_own_numbers(network: Path) -> None:
    engine = engine_with(network)
    found = engine.network_look()
    assert set(found.policy) == {*engine.game.legal_points(WHITE), PASS}
    assert sum(found.policy.values()) == pytest.approx(1.0)
    batch = OnnxRuntime(network).new_batch(5)
    leaf, scratch = np.zeros(1, LEAF), np.zeros(1, LEAF_SCRATCH)
    leaf["moves"] = [from_vertex(vertex, 5) for _, vertex in reversed(MOVES)] + [NO_POINT] * 2
    leaf["position"], leaf["komi"] = engine.game.positions[0], 7.5
    survey_leaf(leaf, scratch, playout_policy(SearchParams()))
    write_planes(leaf, scratch, load_model(), batch.planes[0])
    batch.run()
    assert found.win_rate == pytest.approx(1.0 / (1.0 + np.exp(-batch.value[0])), rel=1e-4)
    assert found.lead == pytest.approx(batch.score[0], rel=1e-4)
    ratio = found.policy[from_vertex("A5", 5)] / found.policy[PASS]
    assert ratio == pytest.approx(np.exp(batch.policy[0][0] - batch.policy[0][25]), rel=1e-3)


@pytest.mark.parametrize("symmetry", range(8))
def test_a_network_tells_whose_each_point_will_be(tmp_path: Path, symmetry: int) -> None:
    save_network(tmp_path / "owners.onnx", owners=True)
    engine = engine_with(tmp_path / "owners.onnx")
    found = engine.network_look(symmetry=symmetry).ownership
    stones = {point: sign for color, sign in ((WHITE, 1.0), (BLACK, -1.0)) for point in engine.game.stones(color)}  # White is to move
    assert found == {point: stones.get(point, 0.0) for point in board_points(5)}


def test_a_search_adds_up_what_the_network_says_of_owners(tmp_path: Path) -> None:
    """The stones that are there stay, since this network says so of every leaf; playouts would say otherwise of some."""
    save_network(tmp_path / "owners.onnx", owners=True)
    params = SearchParams(network=str(tmp_path / "owners.onnx"), evaluator="network", playouts=10, memory=16, threads=1, seed=1)
    engine = Engine(params, size=5)
    for color, vertex in MOVES:
        engine.state.play(color, from_vertex(vertex, 5))
    engine.genmove(WHITE)
    assert engine.last_result is not None
    ownership = engine.last_result.ownership
    assert [ownership[from_vertex(vertex, 5)] for _, vertex in MOVES] == [-1.0, 1.0, -1.0]


def test_nothing_is_searched_or_played(network: Path) -> None:
    engine = engine_with(network)
    before = engine.game.positions[0].copy()
    engine.network_look()
    assert engine.last_result is None
    assert engine.game.positions[0] == before


def test_a_file_that_is_not_there_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"missing\.onnx: .*expected a network in ONNX form"):
        engine_with(tmp_path / "missing.onnx").network_look()


def test_the_picture_for_gogui(network: Path) -> None:
    """The likeliest move is the deepest green, labels are percents, and the text says whose numbers they are."""
    engine = engine_with(network)
    found = engine.network_look()
    lines = Client(EngineLoader(lambda: engine)).ok("gtp_engine-network").split("\n")
    best = max((point for point in found.policy if point != PASS), key=lambda point: found.policy[point])
    assert [line for line in lines if line.startswith("COLOR #00ff00 ")] == [f"COLOR #00ff00 {to_vertex(best)}"]
    assert f"LABEL {to_vertex(best)} {100 * found.policy[best]:.0f}%" in lines
    assert lines[-1].startswith("TEXT White to play wins ")
