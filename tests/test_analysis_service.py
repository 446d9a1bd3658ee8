"""The analysis engine in this process: real searches, on boards small enough to wait for."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from networks import save_network

from gtp_engine.analysis.pool import Pool
from gtp_engine.analysis.protocol import LineWriter
from gtp_engine.analysis.query import FLAGS, Report
from gtp_engine.analysis.searcher import Position, Searcher, Send
from gtp_engine.analysis.service import Identity, Service
from gtp_engine.go.points import BLACK, to_vertex
from gtp_engine.go.rules import CHINESE
from gtp_engine.player.engine import Engine
from gtp_engine.search.params import SearchParams
from gtp_engine.search.search import Limits

SIZE = 5
PARAMS = SearchParams(memory=16, threads=1, seed=1, evaluator="playouts")
QUERY: dict[str, Any] = {"id": "q", "moves": [], "rules": "chinese", "boardXSize": SIZE, "boardYSize": SIZE, "maxVisits": 40}
NO_END = 10**9  # visits
PATIENCE = 60  # seconds for a message on a busy machine


class Conversation:
    """A service whose messages are kept as they come."""

    def __init__(self, params: SearchParams, positions: int = 1) -> None:
        self.messages: list[dict[str, Any]] = []
        self.errors: list[BaseException] = []
        self._came = threading.Condition()
        self.searchers = [Searcher(Engine(params)) for _ in range(positions)]
        self.pool = Pool(self.searchers, self.take, self.errors.append)
        self.service = Service(self.pool, self.take, Identity("1.2.3", [{"name": "net"}]), Report())

    def take(self, message: dict[str, Any]) -> None:
        """What the service sends; it must be JSON."""
        with self._came:
            self.messages.append(json.loads(json.dumps(message, allow_nan=False)))
            self._came.notify_all()

    def say(self, **fields: Any) -> None:
        """Send a line."""
        self.service.answer(json.dumps(fields))

    def ask(self, **fields: Any) -> None:
        """Send a query with these fields besides those of QUERY."""
        self.say(**QUERY | fields)

    def wait(self, is_there: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first message like that, as soon as it comes."""
        with self._came:
            assert self._came.wait_for(lambda: any(map(is_there, self.messages)), PATIENCE), self.messages
            return next(filter(is_there, self.messages))

    def finish(self) -> list[dict[str, Any]]:
        """All messages, when the work is done."""
        self.pool.finish()
        assert self.errors == []
        return self.messages

    def result(self, **fields: Any) -> dict[str, Any]:
        """The one message that answers a query."""
        self.ask(**fields)
        (message,) = self.finish()
        return message


@pytest.fixture
def talk() -> Iterator[Conversation]:
    """A service of one position at a time, with playouts."""
    conversation = Conversation(PARAMS)
    yield conversation
    conversation.pool.abandon()


@pytest.fixture
def network_params(tmp_path: Path) -> SearchParams:
    """Parameters of a search with a tiny network."""
    save_network(tmp_path / "tiny.onnx")
    return replace(PARAMS, network=str(tmp_path / "tiny.onnx"), evaluator="network")


def is_final(message: dict[str, Any]) -> bool:
    """Does this message end its position?"""
    return message.get("isDuringSearch") is False


# ---------------------------------------------------------------- results

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


@pytest.mark.parametrize(("to_move", "whose", "is_turned"), [("B", "BLACK", False), ("W", "BLACK", True), ("B", "WHITE", True), ("W", "", False)])
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
    looks = [engine.network_look(symmetry) for symmetry in range(8)]
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


# ---------------------------------------------------------------- several positions


def test_turns_of_a_game_in_order_of_priority(talk: Conversation) -> None:
    talk.ask(id="busy", maxVisits=NO_END)
    talk.ask(id="later", priority=-1)
    talk.ask(moves=[["B", "C3"], ["W", "C4"]], analyzeTurns=[0, 1, 2], priorities=[1, 9, 5])
    talk.ask(id="same", priority=5)
    talk.say(id="t", action="terminate", terminateId="busy")
    done = [(message["id"], message["turnNumber"]) for message in talk.finish() if is_final(message)]
    assert done == [("busy", 0), ("q", 1), ("q", 2), ("same", 0), ("q", 0), ("later", 0)]


def test_several_positions_at_once() -> None:
    talk = Conversation(PARAMS, positions=3)
    for name in "abc":
        talk.ask(id=name, maxVisits=NO_END, reportDuringSearchEvery=0.01)
    for name in "abc":
        talk.wait(lambda message, name=name: message["id"] == name and message["isDuringSearch"])  # type: ignore[misc]  # bound at once
    talk.say(id="t", action="terminate_all")
    assert sorted(message["id"] for message in talk.finish() if is_final(message)) == ["a", "b", "c"]


def test_each_position_has_a_tree_of_its_own(talk: Conversation) -> None:
    """Asked again, a position is searched from scratch: all visits are new, as the reports on the way show."""
    for name in ("first", "second"):
        talk.ask(id=name, maxVisits=3000, reportDuringSearchEvery=0.001)
    messages = talk.finish()
    assert min(message["rootInfo"]["visits"] for message in messages if message["id"] == "second") < 3000


def test_reports_during_the_search(talk: Conversation) -> None:
    talk.ask(maxVisits=NO_END, reportDuringSearchEvery=0.02, includeOwnership=True)
    first = talk.wait(lambda message: message.get("isDuringSearch") is True)
    assert first["rootInfo"]["visits"] > 0
    assert len(first["ownership"]) == SIZE * SIZE
    talk.say(id="t", action="terminate_all")
    messages = [message for message in talk.finish() if message["id"] == "q"]
    assert [is_final(message) for message in messages] == [False] * (len(messages) - 1) + [True]
    visits = [message["rootInfo"]["visits"] for message in messages]
    assert visits == sorted(visits)


# ---------------------------------------------------------------- actions


def test_actions_repeat_the_message(talk: Conversation) -> None:
    talk.say(id="v", action="query_version", extra=[1])
    talk.say(id="m", action="query_models")
    talk.say(id="c", action="clear_cache")
    talk.say(id="t", action="terminate", terminateId="nobody", turnNumbers=[1])
    talk.say(id="a", action="terminate_all")
    assert talk.finish() == [
        {"id": "v", "action": "query_version", "extra": [1], "version": "1.2.3", "git_hash": "<omitted>"},
        {"id": "m", "action": "query_models", "models": [{"name": "net"}]},
        {"id": "c", "action": "clear_cache"},
        {"id": "t", "action": "terminate", "terminateId": "nobody", "turnNumbers": [1]},
        {"id": "a", "action": "terminate_all"},
    ]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"action": "dance"}, "action"),
        ({"action": 7}, "action"),
        ({"action": "terminate"}, "terminateId"),
        ({"action": "terminate", "terminateId": "q", "turnNumbers": 1}, "turnNumbers"),
        ({"action": "terminate_all", "turnNumbers": ["1"]}, "turnNumbers"),
    ],
)
def test_actions_that_cannot_be_done(talk: Conversation, fields: dict[str, Any], field: str) -> None:
    talk.say(id="x", **fields)
    (message,) = talk.finish()
    assert (message["id"], message["field"]) == ("x", field)
    assert message["error"]


def test_terminated_positions_end_with_what_was_found_or_with_nothing(talk: Conversation) -> None:
    talk.ask(id="under way", maxVisits=NO_END, reportDuringSearchEvery=0.01)
    talk.wait(lambda message: message["isDuringSearch"])
    talk.ask(id="waiting", moves=[["B", "C3"], ["W", "C4"]], analyzeTurns=[0, 1, 2])
    talk.say(id="t1", action="terminate", terminateId="waiting", turnNumbers=[0, 2])
    talk.say(id="t2", action="terminate", terminateId="waiting", turnNumbers=[0])
    talk.say(id="t3", action="terminate", terminateId="under way")
    messages = talk.finish()
    ends = {(message["id"], message["turnNumber"]): message for message in messages if is_final(message)}
    assert sum(map(is_final, messages)) == len(ends) == 4
    nothing = {"isDuringSearch": False, "noResults": True}
    assert ends["waiting", 0] == {"id": "waiting", "turnNumber": 0} | nothing
    assert ends["waiting", 2] == {"id": "waiting", "turnNumber": 2} | nothing
    assert "noResults" not in ends["waiting", 1]
    assert ends["under way", 0]["rootInfo"]["visits"] > 0


def test_a_cleared_cache_is_filled_anew(network_params: SearchParams) -> None:
    talk = Conversation(network_params)
    asked = []
    for name in ("first", "second", "third"):
        talk.ask(id=name, overrideSettings={})
        talk.wait(lambda message, name=name: message["id"] == name)  # type: ignore[misc]  # bound at once
        evaluator: Any = talk.searchers[0]._engine._search._search._evaluator
        asked.append(evaluator.asked())
        if name == "second":
            talk.say(id="c", action="clear_cache")
    talk.finish()
    assert asked[0] > 0
    assert asked[1] - asked[0] < asked[0] / 2 < asked[2] - asked[1]


# ---------------------------------------------------------------- what goes wrong


def test_errors_end_no_conversation(talk: Conversation) -> None:
    for line in ('{"id": "a"', "[]", "{}", "nonsense\x00", json.dumps(QUERY | {"komi": "high"})):
        talk.service.answer(line)
    talk.ask(id="illegal", moves=[["B", "C3"], ["W", "C3"]], analyzeTurns=[0, 1])
    talk.ask(id="stones", initialStones=[["B", "A1"], ["W", "A2"], ["W", "B1"]])
    talk.ask(id="good")
    *errors, result = talk.finish()
    assert [(each.get("id"), each.get("field")) for each in errors] == [
        *[(None, None)] * 4,
        ("q", "komi"),
        ("illegal", "moves"),
        ("stones", "initialStones"),
    ]
    assert "Illegal move 1" in errors[5]["error"], "KaTrain looks for these words"
    assert result["id"] == "good"


def test_warnings_come_before_the_result(talk: Conversation) -> None:
    talk.ask(rules="aga-button", maxvisits=3)
    first, second, result = talk.finish()
    assert (first["field"], second["field"], result["id"]) == ("rules", "maxvisits", "q")
    assert first["warning"] and second["warning"] and is_final(result)


def test_what_goes_wrong_in_a_search_ends_its_query_only(talk: Conversation, monkeypatch: pytest.MonkeyPatch) -> None:
    search = Searcher.search

    def search_or_fail(self: Searcher, position: Position, send: Send) -> None:
        if position.query.id == "bad":
            raise RuntimeError("broken")
        search(self, position, send)

    monkeypatch.setattr(Searcher, "search", search_or_fail)
    talk.ask(id="bad")
    talk.ask(id="good")
    bad, good = talk.finish()
    assert (bad["id"], bad["error"]) == ("bad", "internal error: RuntimeError: broken")
    assert is_final(good)


def test_blank_lines_and_bytes_that_are_no_text(talk: Conversation) -> None:
    talk.service.run([b"\n", b"  \r\n", b"\xff\xfe\n", json.dumps(QUERY).encode() + b"\r\n"])
    error, result = talk.finish()
    assert "error" in error and is_final(result)


def test_lines_are_whole(tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as sink:
        writer = LineWriter(sink)
        threads = [threading.Thread(target=lambda: [writer.send({"id": "x" * 5000}) for _ in range(50)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    lines = (tmp_path / "out").read_text().splitlines()
    assert lines == ['{"id":"' + "x" * 5000 + '"}'] * 200


