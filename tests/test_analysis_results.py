"""Results of the analysis engine: real searches, on boards small enough to wait for."""

import analysis_talk
import numpy as np
import pytest
from analysis_talk import NO_END, PARAMS, SIZE, Conversation

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.points import BLACK, to_vertex
from gtp_engine.go.rules import CHINESE
from gtp_engine.interfaces.analysis.query import FLAGS

talk, network_params = analysis_talk.talk, analysis_talk.network_params  # fixtures

MOVE_FIELDS = {
    *("move", "visits", "edgeVisits", "winrate", "scoreMean", "scoreLead", "scoreSelfplay", "prior", "utility", "lcb", "utilityLcb"),
    *("weight", "edgeWeight", "order", "playSelectionValue", "pv"),
}
ROOT_FIELDS = {
    *("winrate", "lcb", "utility", "utilityLcb", "scoreLead", "scoreMean", "scoreSelfplay", "weight", "visits"),
    *("thisHash", "symHash", "currentPlayer"),
}


def test_a_plain_result_has_the_documented_fields(talk: Conversation) -> None:
    result = talk.result()
    assert set(result) == {"id", "turnNumber", "isDuringSearch", "moveInfos", "rootInfo"}
    assert (result["id"], result["turnNumber"], result["isDuringSearch"]) == ("q", 0, False)
    assert set(result["rootInfo"]) == ROOT_FIELDS
    assert result["rootInfo"]["visits"] == 40
    for order, info in enumerate(result["moveInfos"]):
        assert set(info) == MOVE_FIELDS
        assert info["order"] == order
        assert info["pv"][0] == info["move"]
        assert 0.0 <= info["lcb"] <= info["winrate"] <= 1.0


def test_every_flag_adds_its_field(talk: Conversation) -> None:
    result = talk.result(**dict.fromkeys(FLAGS, True))
    assert {"ownership", "ownershipStdev", "policy"} <= set(result)
    best = result["moveInfos"][0]
    assert {"ownership", "ownershipStdev", "pvVisits", "pvEdgeVisits", "noResultValue"} <= set(best)
    assert best["pvVisits"][0] == best["visits"]
    assert len(best["pvVisits"]) == len(best["pv"])
    for values in (result["ownership"], best["ownership"]):
        assert len(values) == SIZE * SIZE and all(-1.0 <= value <= 1.0 for value in values)
    assert all(0.0 <= value <= 1.0 for value in result["ownershipStdev"])


def test_it_is_the_search_of_the_engine(talk: Conversation) -> None:
    """The same seed, the same visits: what the engine finds by itself."""
    result = talk.result(moves=[["B", "C3"], ["W", "C4"]])
    engine = Engine(PARAMS, CHINESE, 7.5, SIZE)
    for color, point in ((1, 63), (2, 83)):
        engine.state.play(color, point)
    expected = engine.examine(BLACK, Limits(simulations=40))
    assert [(info["move"], info["visits"]) for info in result["moveInfos"]] == [
        (to_vertex(each.point), each.visits) for each in expected.candidates
    ]
    assert result["rootInfo"]["winrate"] == pytest.approx(expected.win_rate, abs=1e-6)
    assert result["rootInfo"]["scoreLead"] == pytest.approx(expected.score, abs=1e-6)


def test_ownership_starts_at_the_top_left(talk: Conversation) -> None:
    stones = [["B", f"{letter}{row}"] for letter in "ABCDE" for row in (4, 5) if (letter, row) not in (("A", 5), ("E", 5))]
    stones += [["W", f"{letter}{row}"] for letter in "ABCDE" for row in (1, 2) if (letter, row) not in (("A", 1), ("E", 1))]
    result = talk.result(initialStones=stones, initialPlayer="B", includeOwnership=True)
    assert min(result["ownership"][:10]) > 0.8
    assert max(result["ownership"][-10:]) < -0.8


@pytest.mark.parametrize(
    ("to_move", "whose", "is_turned"), [("B", "BLACK", False), ("W", "BLACK", True), ("B", "WHITE", True), ("W", "", False)]
)
def test_numbers_are_from_the_side_that_was_asked_for(to_move: str, whose: str, is_turned: bool) -> None:
    fields = {"initialPlayer": to_move, "komi": -40, "includeOwnership": True, "includeMovesOwnership": True}
    plain = Conversation(PARAMS).result(**fields)
    turned = Conversation(PARAMS).result(**fields, overrideSettings={"reportAnalysisWinratesAs": whose} if whose else {})
    for side, other in ((plain["rootInfo"], turned["rootInfo"]), (plain["moveInfos"][0], turned["moveInfos"][0])):
        for name, whole in (("winrate", 1.0), ("lcb", 1.0), ("scoreLead", 0.0), ("utility", 0.0)):
            assert other[name] == pytest.approx(whole - side[name] if is_turned else side[name], abs=2e-6)
    sign = -1 if is_turned else 1
    assert turned["ownership"] == [sign * value for value in plain["ownership"]]
    assert turned["moveInfos"][0]["ownership"] == [sign * value for value in plain["moveInfos"][0]["ownership"]]
    assert (plain["rootInfo"]["winrate"] > 0.5) == (to_move == "B")


def test_the_length_of_variations(talk: Conversation) -> None:
    result = talk.result(maxVisits=400, analysisPVLen=1, includePVVisits=True)
    assert len(result["moveInfos"][0]["pv"]) == len(result["moveInfos"][0]["pvVisits"]) == 2


def test_one_visit_is_enough_for_a_policy(talk: Conversation) -> None:
    result = talk.result(maxVisits=1, includePolicy=True)
    assert result["rootInfo"]["visits"] == 1
    assert sum(info["visits"] for info in result["moveInfos"]) <= 1
    assert sum(result["policy"]) == pytest.approx(1.0, abs=1e-4)


def test_the_policy_is_the_networks_in_every_orientation(network_params: SearchParams) -> None:
    talk = Conversation(network_params)
    moves = [["B", "C3"], ["W", "C4"]]
    talk.ask(id="one", moves=moves, includePolicy=True)
    talk.ask(id="all", moves=moves, includePolicy=True, overrideSettings={"rootNumSymmetriesToSample": 8})
    one, every = sorted(talk.finish(), key=lambda message: message["id"], reverse=True)
    engine = Engine(network_params, CHINESE, 7.5, SIZE)
    for color, point in ((1, 63), (2, 83)):
        engine.state.play(color, point)
    looks = [engine.network_look(symmetry=symmetry) for symmetry in range(8)]
    order = [row * 20 + column for row in range(SIZE, 0, -1) for column in range(1, SIZE + 1)] + [1]
    assert one["policy"] == [pytest.approx(looks[0].policy.get(point, -1.0), abs=1e-3) for point in order]
    mean = [np.mean([look.policy[point] for look in looks]) if point in looks[0].policy else -1.0 for point in order]
    assert every["policy"] == [pytest.approx(value, abs=1e-2) for value in mean]
    assert sum(value for value in one["policy"] if value >= 0.0) == pytest.approx(1.0, abs=1e-4)
    assert {"rawWinrate", "rawLead", "rawScoreSelfplay", "rawNoResultProb"} <= set(one["rootInfo"])


def test_a_temperature_at_the_root_flattens_the_priors(network_params: SearchParams) -> None:
    talk = Conversation(network_params)
    for name, temperature in (("plain", 1.0), ("wide", 3.0), ("narrow", 0.3)):
        talk.ask(id=name, rootPolicyTemperature=temperature, maxVisits=100)
    highest = {message["id"]: max(info["prior"] for info in message["moveInfos"]) for message in talk.finish()}
    assert highest["wide"] < highest["plain"] < highest["narrow"]


def test_hashes_name_positions(talk: Conversation) -> None:
    games = {
        "start": [],
        "corner": [["B", "B2"]],
        "other corner": [["B", "D4"]],
        "again": [["B", "D4"]],
        "two": [["B", "B2"], ["W", "C3"]],
        "passed": [["B", "B2"], ["W", "pass"]],
    }
    for name, moves in games.items():
        talk.ask(id=name, moves=moves, maxVisits=2)
    own = {message["id"]: message["rootInfo"]["thisHash"] for message in talk.finish()}
    symmetric = {message["id"]: message["rootInfo"]["symHash"] for message in talk.messages}
    assert own["other corner"] == own["again"] != own["corner"]
    assert symmetric["corner"] == symmetric["other corner"]
    assert len(set(symmetric.values())) == 4
    assert {message["rootInfo"]["currentPlayer"] for message in talk.messages if message["id"] == "corner"} == {"W"}


def test_who_begins(talk: Conversation) -> None:
    """Black stones alone are a handicap, so White does."""
    talk.ask(id="handicap", initialStones=[["B", "B2"], ["B", "D4"]])
    talk.ask(id="white", initialStones=[["W", "B2"]])
    talk.ask(id="first move", initialStones=[["W", "B2"]], moves=[["W", "C3"]], analyzeTurns=[0])
    talk.ask(id="said", initialStones=[["W", "B2"]], moves=[["W", "C3"]], analyzeTurns=[0], initialPlayer="B")
    players = {message["id"]: message["rootInfo"]["currentPlayer"] for message in talk.finish()}
    assert players == {"handicap": "W", "white": "B", "first move": "W", "said": "B"}


@pytest.mark.parametrize(("bonus", "points"), [("N", 2.5), ("N-1", 1.5), ("0", 0.5)])
def test_white_is_paid_for_a_handicap(talk: Conversation, bonus: str, points: float) -> None:
    talk.result(initialStones=[["B", "B2"], ["B", "D4"]], whiteHandicapBonus=bonus, komi=0.5)
    assert talk.searchers[0]._engine.state.white_points() == points


def test_avoided_and_allowed_moves(talk: Conversation) -> None:
    avoided = [{"player": "B", "moves": ["C3", "B2"], "untilDepth": 1}]
    allowed = [{"player": "B", "moves": ["A1", "E5"], "untilDepth": 1}]
    talk.ask(id="avoided", avoidMoves=avoided, maxVisits=200)
    talk.ask(id="allowed", allowMoves=allowed, maxVisits=200)
    found = {message["id"]: {info["move"] for info in message["moveInfos"]} for message in talk.finish()}
    assert not found["avoided"] & {"C3", "B2"}
    assert found["allowed"] == {"A1", "E5"}


def test_time_ends_a_search(talk: Conversation) -> None:
    result = talk.result(maxVisits=NO_END, overrideSettings={"maxTime": 0.05})
    assert 1 <= result["rootInfo"]["visits"] < NO_END
