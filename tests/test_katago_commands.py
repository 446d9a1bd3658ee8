"""KataGo's commands over GTP: parameters under its names, what the network says, searches that a line cancels."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Client, LateInbox, response_to
from networks import save_network

from gtp_engine.engine.config.katago_names import KATAGO_NAMES, NEUTRAL
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.symmetry import turned_point
from gtp_engine.go.points import BLACK, PASS, from_vertex, point_at
from gtp_engine.go.rules import CHINESE
from gtp_engine.interfaces.gtp.commands import make_dispatcher
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader

SIZE = 5
MOVES = ("play b C3", "play w D3", "play b B2")


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    """An engine with a tiny network, on 5x5."""
    save_network(tmp_path / "tiny.kata.onnx")
    params = SearchParams(network=str(tmp_path / "tiny.kata.onnx"), evaluator="network", playouts=20, memory=16, threads=1, seed=1)
    return Engine(params, CHINESE, 7.5, SIZE)


@pytest.fixture
def client(engine: Engine) -> Iterator[Client]:
    """A client of that engine, after MOVES."""
    client = Client(EngineLoader(lambda: engine))
    for move in MOVES:
        client.ok(move)
    yield client
    if client.loader.thread is not None:
        client.loader.thread.join()


# ---------------------------------------------------------------- parameters


def test_every_listed_parameter_can_be_read(client: Client) -> None:
    names = client.ok("kata-list-params").split()
    assert len(names) == len(set(names)) > 50
    assert set(KATAGO_NAMES) <= set(names)
    values = json.loads(client.ok("kata-get-params"))
    assert set(values) == set(names)
    for name in names:
        assert client.ok(f"kata-get-param {name}") == (str(values[name]).lower() if isinstance(values[name], bool) else str(values[name]))


@pytest.mark.parametrize(
    ("name", "value", "ours", "expected"),
    [
        ("maxVisits", "500", "playouts", 500),
        ("maxTime", "1.5", "seconds", 1.5),
        ("analysisWideRootNoise", "0.04", "root_noise", 0.04),
        ("numSearchThreads", "2", "threads", 2),
        ("allowResignation", "false", "resign", False),
        ("resignThreshold", "-0.9", "resign_threshold", pytest.approx(0.05)),
        ("prior_even", "3", "prior_even", 3.0),
        ("evaluator", "playouts", "evaluator", "playouts"),
    ],
)
def test_a_parameter_is_set_and_read_back(client: Client, engine: Engine, name: str, value: str, ours: str, expected: object) -> None:
    client.ok(f"kata-set-param {name} {value}")
    assert getattr(engine.params, ours) == expected
    found = client.ok(f"kata-get-param {name}")
    assert found == value or float(found) == pytest.approx(float(value))


def test_several_parameters_at_once_or_none(client: Client, engine: Engine) -> None:
    client.ok('kata-set-params {"maxVisits": 30, "ponderingEnabled": true, "threads": 2}')
    assert (engine.params.playouts, engine.params.ponder, engine.params.threads) == (30, True, 2)
    client.fails('kata-set-params {"maxVisits": 40, "maxTime": "never"}')
    assert engine.params.playouts == 30


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("kata-get-param nonsense", "unknown parameter"),
        ("kata-set-param maxVisit 3", "maxVisits"),
        ("kata-set-param maxVisits many", "maxVisits"),
        ("kata-set-param maxVisits", "maxVisits"),
        ("kata-set-param", "syntax error"),
        ("kata-set-param playoutDoublingAdvantage 1.5", "not supported"),
        ("kata-set-param root_noise 2", "root_noise"),
        ("kata-set-params {", "syntax error"),
        ("kata-set-params [1]", "syntax error"),
        ("kata-get-param", "syntax error"),
    ],
)
def test_what_cannot_be_set_is_refused(client: Client, engine: Engine, line: str, word: str) -> None:
    before = engine.params
    assert word in client.fails(line)
    assert engine.params == before


@pytest.mark.parametrize("name", NEUTRAL)
def test_what_we_have_no_part_for_may_be_set_to_nothing(client: Client, name: str) -> None:
    """Lizzie sets playoutDoublingAdvantage to 0 at every start."""
    value = str(NEUTRAL[name]).lower()
    client.ok(f"kata-set-param {name} {value}")
    assert client.ok(f"kata-get-param {name}") == value


def test_the_models(client: Client) -> None:
    (model,) = json.loads(client.ok("kata-get-models"))
    assert model["name"] == "tiny.kata.onnx"
    assert {"name", "internalName", "maxBatchSize", "usesHumanSLProfile", "version", "usingFP16"} == set(model)
    client.ok("kata-set-param evaluator playouts")
    assert client.ok("kata-get-models") == "[]"


# ---------------------------------------------------------------- the network by itself


def read_raw(text: str) -> list[dict[str, list[str]]]:
    """The words behind each key, for each symmetry."""
    answers: list[dict[str, list[str]]] = []
    key = ""
    for word in text.split():
        if word == "symmetry":
            answers.append({})
        if word[0].isalpha() and word != "NAN":
            key = word
            answers[-1][key] = []
        else:
            answers[-1][key].append(word)
    return answers


def test_raw_output_is_the_networks(client: Client, engine: Engine) -> None:
    (found,) = read_raw(client.ok("kata-raw-nn 0"))
    look = engine.network_look()
    assert found["symmetry"] == ["0"]
    assert float(found["whiteWin"][0]) == pytest.approx(look.win_rate, abs=1e-4), "White is to move"
    assert float(found["whiteLead"][0]) == pytest.approx(look.lead, abs=1e-2)
    assert float(found["whiteWin"][0]) + float(found["whiteLoss"][0]) == pytest.approx(1.0, abs=1e-5)
    order = [point_at(row, column) for row in range(SIZE, 0, -1) for column in range(1, SIZE + 1)]
    for point, word in zip(order, found["policy"], strict=True):
        assert word == "NAN" if point not in look.policy else float(word) == pytest.approx(look.policy[point], abs=1e-4)
    assert float(found["policyPass"][0]) == pytest.approx(look.policy[PASS], abs=1e-4)
    assert len(found["whiteOwnership"]) == SIZE * SIZE
    assert all(-1.0 <= float(word) <= 1.0 for word in found["whiteOwnership"])


def test_raw_output_has_a_line_for_each_row(client: Client) -> None:
    keys = [line.split()[0] if line else "" for line in client.ok("kata-raw-nn 0").splitlines()]
    assert keys.index("policyPass") - keys.index("policy") == SIZE + 1
    assert len(keys) - keys.index("whiteOwnership") == SIZE + 1


def test_all_symmetries_and_the_other_color(client: Client) -> None:
    assert [answer["symmetry"] for answer in read_raw(client.ok("kata-raw-nn all"))] == [[str(number)] for number in range(8)]
    (white,), (black,) = read_raw(client.ok("kata-raw-nn w 3")), read_raw(client.ok("kata-raw-nn black 3 0.5"))
    assert white["symmetry"] == black["symmetry"] == ["3"]
    assert white["policy"] != black["policy"]


@pytest.mark.parametrize("arguments", ["", "8", "-1", "b", "none", "0 x", "0 0.5 1", "b b 0"])
def test_wrong_arguments_of_the_raw_network(client: Client, arguments: str) -> None:
    assert client.fails(f"kata-raw-nn {arguments}") == "syntax error"


def test_a_network_that_is_not_there(client: Client) -> None:
    client.ok("kata-set-param network /missing.onnx")
    assert "missing.onnx" in client.fails("kata-raw-nn 0")


@pytest.mark.parametrize("symmetry", range(8))
def test_a_turned_corner_is_a_corner(symmetry: int) -> None:
    corners = {from_vertex(vertex, SIZE) for vertex in ("A1", "A5", "E1", "E5")}
    assert {turned_point(point, SIZE, symmetry) for point in corners} == corners
    assert turned_point(from_vertex("C3", SIZE), SIZE, symmetry) == from_vertex("C3", SIZE)


# ---------------------------------------------------------------- searches that a line cancels


@pytest.mark.parametrize(("asked", "is_cancelled"), [(1, True), (2, True), (1000, False)])
def test_a_line_cancels_a_search(engine: Engine, asked: int, is_cancelled: bool) -> None:
    for line in ("kata-search_cancellable b", "kata-search_analyze_cancellable b 5 rootInfo true"):
        dispatcher = make_dispatcher(EngineLoader(lambda: engine), "us", "0", LateInbox(asked))
        answer = response_to(dispatcher, line)
        assert answer.startswith("= ") and answer.endswith("\n\n")
        assert ("cancelled" in answer) == is_cancelled
        assert engine.game.moves == []
    assert engine.genmove(BLACK) != PASS, "the next search is not cancelled"
