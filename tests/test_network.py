"""The network in the engine: files that can't be used, and whole games through every part that plays."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hand_made import HandMade
from networks import save_network

from gtp_engine.cli.main import main
from gtp_engine.engine.network import choice
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.katago.inputs import OPPONENT, OWN
from gtp_engine.engine.network.loading import NetworkLoader, load_network, network_path
from gtp_engine.engine.network.network_evaluator import NetworkEvaluator
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import (
    BEST_BY_SIZE,
    CHOICES,
    MIXED,
    NETWORK,
    PLAYOUTS,
    SearchParams,
    evaluator_for,
    evaluators_for,
)
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, RESIGN, board_points, opponent
from gtp_engine.go.rules import CHINESE
from gtp_engine.tools.setup import doctor
from gtp_engine.tools.setup.benchmark import network_speeds

KOMI = 7.5
Diagram = Callable[..., Game]


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny network with random weights."""
    path = tmp_path_factory.mktemp("networks") / "tiny.kata.onnx"
    save_network(path)
    return path


def new_engine(path: Path, size: int = 5, **changes: Any) -> Engine:
    """An engine that plays with the network in `path`."""
    options: dict[str, Any] = {
        "evaluator": NETWORK,
        "network": str(path),
        "playouts": 30,
        "threads": 1,
        "seed": 1,
        "memory": 16,
        "resign": False,
    }
    return Engine(SearchParams(**(options | changes)), CHINESE, KOMI, size)


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("size", [2, 9, 19])
def test_a_network_answers_on_every_board(network: Path, size: int) -> None:
    """For a position alone as for one among others."""
    backend = load_network(network, SearchParams(threads=1)).backend
    many, one = backend.new_batch(size, 3), backend.new_batch(size)
    many.planes[:] = np.random.default_rng(1).random(many.planes.shape)
    many.run()
    for row in range(3):
        one.planes[0], one.globals[0] = many.planes[row], many.globals[row]
        one.run()
        for name in ("policy", "value", "score", "ownership"):
            np.testing.assert_allclose(getattr(one, name)[0], getattr(many, name)[row], atol=1e-5)
        assert np.isfinite(one.policy).all() and np.abs(one.policy).max() > 0.0


def write_text(path: Path) -> None:
    path.write_text("not a network\n")


def write_nothing(path: Path) -> None:
    path.write_bytes(b"")


def write_half(path: Path) -> None:
    save_network(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def write_other_outputs(path: Path) -> None:
    save_network(path)
    path.write_bytes(path.read_bytes().replace(b"ownership", b"ownershop"))


def write_without_metadata(path: Path) -> None:
    save_network(path)
    path.write_bytes(path.read_bytes().replace(b"katago_form", b"katago_farm"))


def write_folder(path: Path) -> None:
    path.mkdir()


def write_no_file(path: Path) -> None:
    pass


BROKEN: dict[Callable[[Path], None], str] = {
    write_text: "expected a network in ONNX form",
    write_nothing: "expected a network in ONNX form",
    write_half: "expected a network in ONNX form",
    write_other_outputs: "cannot be computed on 5x5",
    write_without_metadata: "found another kind of ONNX file",
    write_folder: "directory",
    write_no_file: "No such file",
}


@pytest.mark.parametrize("write", BROKEN, ids=lambda write: write.__name__)
def test_a_broken_file_is_told_in_one_sentence_and_playouts_stand_in(
    write: Callable[[Path], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.kata.onnx"
    write(path)
    with pytest.raises(NetworkError, match=r"broken\.kata\.onnx") as error:
        NetworkLoader().evaluator(NETWORK, SearchParams(network=str(path), threads=1), 5)
    assert BROKEN[write] in str(error.value) and "\n" not in str(error.value)
    engine = new_engine(path, playouts=10)
    assert engine.genmove(BLACK) != RESIGN
    engine.reg_genmove(BLACK)
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1, "once, however many searches are made"
    assert str(path) in told[0] and "playouts instead" in told[0]


def test_every_way_to_cut_a_file_short_is_noticed(tmp_path: Path, network: Path) -> None:
    content, path = network.read_bytes(), tmp_path / "short.kata.onnx"
    for length in range(0, len(content), len(content) // 12):
        path.write_bytes(content[:length])
        with pytest.raises(NetworkError, match=r"short\.kata\.onnx"):
            load_network(path, SearchParams(threads=1))


@pytest.mark.parametrize("backend", ["onnxruntime", "cuda"])
def test_a_precision_that_onnxruntime_lacks_is_refused(network: Path, backend: str) -> None:
    with pytest.raises(NetworkError, match="--precision bf16 needs --backend openvino"):
        load_network(network, SearchParams(backend=backend, precision="bf16", threads=1))


def test_without_any_network_the_option_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("gtp_engine.engine.network.loading.SHIPPED", tmp_path / "none.kata.onnx")
    with pytest.raises(NetworkError, match="--network FILE"):
        network_path(SearchParams(evaluator=NETWORK), 19)


def test_a_network_is_opened_once(network: Path) -> None:
    loader, params = NetworkLoader(), SearchParams(evaluator=NETWORK, network=str(network), threads=1)
    first = loader.network(params, 9)
    assert loader.network(params, 9) is first
    assert loader.evaluator(NETWORK, params, 9).network is first


def test_small_boards_have_a_network_of_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Up to 11x11; without it, and on larger boards, the other one plays; a network that is named plays everywhere."""
    small, large, auto = tmp_path / "small.kata.onnx", tmp_path / "large.kata.onnx", SearchParams(evaluator=NETWORK)
    monkeypatch.setattr("gtp_engine.engine.network.loading.SHIPPED_SMALL", small)
    monkeypatch.setattr("gtp_engine.engine.network.loading.SHIPPED", large)
    large.touch()
    assert [network_path(auto, size) for size in (9, 11, 13)] == [large, large, large]
    small.touch()
    assert [network_path(auto, size) for size in (9, 11, 13)] == [small, small, large]
    assert network_path(SearchParams(evaluator=NETWORK, network=str(large)), 9) == large


def test_the_networks_for_small_and_large_boards_stay_open(network: Path, tmp_path: Path) -> None:
    loader, other = NetworkLoader(), tmp_path / "other.kata.onnx"
    other.write_bytes(network.read_bytes())
    first, second = (SearchParams(evaluator=NETWORK, network=str(path), threads=1) for path in (network, other))
    opened = loader.network(first, 9)
    assert loader.network(second, 19) is not opened and loader.network(first, 9) is opened


# ---------------------------------------------------------------- which evaluator


def test_the_choice_of_the_evaluator() -> None:
    assert evaluator_for("playouts", 9) == PLAYOUTS
    assert [evaluator_for(name, 19) for name in (NETWORK, MIXED)] == [NETWORK, MIXED]
    for size in range(2, 20):
        assert evaluator_for("auto", size) in evaluators_for("auto") <= {PLAYOUTS, NETWORK, MIXED}
    assert [largest for largest, _ in BEST_BY_SIZE] == sorted(largest for largest, _ in BEST_BY_SIZE)
    assert {evaluator_for(name, 9) for name in CHOICES} >= {PLAYOUTS, NETWORK, MIXED}


@pytest.mark.parametrize(("is_named", "expected"), [(False, [False, True, True, False]), (True, [True] * 4)])
def test_another_board_gets_its_own_evaluator(
    is_named: bool, expected: list[bool], network: Path, monkeypatch: pytest.MonkeyPatch, evaluators_made: list[object]
) -> None:
    """A network that is named judges on every board."""
    monkeypatch.setattr("gtp_engine.engine.search.params.BEST_BY_SIZE", ((5, PLAYOUTS), (19, NETWORK)))
    for name in ("SHIPPED", "SHIPPED_SMALL"):
        monkeypatch.setattr(f"gtp_engine.engine.network.loading.{name}", network)
    engine = new_engine(network, evaluator="auto", playouts=5, network=str(network) if is_named else "")
    kinds = []
    for size in (5, 6, 7, 5):
        engine.state.set_board_size(size)
        assert engine.genmove(BLACK) != RESIGN
        kinds.append(isinstance(evaluators_made[-1], NetworkEvaluator))
    assert kinds == expected


# ---------------------------------------------------------------- games


@pytest.mark.parametrize(("kind", "threads"), [(NETWORK, 1), (NETWORK, 2), (MIXED, 1)])
def test_a_game_by_the_network_is_legal_and_ends(kind: str, threads: int, network: Path) -> None:
    engine = new_engine(network, evaluator=kind, threads=threads, playouts=20)
    color = BLACK
    for _ in range(120):
        before = engine.game.copy()
        point = engine.genmove(color)
        assert before.is_legal(color, point)
        color = opponent(color)
        if engine.game.passes() == 2:
            break
    assert engine.game.passes() == 2
    assert engine.score() == round(engine.score() * 2) / 2


LOPSIDED = """
    . X . . .
    . . X O .
    . . X O .
    X . . . O
    . . . . .
"""


def test_a_lost_game_is_given_up(network: Path, diagram: Diagram, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = HandMade(value=lambda planes: -6.0 if planes[OWN].sum() > planes[OPPONENT].sum() else 6.0)
    monkeypatch.setattr(NetworkLoader, "network", lambda self, params, size: backend.network())
    engine = new_engine(network, resign=True, resign_after=0.0, resign_moves=1, resign_threshold=0.5)
    engine.state.set_game(diagram(LOPSIDED))
    assert engine.genmove(BLACK) == RESIGN


def test_an_analysis_has_every_field(network: Path) -> None:
    analysis = next(new_engine(network, threads=2).analyze(BLACK, 0.1))
    assert sum(each.prior for each in analysis.candidates) + sum(prior for _, prior in analysis.unvisited) == pytest.approx(1.0, abs=1e-4)
    for each in analysis.candidates:
        assert 0.0 <= each.lower_bound <= each.win_rate <= 1.0
        assert each.variation[0] == each.point and len(each.variation) == len(each.variation_visits)
    owned = analysis.ownership[list(board_points(5))]
    assert np.abs(owned).max() <= 1.0 and np.abs(owned).max() > 0.0
    assert 0.0 < analysis.win_rate < 1.0 and analysis.score != 0.0


def test_the_same_seed_plays_the_same_moves(network: Path) -> None:
    games = []
    for _ in range(2):
        engine, moves = new_engine(network), []
        for color in (1, 2, 1, 2):
            moves.append(engine.genmove(color))
        games.append(moves)
    assert games[0] == games[1]


def test_temperature_varies_the_opening(network: Path) -> None:
    first_moves = {new_engine(network, temperature=1.0, seed=seed).genmove(BLACK) for seed in range(1, 12)}
    assert len(first_moves) > 2


def test_a_short_time_is_kept(network: Path) -> None:
    engine = new_engine(network, size=9, playouts=0, seconds=0.2, threads=2)
    engine.warm_up()
    engine.genmove(BLACK)
    result = engine.last_result
    assert result is not None and result.new_simulations >= 1 and result.seconds < 5.0


def test_a_network_is_chosen_and_changed_by_parameters(network: Path, evaluators_made: list[object]) -> None:
    engine = new_engine(network, evaluator="playouts")
    assert not isinstance(evaluators_made[-1], NetworkEvaluator)
    engine.set_params(SearchParams(evaluator=NETWORK, network=str(network), memory=16, threads=1, playouts=5))
    assert isinstance(evaluators_made[-1], NetworkEvaluator)
    assert engine.genmove(BLACK) != RESIGN


# ---------------------------------------------------------------- bench and doctor


def test_bench_measures_a_search_with_the_network(network: Path) -> None:
    params = SearchParams(evaluator=NETWORK, network=str(network), threads=2, seed=1, memory=16)
    evaluations, simulations = network_speeds(9, params, NetworkLoader(), 0.1)
    assert 0 < evaluations <= simulations * 1.5


def test_bench_refuses_a_broken_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["bench", "--network", str(tmp_path / "none.kata.onnx")])
    assert stop.value.code == 2
    assert "none.kata.onnx: No such file" in capsys.readouterr().err


def test_doctor_names_the_fastest_backend(network: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(choice, "SLICE", 0.001)
    monkeypatch.setenv("GTP_ENGINE_NETWORK", str(network))
    is_good, text = doctor.check_network()
    assert is_good and f"auto is {network.name}, onnxruntime" in text
    monkeypatch.setenv("GTP_ENGINE_NETWORK", str(tmp_path / "none.kata.onnx"))
    is_good, text = doctor.check_network()
    assert not is_good and "none.kata.onnx" in text
    monkeypatch.delenv("GTP_ENGINE_NETWORK")
    monkeypatch.setattr("gtp_engine.engine.network.loading.SHIPPED", tmp_path / "none.kata.onnx")
    assert doctor.check_network() == (True, "none comes with this version: playing with playouts")
