"""KataGo's analysis queries, field by field: what each is read as, and how it is refused. No search."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_engine.engine.config.katago_names import KATAGO_NAMES, MOST_VISITS, NEUTRAL
from gtp_engine.engine.config.sources import SETTINGS
from gtp_engine.go.points import BLACK, PASS, WHITE, board_points, from_vertex
from gtp_engine.go.rules import AGA, CHINESE, JAPANESE, NEW_ZEALAND, TROMP_TAYLOR, HandicapBonus, Ko
from gtp_engine.interfaces.analysis.overrides import SIDE_TO_MOVE, read_overrides
from gtp_engine.interfaces.analysis.protocol import Refusal, error_message, id_of, parse
from gtp_engine.interfaces.analysis.query import FIELDS, FLAGS, Query, ReportOptions, read_query
from gtp_engine.interfaces.analysis.searcher import Replay, positions_of

SIZE = 5
NOT_ANALYSIS = {"temperature", "resign", "resign_threshold", "resign_moves", "ponder"}  # parameters of play
LEAST: dict[str, Any] = {"id": "q", "moves": [], "rules": "chinese", "boardXSize": SIZE, "boardYSize": SIZE}
MOVES = [["B", "C3"], ["w", "pass"], ["B", "A1"]]


def point(vertex: str) -> int:
    """The point on the board of these tests."""
    return from_vertex(vertex, SIZE)


def query(**fields: Any) -> Query:
    """The query with these fields besides the required ones; None takes one away."""
    message = {name: value for name, value in (LEAST | fields).items() if value is not None}
    return read_query(message, ReportOptions())


def refused(**fields: Any) -> tuple[str | None, str]:
    """Field and text of the refusal of such a query."""
    with pytest.raises(Refusal) as refusal:
        query(**fields)
    return refusal.value.field, str(refusal.value)


# Every field that KataGo documents: a value, and what must come of it. Several lines where several things may come of it.
READ: list[tuple[str, Any, Callable[[Query], bool]]] = [
    ("id", "name", lambda read: read.id == "name"),
    ("moves", MOVES, lambda read: read.moves == [(BLACK, point("C3")), (WHITE, PASS), (BLACK, point("A1"))]),
    ("moves", [["B", "(0,4)"], ["W", "(4,0)"]], lambda read: read.moves == [(BLACK, point("A1")), (WHITE, point("E5"))]),
    ("initialStones", [["B", "B2"], ["W", "C2"]], lambda read: read.stones == {point("B2"): BLACK, point("C2"): WHITE}),
    ("initialPlayer", "W", lambda read: read.first_player == WHITE),
    ("rules", "japanese", lambda read: read.rules is JAPANESE and read.komi == 6.5),
    ("rules", "new zealand", lambda read: read.rules is NEW_ZEALAND),
    ("rules", "Korean", lambda read: read.rules is JAPANESE),
    ("rules", "bga", lambda read: read.rules is AGA),
    ("rules", "chinese-kgs", lambda read: read.rules is CHINESE and not read.warnings),
    ("rules", "stone_scoring", lambda read: read.rules is CHINESE and read.warnings[0][1] == "rules"),
    ("rules", {"friendlyPassOk": False, "suicide": True, "whiteHandicapBonus": "0"}, lambda read: read.rules is TROMP_TAYLOR),
    ("rules", {"ko": "SIMPLE"}, lambda read: read.rules.ko is Ko.SIMPLE),
    ("komi", -3.5, lambda read: read.komi == -3.5),
    ("komi", None, lambda read: read.komi == 7.5),
    ("whiteHandicapBonus", "N-1", lambda read: read.rules.handicap_bonus is HandicapBonus.ONE_LESS),
    ("whiteHandicapBonus", 0, lambda read: read.rules.handicap_bonus is HandicapBonus.NONE),
    ("boardXSize", SIZE, lambda read: read.size == SIZE),
    ("boardYSize", SIZE, lambda read: read.size == SIZE),
    ("analyzeTurns", [0], lambda read: read.turns == {0: 0}),
    ("analyzeTurns", None, lambda read: read.turns == {0: 0}),
    ("maxVisits", 77, lambda read: read.settings == {"playouts": 77}),
    ("maxVisits", MOST_VISITS, lambda read: read.settings == {"playouts": 0}),
    ("rootPolicyTemperature", 1.5, lambda read: read.settings == {"root_temperature": 1.5}),
    ("rootFpuReductionMax", 0.2, lambda read: read.settings == {"root_untried_reduction": 0.1}),
    ("analysisPVLen", 3, lambda read: read.report.variation_length == 3),
    *[(flag, True, lambda read, flag=flag: read.report.flags == {flag}) for flag in FLAGS],
    *[(flag, False, lambda read: not read.report.flags) for flag in FLAGS],
    (
        "avoidMoves",
        [{"player": "B", "moves": ["A1", "pass"], "untilDepth": 2}, {"player": "B", "moves": ["A1"], "untilDepth": 7}],
        lambda read: read.avoid == {(BLACK, point("A1")): 7, (BLACK, PASS): 2},
    ),
    (
        "allowMoves",
        [{"player": "W", "moves": ["A1", "B1"], "untilDepth": 1}],
        lambda read: read.avoid == {(WHITE, each): 1 for each in {*board_points(SIZE), PASS} - {point("A1"), point("B1")}},
    ),
    ("overrideSettings", {"maxTime": 0.5, "wideRootNoise": "0.04"}, lambda read: read.settings == {"seconds": 0.5, "root_noise": 0.04}),
    ("overrideSettings", {"reportAnalysisWinratesAs": "White"}, lambda read: read.report.perspective == WHITE),
    ("reportDuringSearchEvery", 0.25, lambda read: (read.report.every, read.report.first) == (0.25, None)),
    ("firstReportDuringSearchAfter", 0.25, lambda read: read.report.first == 0.25),
    ("priority", -5, lambda read: read.turns == {0: -5}),
]


@pytest.mark.parametrize(("name", "value", "is_right"), READ)
def test_every_field_is_read(name: str, value: Any, is_right: Callable[[Query], bool]) -> None:
    assert is_right(query(**{name: value}))


def test_the_table_has_every_field() -> None:
    assert {name for name, _, _ in READ} | {"priorities"} == set(FIELDS)


def test_turns_have_priorities_of_their_own() -> None:
    assert query(moves=MOVES, analyzeTurns=[3, 1], priorities=[5, 6]).turns == {1: 6, 3: 5}
    assert query(moves=MOVES, analyzeTurns=[3, 1], priority=4).turns == {1: 4, 3: 4}
    assert query(moves=MOVES).turns == {3: 0}


# field to blame, a word of the text, the query's fields
REFUSED: list[tuple[str, str, dict[str, Any]]] = [
    ("moves", "list", {"moves": None}),
    ("moves", "pairs", {"moves": ["B"]}),
    ("moves", "vertex", {"moves": [["B", "F6"]]}),
    ("moves", "vertex", {"moves": [["B", "(5,0)"]]}),
    ("moves", "vertex", {"moves": [["B", 3]]}),
    ("moves", "player", {"moves": [["X", "A1"]]}),
    ("initialStones", "pass", {"initialStones": [["B", "pass"]]}),
    ("initialStones", "two stones of different colors on C3", {"initialStones": [["B", "C3"], ["B", "A1"], ["W", "C3"]]}),
    ("initialPlayer", "player", {"initialPlayer": 1}),
    ("rules", "object", {"rules": None}),
    ("rules", "unknown rules", {"rules": "mine"}),
    ("rules", "unknown rules", {"rules": "mine", "whiteHandicapBonus": "N"}),
    ("rules", "ko must be one of SIMPLE, POSITIONAL, SITUATIONAL, SPIGHT, not 'MINE'", {"rules": {"ko": "MINE"}}),
    ("rules", "scoring must be one of", {"rules": {"score": "MINE"}}),
    ("rules", "tax must be one of NONE, SEKI, ALL, not 'MINE'", {"rules": {"tax": "MINE"}}),
    ("rules", "whiteHandicapBonus must be one of", {"rules": {"whiteHandicapBonus": "N+1"}}),
    ("rules", "suicide must be true or false", {"rules": {"suicide": 1}}),
    ("rules", "ko must be a text", {"rules": {"ko": True}}),
    ("komi", "half", {"komi": 7.25}),
    ("komi", "400", {"komi": 401}),
    ("komi", "number", {"komi": "7.5"}),
    ("whiteHandicapBonus", "N+1", {"whiteHandicapBonus": "N+1"}),
    ("boardXSize", "whole number", {"boardXSize": None}),
    ("boardXSize", "19", {"boardXSize": 20}),
    ("boardYSize", "square", {"boardYSize": SIZE + 1}),
    ("boardYSize", "whole number", {"boardYSize": True}),
    ("analyzeTurns", "no turn 1", {"analyzeTurns": [1]}),
    ("analyzeTurns", "one turn at least", {"analyzeTurns": []}),
    ("analyzeTurns", "whole numbers", {"analyzeTurns": ["0"]}),
    ("maxVisits", "from 1", {"maxVisits": 0}),
    ("rootPolicyTemperature", "0.01", {"rootPolicyTemperature": 0}),
    ("rootFpuReductionMax", "from 0", {"rootFpuReductionMax": -1}),
    ("analysisPVLen", "1000", {"analysisPVLen": 0}),
    *[(flag, "true or false", {flag: 1}) for flag in FLAGS],
    ("avoidMoves", "untilDepth", {"avoidMoves": [{"player": "B", "moves": ["A1"]}]}),
    ("avoidMoves", "1 or more", {"avoidMoves": [{"player": "B", "moves": ["A1"], "untilDepth": 0}]}),
    ("avoidMoves", "player", {"avoidMoves": [{"moves": ["A1"], "untilDepth": 1}]}),
    ("avoidMoves", "list", {"avoidMoves": {}}),
    ("allowMoves", "not both", {"avoidMoves": [], "allowMoves": []}),
    ("allowMoves", "once", {"allowMoves": [{"player": "B", "moves": ["A1"], "untilDepth": 1}] * 2}),
    ("overrideSettings", "object", {"overrideSettings": []}),
    ("overrideSettings", "maxTime", {"overrideSettings": {"maxTime": "soon"}}),
    ("overrideSettings", "humanSLProfile", {"overrideSettings": {"humanSLProfile": "rank_30k"}}),
    ("reportDuringSearchEvery", "0.001", {"reportDuringSearchEvery": 0}),
    ("firstReportDuringSearchAfter", "0.001", {"firstReportDuringSearchAfter": 0}),
    ("priority", "whole number", {"priority": 0.5}),
    ("priority", "not both", {"analyzeTurns": [0], "priorities": [1], "priority": 1}),
    ("priorities", "as long as", {"analyzeTurns": [0], "priorities": [1, 2]}),
    ("priorities", "as long as", {"priorities": [1]}),
]


@pytest.mark.parametrize(("field", "word", "fields"), REFUSED)
def test_a_refusal_names_the_field(field: str, word: str, fields: dict[str, Any]) -> None:
    found, text = refused(**fields)
    assert found == field
    assert word in text
    assert "\n" not in text


def test_every_field_can_be_refused() -> None:
    assert {field for field, _, _ in REFUSED} | {"id"} == set(FIELDS)


@pytest.mark.parametrize(
    "line", ["{", "nonsense", "[" * 100_000, "7", '"id"', "[]", '{"id": NaN}', '{"id": 1e999}', '{"id": -1e999}', "1" * 10_000]
)
def test_lines_that_are_no_query_are_refused_in_one_sentence(line: str) -> None:
    with pytest.raises(Refusal) as refusal:
        parse(line)
    assert refusal.value.field is None
    assert len(str(refusal.value)) < 500


@pytest.mark.parametrize("message", [{}, {"id": 7}, {"id": None}])
def test_a_query_needs_an_id(message: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        id_of(message)


def test_errors_have_katagos_fields() -> None:
    assert error_message(Refusal("wrong", "komi"), "q") == {"error": "wrong", "field": "komi", "id": "q"}
    assert error_message(Refusal("wrong"), None) == {"error": "wrong"}


def test_one_stone_named_twice_is_one_stone() -> None:
    assert query(initialStones=[["B", "C3"], ["B", "C3"]]).stones == {point("C3"): BLACK}


def test_all_turns_of_a_long_game_take_little_memory() -> None:
    count = 400
    long = query(moves=[["BW"[i % 2], "pass"] for i in range(count)], analyzeTurns=list(range(count)))
    positions_of(long)  # whatever is loaded once
    tracemalloc.start()
    positions = positions_of(long)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(positions) == count and kept < 500 * count  # bytes


def test_a_game_is_replayed_to_any_turn() -> None:
    asked, other = query(moves=MOVES, analyzeTurns=[0, 1, 2, 3]), query(initialStones=[["B", "A1"]])
    replay = Replay()
    for turn in (1, 3, 3, 2, 0):
        game = replay.game_at(asked, turn)
        assert game.moves == asked.moves[:turn]
        game.play(BLACK, PASS)  # whoever asked may play on
    assert replay.game_at(other, 0).color_at(point("A1")) == BLACK
    assert replay.game_at(asked, 3).moves == asked.moves


def test_unknown_fields_are_named_in_warnings() -> None:
    assert query(maxVisit=3, boardSize=9).warnings == [
        ("no such field; is it misspelled?", "maxVisit"),
        ("no such field; is it misspelled?", "boardSize"),
    ]


PARTS = st.sampled_from(
    ["B", "W", "C3", "pass", "(1,1)", "chinese", "N", 0, 1, 3, -1, 0.5, True, None, 10**30, "", "moves", "untilDepth", "player"]
)
VALUES = st.recursive(PARTS, lambda parts: st.lists(parts, max_size=3) | st.dictionaries(PARTS.map(str), parts, max_size=3), max_leaves=8)


@given(st.dictionaries(st.sampled_from([*FIELDS, "typo"]), VALUES, max_size=4))
def test_nothing_but_a_refusal_comes_of_any_message(fields: dict[str, Any]) -> None:
    blamed: str | None = "id"
    try:
        read_query(LEAST | fields, ReportOptions())
    except Refusal as refusal:
        blamed = refusal.field
    assert blamed in FIELDS or "id" in fields


# ---------------------------------------------------------------- KataGo's parameters


SAMPLES: dict[str, Any] = {
    "maxVisits": 5,
    "numSearchThreads": 2,
    "resignThreshold": -0.9,
    "allowResignation": False,
    "ponderingEnabled": True,
}


@pytest.mark.parametrize("name", KATAGO_NAMES)
def test_every_parameter_of_katagos_sets_one_of_ours_and_comes_back(name: str) -> None:
    known = KATAGO_NAMES[name]
    assert known.setting in SETTINGS
    value = SAMPLES.get(name, 0.5 if known.kind is float else 3)
    ours = known.read(name, value)
    assert known.from_ours(ours) == pytest.approx(value)
    assert known.read(name, str(value)) == ours


@pytest.mark.parametrize("name", KATAGO_NAMES)
@pytest.mark.parametrize("value", ["much", None, [], -5, float("nan"), 1e30])
def test_a_parameter_refuses_what_it_cannot_be(name: str, value: Any) -> None:
    with pytest.raises(Refusal, match=name) as refusal:
        read_overrides({name: value})
    assert refusal.value.field == "overrideSettings"


@pytest.mark.parametrize("name", NEUTRAL)
def test_what_we_have_no_part_for_is_passed_over_only_where_it_asks_for_nothing(name: str) -> None:
    assert read_overrides({name: NEUTRAL[name]}).unsupported == []
    other = not NEUTRAL[name] if isinstance(NEUTRAL[name], bool) else 0.75
    assert read_overrides({name: other}).unsupported == [name]
    assert query(overrideSettings={name: other}).warnings[0][0].endswith(name)


def test_unknown_parameters_are_a_warning() -> None:
    assert query(overrideSettings={"nonsense": 1, "more": 2}).warnings == [("unknown parameters: nonsense, more", "overrideSettings")]


def test_parameters_of_the_report() -> None:
    found = read_overrides({"analysisPVLen": "4", "rootNumSymmetriesToSample": 8, "reportAnalysisWinratesAs": "SIDETOMOVE"})
    assert (found.variation_length, found.symmetries, found.perspective) == (4, 8, SIDE_TO_MOVE)
    for wrong in ({"analysisPVLen": 0}, {"rootNumSymmetriesToSample": 9}, {"reportAnalysisWinratesAs": "me"}):
        with pytest.raises(Refusal):
            read_overrides(wrong)


def test_the_page_names_every_field_and_parameter(repository: Path) -> None:
    page = (repository / "docs" / "analysis.md").read_text(encoding="utf-8")
    assert [name for name in FIELDS if f"`{name}`" not in page] == []
    assert [
        name for name in KATAGO_NAMES if SETTINGS[KATAGO_NAMES[name].setting].name not in NOT_ANALYSIS and f"`{name}`" not in page
    ] == []
