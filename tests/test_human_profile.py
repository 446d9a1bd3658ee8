"""`humanSLProfile`: names of who plays; told to a human network or to ours; in analysis and over GTP. And a network's optimism."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from analysis_talk import Conversation
from conftest import Client
from hypothesis import given
from hypothesis import strategies as st
from kata_blocks import Residual
from kata_twin import Twin

from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.network.human_profile import (
    GO4GO,
    GOGOD,
    KGS,
    OFF_LEARNED_SIZE,
    HumanProfile,
    Imitation,
    rank_profile,
    read_profile,
)
from gtp_engine.engine.network.katago.players import players_of
from gtp_engine.engine.network.look import Angle, look
from gtp_engine.engine.player import EngineError
from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.ranks.chooser import RankChooser
from gtp_engine.engine.player.ranks.people import PeopleChooser
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, WHITE, from_vertex
from gtp_engine.go.rank_names import read_rank
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader

HUMAN = Twin(15, (Residual,), has_metadata=True)
PLAIN = SearchParams(memory=16, threads=1, seed=1, evaluator="playouts")


@pytest.fixture
def human(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny human network."""
    monkeypatch.setattr("gtp_engine.engine.network.katago.conversion.cache_folder", lambda: tmp_path / "cache")
    return HUMAN.save(tmp_path / "human")


@pytest.mark.parametrize(
    ("name", "black", "white", "day", "source"),
    [
        ("rank_5k", "5k", "5k", date(2020, 3, 1), KGS),
        ("rank_20k", "20k", "20k", date(2020, 3, 1), KGS),
        ("preaz_9d", "9d", "9d", date(2016, 9, 1), KGS),
        ("rank_5k_3d", "5k", "3d", date(2020, 3, 1), KGS),
        ("preaz_1d_15k", "1d", "15k", date(2016, 9, 1), KGS),
        ("proyear_1800", "9d", "9d", date(1800, 6, 1), GOGOD),
        ("proyear_2020", "9d", "9d", date(2020, 6, 1), GOGOD),
        ("proyear_2023", "9d", "9d", date(2023, 6, 1), GO4GO),
    ],
)
def test_names(name: str, black: str, white: str, day: date, source: int) -> None:
    assert read_profile(name) == HumanProfile(name, read_rank(black), read_rank(white), day, source)


@given(
    st.text(max_size=20) | st.sampled_from(["rank_21k", "rank_10d", "rank_5", "rank_5k_", "rank_5k_40k", "proyear_1799", "proyear_2024"])
)
def test_other_names_are_refused_with_the_forms_that_there_are(name: str) -> None:
    with pytest.raises(ValueError, match="is unknown: there are rank_20k to rank_9d"):
        read_profile(name)


def test_each_player_has_a_rank_of_its_own_seen_from_the_side_to_move() -> None:
    profile = read_profile("rank_5k_3d")
    black, white = (players_of(profile, color, 361) for color in (BLACK, WHITE))
    assert [int(black[start : start + 34].sum()) for start in (6, 40)] == [14, 7]
    assert [int(white[start : start + 34].sum()) for start in (6, 40)] == [7, 14]


def test_professionals_play_elsewhere_and_without_a_known_clock() -> None:
    told = players_of(read_profile("proyear_1950"), BLACK, 361)
    assert told[74:82].tolist() == [0, 1, 0, 0, 0, 0, 0, 0]
    assert np.flatnonzero(told[151:167]).tolist() == [GOGOD]
    assert told[82:86] == pytest.approx([0.4 * (np.log(60) - 6.5), -0.9, 0.5 * (np.log(2) - 1.5), 0.25 * (np.log(2) - 1.5)])


# ---------------------------------------------------------------- analysis


def talk(human: Path) -> Conversation:
    """With playouts that judge, and a human network beside them."""
    conversation = Conversation(PLAIN)
    for searcher in conversation.searchers:
        searcher._engine.evaluators.human_network = str(human)
    return conversation


def talk_about(human: Path, settings: dict[str, object]) -> list[dict[str, Any]]:
    """All messages about one query with these settings."""
    conversation = talk(human)
    conversation.ask(overrideSettings=settings)
    return conversation.finish()


def test_an_analysis_tells_what_people_play(human: Path) -> None:
    conversation = talk(human)
    fields = {"boardXSize": 7, "boardYSize": 7, "includePolicy": True, "overrideSettings": {"humanSLProfile": "rank_5k_3d"}}
    result = conversation.result(**fields)
    network = format_of(human).load(human, SearchParams(threads=1))
    wanted = look(Game(7), 7.5, network, BLACK, Angle(players=read_profile("rank_5k_3d")))
    told = result["humanPolicy"]
    assert len(told) == 50 and sum(told) == pytest.approx(1.0, abs=1e-4)
    assert told[-1] == pytest.approx(wanted.policy[PASS], abs=1e-5)
    assert result["rootInfo"]["humanWinrate"] == pytest.approx(wanted.win_rate, abs=1e-5)
    details, root = wanted.details, result["rootInfo"]
    assert details is not None
    assert root["humanScoreMean"] == pytest.approx(details.score, abs=1e-4)
    assert root["humanScoreStdev"] == pytest.approx(details.score_deviation, abs=1e-4)
    assert (root["humanStWrError"], root["humanStScoreError"]) == pytest.approx((0.5 * details.win_error, details.score_error), abs=1e-4)
    assert all(0.0 < info["humanPrior"] < 1.0 for info in result["moveInfos"])
    assert max(told) == pytest.approx(max(wanted.policy.values()), abs=1e-5)


def test_without_a_profile_nothing_of_people_is_told(human: Path) -> None:
    result = talk(human).result(overrideSettings={"humanSLProfile": ""})
    assert not any("human" in text for text in (*result, *result["rootInfo"], *result["moveInfos"][0]))


@pytest.mark.parametrize("size", [9, 13])
def test_without_a_human_network_the_included_one_knows_ranks(size: int) -> None:
    engine = Engine(PLAIN, size=size)
    weak, strong = (engine.profile_look(read_profile(name)).policy for name in ("rank_20k", "preaz_3d"))
    assert len(weak) == size * size + 1 and weak != strong
    assert engine.profile_look(read_profile("rank_20k_3d")).policy == weak, "each color is of its own rank"
    for name in ("rank_9d", "rank_5k_9d", "proyear_1950"):
        with pytest.raises(EngineError, match=r"needs a human network .*there are ranks from 20k to 3d"):
            engine.profile_look(read_profile(name))


def test_a_profile_that_nothing_here_knows_is_an_error_of_the_query() -> None:
    message = Conversation(PLAIN).result(overrideSettings={"humanSLProfile": "rank_9d"})
    assert "needs a human network" in message["error"] and message["field"] == "overrideSettings"


def test_a_query_about_ranks_off_9x9_has_one_warning() -> None:
    conversation = Conversation(PLAIN)
    asked = {"overrideSettings": {"humanSLProfile": "rank_5k"}, "moves": [["B", "C3"], ["W", "D3"]], "includePolicy": True, "maxVisits": 5}
    conversation.ask(**asked, analyzeTurns=[0, 1, 2])
    warning, *results = sorted(conversation.finish(), key=lambda message: "warning" not in message)
    assert warning == {"warning": OFF_LEARNED_SIZE, "field": "overrideSettings", "id": "q"} and "9x9 only" in OFF_LEARNED_SIZE
    assert len(results) == 3 and all(len(result["humanPolicy"]) == 26 for result in results)
    result = Conversation(PLAIN).result(**asked, boardXSize=9, boardYSize=9)
    assert len(result["humanPolicy"]) == 82


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"humanSLChosenMoveProp": 1.0, "humanSLChosenMovePiklLambda": 0.4}, "ignored: humanSLChosenMoveProp"),
        ({"humanSLRootExploreProbWeightless": 0.5, "humanSLCpuctPermanent": 2}, "ignored: humanSLRootExploreProbWeightless"),
        ({"humanSLChosenMoveIgnorePass": True, "humanSLCpuctExploration": 0.5, "humanSLPlaExploreProbWeightful": 0}, ""),
    ],
)
def test_what_a_query_may_say_of_people_s_moves(human: Path, settings: dict[str, object], word: str) -> None:
    *warnings, result = talk_about(human, {"humanSLProfile": "rank_5k", **settings})
    assert "humanWinrate" in result["rootInfo"]
    assert [message["warning"] for message in warnings] == ([f"not supported and {word}"] if word else [])


@pytest.mark.parametrize(
    ("name", "value"), [("humanSLChosenMoveProp", 2), ("humanSLChosenMoveIgnorePass", 3), ("humanSLCpuctPermanent", -1)]
)
def test_a_wrong_value_about_people_is_an_error(name: str, value: object) -> None:
    message = Conversation(PLAIN).result(overrideSettings={name: value})
    assert name in message["error"] and message["field"] == "overrideSettings"


# ---------------------------------------------------------------- GTP


def client_with(human: Path | None) -> Client:
    """A client of an engine on 7x7 with a human network beside playouts."""

    def build() -> Engine:
        engine = Engine(SearchParams(memory=16, threads=1, seed=1, evaluator="playouts", playouts=20), size=7)
        engine.evaluators.human_network = str(human) if human else ""
        return engine

    return Client(EngineLoader(build))


def test_over_gtp_the_engine_plays_like_the_people_of_the_profile(human: Path) -> None:
    gtp = client_with(human)
    assert "humanSLProfile" in gtp.ok("kata-list-params").split()
    assert gtp.ok("kata-get-param humanSLProfile") == ""
    gtp.ok("kata-set-param humanSLProfile rank_5k_3d")
    assert gtp.ok("kata-get-param humanSLProfile") == json.loads(gtp.ok("kata-get-params"))["humanSLProfile"] == "rank_5k_3d"
    assert gtp.ok("rank") == "rank_5k_3d"
    assert gtp.ok("genmove b")
    assert [model["usesHumanSLProfile"] for model in json.loads(gtp.ok("kata-get-models"))] == [True]
    assert "is unknown" in gtp.fails("kata-set-param humanSLProfile rank_30k")
    assert "is unknown" in gtp.fails('kata-set-params {"humanSLProfile": "x", "maxVisits": 7}')
    assert gtp.ok("kata-get-param maxVisits") != "7"
    gtp.ok('kata-set-params {"humanSLProfile": ""}')
    assert gtp.ok("rank") == "none"
    gtp.loader.engine()


def test_the_human_network_by_itself(human: Path) -> None:
    gtp = client_with(human)
    assert gtp.fails("kata-raw-human-nn 0") == "set humanSLProfile first"
    gtp.ok("kata-set-param humanSLProfile preaz_9d")
    lines = gtp.ok("kata-raw-human-nn b 0").splitlines()
    network = format_of(human).load(human, SearchParams(threads=1))
    wanted = look(Game(7), 7.5, network, BLACK, Angle(players=read_profile("preaz_9d")))
    assert lines[0] == "symmetry 0" and lines[1] == f"whiteWin {1.0 - wanted.win_rate:.6f}"
    assert wanted.details is not None and f"whiteScore {-wanted.details.score:.3f}" in lines
    assert f"whiteScoreSq {wanted.details.score_square:.3f}" in lines
    assert f"shorttermScoreError {wanted.details.score_error:.3f}" in lines
    assert not any(line.startswith(("whiteLead", "whiteScoreSelfplay", "varTimeLeft")) for line in lines)
    assert len(gtp.ok("kata-raw-human-nn all").split("symmetry")) == 9
    assert gtp.fails("kata-raw-human-nn 0 0.5") == "syntax error"


def test_without_a_human_network_our_own_ranks_play(human: Path) -> None:
    gtp = client_with(None)
    gtp.ok("boardsize 9")
    gtp.ok("kata-set-param humanSLProfile rank_5k")
    assert gtp.ok("rank") == "5k" and gtp.ok("kata-get-param humanSLProfile") == "rank_5k"
    assert "needs a human network" in gtp.fails("kata-set-param humanSLProfile rank_5k_4d")
    assert "needs a human network" in gtp.fails("kata-set-param humanSLProfile proyear_1950")
    gtp.ok("kata-set-param humanSLProfile rank_5k_3d")
    assert gtp.ok("rank") == "rank_5k_3d"
    gtp.ok("kata-set-param humanSLProfile")
    assert gtp.ok("rank") == "none"


def test_off_9x9_our_own_ranks_play_with_one_warning(capfd: pytest.CaptureFixture[str]) -> None:
    gtp = client_with(None)
    gtp.ok("kata-set-param humanSLProfile rank_5k_3d")
    for color in "bwb":
        gtp.ok(f"genmove {color}")
    assert capfd.readouterr().err.count(OFF_LEARNED_SIZE) == 1
    gtp = client_with(None)
    gtp.ok("boardsize 9")
    gtp.ok("kata-set-param humanSLProfile rank_5k_3d")
    gtp.ok("genmove b")
    assert OFF_LEARNED_SIZE not in capfd.readouterr().err


@pytest.mark.parametrize("network", ["human", ""])
def test_gtp_plays_what_an_analysis_predicts(human: Path, network: str) -> None:
    profile = read_profile("rank_12k_3d")
    engine = Engine(PLAIN, size=7)
    engine.evaluators.human_network = str(human) if network else ""
    chooser = PeopleChooser(profile, engine.evaluators.has_human_network(engine.params))
    for color in (BLACK, WHITE):
        game = engine.game.copy()
        played = chooser.chances(engine.state.turn(color), engine._search)
        assert played == engine.profile_look(profile).policy
        engine.state.set_game(game)
        engine.state.play(color, int(game.legal_points(color)[0]))


# ---------------------------------------------------------------- how closely people are imitated


def test_how_closely_people_are_imitated_is_set_over_gtp(human: Path) -> None:
    gtp = client_with(human)
    names = {"humanSLChosenMoveProp", "humanSLChosenMoveIgnorePass", "humanSLChosenMovePiklLambda"}
    assert names <= set(gtp.ok("kata-list-params").split())
    gtp.ok("kata-set-param humanSLChosenMovePiklLambda 0.5")
    gtp.ok('kata-set-params {"humanSLProfile": "rank_5k", "humanSLChosenMoveProp": 0.25, "humanSLChosenMoveIgnorePass": false}')
    assert [gtp.ok(f"kata-get-param {name}") for name in sorted(names)] == ["false", "0.5", "0.25"]
    chooser = gtp.loader.engine().chooser
    assert isinstance(chooser, PeopleChooser) and chooser.imitation == Imitation(0.25, True, 0.5)
    gtp.ok("kata-set-param humanSLChosenMoveProp 1")
    assert gtp.ok("kata-get-param humanSLProfile") == "rank_5k"
    chooser = gtp.loader.engine().chooser
    assert isinstance(chooser, PeopleChooser) and chooser.imitation == Imitation(1.0, True, 0.5)
    assert "from 0 to 1" in gtp.fails("kata-set-param humanSLChosenMoveProp 2")
    gtp.ok("kata-set-params " + json.dumps({"humanSLRootExploreProbWeightless": 0.0, "humanSLCpuctPermanent": 2.0}))
    assert gtp.ok("kata-get-param humanSLCpuctPermanent") == "0.0"
    assert gtp.fails("kata-set-param humanSLRootExploreProbWeightless 0.5").endswith("is not supported here, except as 0.0")


def chosen(imitation: Imitation, chances: dict[int, float], monkeypatch: pytest.MonkeyPatch, turns: int = 60) -> list[int]:
    """What is played on an empty board with several seeds, when people play with these chances."""
    monkeypatch.setattr(RankChooser, "chances", lambda *_: dict(chances))
    engine = Engine(replace(PLAIN, playouts=30), size=9)
    points = []
    for seed in range(turns):
        engine.seed = seed
        chooser = PeopleChooser(read_profile("rank_15k"), False, imitation)
        points.append(chooser.choose(engine.state.turn(BLACK), Limits(30), None, engine._search).candidates[0].point)
    return points


def test_a_share_of_the_moves_is_the_engines_own(monkeypatch: pytest.MonkeyPatch) -> None:
    corner = from_vertex("A1", 9)
    counts = [chosen(Imitation(share), {corner: 1.0}, monkeypatch).count(corner) for share in (1.0, 0.5, 0.0)]
    assert counts[0] == 60 and 15 <= counts[1] <= 45 and counts[2] == 0
    params = PeopleChooser(read_profile("rank_15k"), False, Imitation(0.5)).search_params(PLAIN)
    assert params == PLAIN, "its own moves are found by its own search"


def test_passes_are_played_when_they_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    chances = {PASS: 0.5, from_vertex("E5", 9): 0.5}
    assert chosen(Imitation(), chances, monkeypatch).count(PASS) == 0
    assert 15 <= chosen(Imitation(passes=True), chances, monkeypatch).count(PASS) <= 45


def test_a_small_tolerance_avoids_losing_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The corner of an empty board is worse than its middle."""
    chances = {from_vertex("A1", 9): 0.8, from_vertex("E5", 9): 0.2}
    plain, careful = (chosen(Imitation(tolerance=each), chances, monkeypatch).count(from_vertex("A1", 9)) for each in (1e9, 0.05))
    assert careful < plain / 2


# ---------------------------------------------------------------- optimism


def test_optimism_is_the_share_of_the_second_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gtp_engine.engine.network.katago.conversion.cache_folder", lambda: tmp_path / "cache")
    path = Twin(15, (Residual,)).save(tmp_path / "plain")
    network, game = format_of(path).load(path, SearchParams(threads=1)), Game(7)
    logits = [
        {point: np.log(share) for point, share in look(game, 7.0, network, BLACK, Angle(optimism=optimism)).policy.items()}
        for optimism in (None, 0.0, 0.2, 1.0)
    ]
    usual, none, little, whole = ({point: value - each[min(each)] for point, value in each.items()} for each in logits)
    assert usual == pytest.approx(little), "as at the root of a search"
    assert none != pytest.approx(whole, abs=1e-3)
    assert little == pytest.approx({point: none[point] + 0.2 * (whole[point] - none[point]) for point in none}, abs=1e-3)


def test_ranks_of_a_profile() -> None:
    assert rank_profile(read_rank("5k")).ranks(BLACK) == (25, 25)
