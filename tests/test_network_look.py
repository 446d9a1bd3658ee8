"""What a network says of a position without any search, for people to look at."""

from pathlib import Path

import numpy as np
import pytest
from conftest import Client
from hand_made import HandMade
from networks import save_network
from trees import plain_params

from gtp_engine.engine.network.katago.calibration import shown
from gtp_engine.engine.network.katago.inputs import OPPONENT, OWN
from gtp_engine.engine.network.katago.model import Scales
from gtp_engine.engine.network.katago.scratch import SCRATCH
from gtp_engine.engine.network.loading import load_network
from gtp_engine.engine.network.look import Angle, look
from gtp_engine.engine.player.engine import Engine, EngineError
from gtp_engine.engine.search.game_leaf import leaf_of
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.go.game import Game
from gtp_engine.go.places import point_of
from gtp_engine.go.points import BLACK, PASS, WHITE, board_points, from_vertex, to_vertex
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader

MOVES = ((BLACK, "C3"), (WHITE, "D3"), (BLACK, "B2"))


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """A tiny network with random weights."""
    save_network(tmp_path / "tiny.kata.onnx")
    return tmp_path / "tiny.kata.onnx"


def engine_with(network: Path) -> Engine:
    """An engine on 5x5 after MOVES; it searches with playouts."""
    engine = Engine(SearchParams(network=str(network), evaluator="playouts", memory=16, threads=1), size=5)
    engine.state.set_game(game_of(MOVES))
    return engine


def game_of(moves: tuple[tuple[int, str], ...]) -> Game:
    """A game on 5x5 with these moves."""
    game = Game(5)
    for color, vertex in moves:
        game.play(color, from_vertex(vertex, 5))
    return game


def test_the_policy_is_of_legal_moves_and_by_the_networks_own_numbers(network: Path) -> None:
    engine = engine_with(network)
    found = engine.network_look()
    assert set(found.policy) == {*engine.game.legal_points(WHITE), PASS}
    assert sum(found.policy.values()) == pytest.approx(1.0)
    batch = load_network(network, SearchParams(threads=1)).backend.new_batch(5)
    inputs = shown(leaf_of(engine.game, WHITE, 7.5), np.zeros(1, SCRATCH))
    batch.planes[:], batch.globals[:] = inputs["planes"], inputs["globals"]
    batch.run()
    won, lost, _ = batch.value[0]
    assert found.win_rate == pytest.approx(1.0 / (1.0 + np.exp(lost - won)), rel=1e-4)
    assert found.lead == pytest.approx(batch.score[0, 2] * Scales().lead, rel=1e-4)
    ratio = found.policy[from_vertex("A5", 5)] / found.policy[PASS]
    assert ratio == pytest.approx(np.exp(batch.policy[0, 0, 0] - batch.policy[0, 0, 25]), rel=1e-3)
    for place in (0, 12, 24):
        assert found.ownership[point_of(place, 5)] == pytest.approx(batch.ownership[0, place], abs=0.01)


def stones_stay(planes: np.ndarray) -> np.ndarray:
    """A network that says of each stone that its point is its color's at the end, and of an empty point that it is nobody's."""
    return np.asarray(planes[OWN] - planes[OPPONENT])


@pytest.mark.parametrize("symmetry", range(8))
def test_a_network_tells_whose_each_point_will_be(symmetry: int) -> None:
    game = game_of(MOVES)
    found = look(game, 7.5, HandMade(owners=stones_stay).network(), WHITE, Angle(symmetry)).ownership
    stones = {point: sign for color, sign in ((WHITE, 1.0), (BLACK, -1.0)) for point in game.stones(color)}  # White is to move
    assert found == {point: stones.get(point, 0.0) for point in board_points(5)}


def test_a_search_adds_up_what_the_network_says_of_owners() -> None:
    """The stones that are there stay, since this network says so of every leaf; playouts would say otherwise of some."""
    params = plain_params()
    search = Search(params, HandMade(owners=stones_stay).evaluator(params))
    search.prepare(game_of(MOVES), WHITE, 7.5)
    ownership = search.run(Limits(simulations=10)).ownership
    assert [ownership[from_vertex(vertex, 5)] for _, vertex in MOVES] == [-1.0, 1.0, -1.0], "for White, who is to move"


def test_nothing_is_searched_or_played(network: Path) -> None:
    engine = engine_with(network)
    before = engine.game.positions[0].copy()
    engine.network_look()
    assert engine.last_result is None
    assert engine.game.positions[0] == before


def test_a_file_that_is_not_there_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"missing\.kata\.onnx: .*expected a network in ONNX form"):
        engine_with(tmp_path / "missing.kata.onnx").network_look()


def test_the_picture_for_gogui(network: Path) -> None:
    """The likeliest move is the deepest green, labels are percents, and the text says whose numbers they are."""
    engine = engine_with(network)
    found = engine.network_look()
    lines = Client(EngineLoader(lambda: engine)).ok("gtp_engine-network").split("\n")
    best = max((point for point in found.policy if point != PASS), key=lambda point: found.policy[point])
    assert [line for line in lines if line.startswith("COLOR #00ff00 ")] == [f"COLOR #00ff00 {to_vertex(best)}"]
    assert f"LABEL {to_vertex(best)} {100 * found.policy[best]:.0f}%" in lines
    assert lines[-1].startswith("TEXT White to play wins ")
