"""Several positions at once, actions and errors of the analysis engine in this process."""

import json
import threading
from pathlib import Path
from typing import Any

import analysis_talk
import pytest
from analysis_talk import NO_END, PARAMS, QUERY, SIZE, Conversation, is_final

from gtp_engine.engine.search.params import SearchParams
from gtp_engine.interfaces.analysis.protocol import LineWriter
from gtp_engine.interfaces.analysis.searcher import QueriedPosition, Searcher, Send

talk, network_params = analysis_talk.talk, analysis_talk.network_params  # fixtures

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


def test_the_first_report_may_come_at_another_time(talk: Conversation) -> None:
    talk.ask(maxVisits=NO_END, reportDuringSearchEvery=1000, firstReportDuringSearchAfter=0.02)
    talk.wait(lambda message: message["isDuringSearch"])
    talk.say(id="t", action="terminate_all")
    assert [message["isDuringSearch"] for message in talk.finish() if message["id"] == "q"] == [True, False]


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
    assert len(talk.pool._waiting) == 1  # what was given up takes no more memory
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

    def search_or_fail(self: Searcher, position: QueriedPosition, send: Send, cancelled: threading.Event) -> None:
        if position.query.id == "bad":
            raise RuntimeError("broken")
        search(self, position, send, cancelled)

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

        def send_some() -> None:
            for _ in range(50):
                writer.send({"id": "x" * 5000})

        threads = [threading.Thread(target=send_some) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    lines = (tmp_path / "out").read_text().splitlines()
    assert lines == ['{"id":"' + "x" * 5000 + '"}'] * 200
