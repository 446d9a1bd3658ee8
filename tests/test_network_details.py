"""What a network predicts besides policy, winner, lead and owners: against a slow twin, over GTP, and in analysis."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from analysis_talk import Conversation
from conftest import Client, LateInbox
from kata_blocks import Residual
from kata_twin import Twin

from gtp_engine.engine.network.details import UNKNOWN, Details, mean_details
from gtp_engine.engine.network.katago.calibration import shown
from gtp_engine.engine.network.katago.scratch import SCRATCH
from gtp_engine.engine.network.loading import load_network
from gtp_engine.engine.network.look import Look, look
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.game_leaf import leaf_of
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, WHITE, from_vertex
from gtp_engine.go.rules import CHINESE, JAPANESE, Ko, Rules
from gtp_engine.interfaces.gtp.commands import make_dispatcher
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader

SIZE = 5
MOVES = ((BLACK, "C3"), (WHITE, "D3"), (BLACK, "B2"))
SIMPLE_KO = replace(CHINESE, ko=Ko.SIMPLE)
VERSIONS = (8, 9, 11, 13, 17)
RAW_FIELDS = {
    *("rawWinrate", "rawLead", "rawScoreSelfplay", "rawScoreSelfplayStdev", "rawNoResultProb"),
    *("rawStWrError", "rawStScoreError", "rawVarTimeLeft", "scoreStdev"),
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Converted networks go into a folder of the test's own."""
    monkeypatch.setattr("gtp_engine.engine.network.katago.conversion.cache_folder", lambda: tmp_path / "cache")


@pytest.fixture
def params(tmp_path: Path) -> SearchParams:
    """Searches with a tiny network."""
    path = Twin(15, (Residual,)).save(tmp_path / "tiny")
    return SearchParams(network=str(path), evaluator="network", playouts=20, memory=16, threads=1, seed=1)


def game_of(rules: Rules) -> Game:
    """A game after MOVES."""
    game = Game(SIZE, rules)
    for color, vertex in MOVES:
        game.play(color, from_vertex(vertex, SIZE))
    return game


def looked(twin: Twin, path: Path, rules: Rules) -> tuple[Look, np.ndarray, np.ndarray]:
    """The package's evaluation for White, and the twin's value and score."""
    game, saved = game_of(rules), twin.save(path)
    inputs = shown(leaf_of(game, WHITE, 7.5), np.zeros(1, SCRATCH))
    said = twin.run(inputs["planes"][0], inputs["globals"][0])
    return look(game, 7.5, load_network(saved, SearchParams(threads=1)), WHITE), said.value, said.score


def softened(number: float) -> float:
    """log(1 + e**x)."""
    return float(np.log(1.0 + np.exp(number)))


@pytest.mark.parametrize("version", VERSIONS)
def test_every_number_is_the_twins(tmp_path: Path, version: int) -> None:
    twin = Twin(version, (Residual,))
    found, _, score = looked(twin, tmp_path / "twin", CHINESE)
    assert found.details is not None and found.details.no_result == 0.0, "positions can't repeat"
    means, deviations, _, times = (21.0, 22.0, 23.0, 40.0) if version >= 13 else (20.0, 20.0, 20.0, 40.0)
    assert found.details.score == pytest.approx(score[0] * means, rel=1e-3)
    assert found.details.score_deviation == pytest.approx(softened(score[1]) * deviations, rel=1e-3)
    if version == 8:
        assert (found.details.time_left, found.details.win_error, found.details.score_error) == (UNKNOWN, UNKNOWN, UNKNOWN)
        return
    assert found.details.time_left == pytest.approx(softened(score[3]) * times, rel=1e-3)
    expected = {
        9: (softened(score[4]), softened(score[5]) * 10.0),
        11: (np.sqrt(softened(score[4]) * 0.25), np.sqrt(softened(score[5]) * 30.0)),
        13: (np.sqrt(softened(score[4]) * 0.3), np.sqrt(softened(score[5]) * 30.0)),
        17: (softened(score[4] / 2) * np.sqrt(0.3), softened(score[5] / 2) * np.sqrt(30.0)),
    }[version]
    assert (found.details.win_error, found.details.score_error) == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("rules", [SIMPLE_KO, JAPANESE], ids=["simple ko", "territory"])
def test_a_game_may_end_without_a_result(tmp_path: Path, rules: Rules) -> None:
    """The win rate holds half of its probability, and such a game's score is 0."""
    found, value, score = looked(Twin(17, (Residual,)), tmp_path / "twin", rules)
    won, _, none = np.exp(value) / np.exp(value).sum()
    assert found.details is not None and found.details.no_result == pytest.approx(none, rel=1e-3) and none > 0.01
    assert found.win_rate == pytest.approx(won + 0.5 * none, rel=1e-3)
    mean, deviation = score[0] * 21.0, softened(score[1]) * 22.0
    assert found.details.score == pytest.approx(mean * (1.0 - none), rel=1e-3)
    assert found.details.score_square == pytest.approx((mean**2 + deviation**2) * (1.0 - none), rel=1e-3)


def test_the_mean_of_two() -> None:
    mean = mean_details([Details(0.0, 2.0, 5.0, 10.0, 0.5, 3.0), Details(0.2, 4.0, 25.0, 20.0, 0.1, 5.0)])
    assert mean == Details(0.1, 3.0, 15.0, 15.0, 0.3, 4.0)
    assert mean.score_deviation == pytest.approx(6.0**0.5)


# ---------------------------------------------------------------- GTP


def client_of(params: SearchParams, rules: Rules = SIMPLE_KO) -> Client:
    """A client of an engine after MOVES."""
    client = Client(EngineLoader(lambda: Engine(params, rules, 7.5, SIZE)))
    for color, vertex in MOVES:
        client.ok(f"play {'?bw'[color]} {vertex}")
    return client


@pytest.mark.parametrize(("color", "sign"), [("w", 1), ("b", -1)])
def test_kata_raw_nn_has_all_keys(params: SearchParams, color: str, sign: int) -> None:
    client = client_of(params)
    lines = [line.split() for line in client.ok(f"kata-raw-nn {color} 0").splitlines()]
    found = {words[0]: float(words[1]) for words in lines if len(words) == 2 and words[0][0].isalpha()}
    wanted = client.loader.engine().network_look(BLACK if color == "b" else WHITE)
    assert wanted.details is not None
    assert found["whiteWin"] + found["whiteLoss"] + found["noResult"] == pytest.approx(1.0, abs=3e-6)
    assert found["noResult"] == pytest.approx(wanted.details.no_result, abs=1e-6) and found["noResult"] > 0.01
    assert found["whiteLead"] == pytest.approx(sign * wanted.lead, abs=1e-3)
    assert found["whiteScoreSelfplay"] == pytest.approx(sign * wanted.details.score, abs=1e-3)
    assert found["whiteScoreSelfplaySq"] == pytest.approx(wanted.details.score_square, abs=1e-3)
    assert found["varTimeLeft"] == pytest.approx(wanted.details.time_left, abs=1e-3)
    assert found["shorttermWinlossError"] == pytest.approx(wanted.details.win_error, abs=1e-3)
    assert found["shorttermScoreError"] == pytest.approx(wanted.details.score_error, abs=1e-3)


def root_info(params: SearchParams, words: str) -> str:
    """The first lines of kata-analyze."""
    client = Client(EngineLoader(lambda: Engine(params, CHINESE, 7.5, SIZE)))
    client.dispatcher = make_dispatcher(client.loader, "gtp_engine", "0", LateInbox(6))
    return client.ask(f"kata-analyze {words}")


def test_kata_analyze_tells_them_of_the_root(params: SearchParams) -> None:
    look = Engine(params, CHINESE, 7.5, SIZE).network_look()
    assert look.details is not None
    line = root_info(params, "b 5 rootInfo true")
    found = dict(re.findall(r"(scoreStdev|raw\w+) (\S+)", line.partition("rootInfo")[2]))
    assert set(found) == {"scoreStdev", "rawStWrError", "rawStScoreError", "rawVarTimeLeft"}
    assert float(found["rawStWrError"]) == pytest.approx(look.details.win_error, abs=1e-5)
    assert "rawSt" not in root_info(params, "b 5") + root_info(replace(params, evaluator="playouts"), "b 5 rootInfo true")


# ---------------------------------------------------------------- analysis


@pytest.mark.parametrize("whose", ["BLACK", "WHITE"])
def test_analysis_tells_them_of_the_root(params: SearchParams, whose: str) -> None:
    rules = {"ko": "SIMPLE", "scoring": "AREA", "whiteHandicapBonus": "N"}
    settings = {"reportAnalysisWinratesAs": whose, "rootNumSymmetriesToSample": 2}
    root = Conversation(params).result(rules=rules, overrideSettings=settings)["rootInfo"]
    assert set(root) >= RAW_FIELDS
    engine = Engine(params, SIMPLE_KO, 7.5, SIZE)
    looks = [engine.network_look(symmetry=symmetry) for symmetry in (0, 1)]
    details = mean_details([each.details for each in looks if each.details is not None])
    sign = 1 if whose == "BLACK" else -1
    assert root["rawLead"] == pytest.approx(sign * np.mean([each.lead for each in looks]), abs=1e-5)
    assert root["rawScoreSelfplay"] == pytest.approx(sign * details.score, abs=1e-5)
    assert root["scoreStdev"] == root["rawScoreSelfplayStdev"] == pytest.approx(details.score_deviation, abs=1e-5)
    assert root["rawNoResultProb"] == pytest.approx(details.no_result, abs=1e-5) and details.no_result > 0.01
    assert root["rawStWrError"] == pytest.approx(0.5 * details.win_error, abs=1e-5)
    assert root["rawStScoreError"] == pytest.approx(details.score_error, abs=1e-5)
    assert root["rawVarTimeLeft"] == pytest.approx(details.time_left, abs=1e-5)


def test_without_a_network_in_the_search_they_come_with_the_policy(params: SearchParams) -> None:
    playouts = replace(params, evaluator="playouts")
    assert not RAW_FIELDS & set(Conversation(playouts).result()["rootInfo"])
    result = Conversation(playouts).result(includePolicy=True)
    assert set(result["rootInfo"]) >= RAW_FIELDS and "policy" in result
    assert "policy" not in Conversation(params).result()
