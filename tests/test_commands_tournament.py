"""Handicap, clocks, rules and the end of the game, asked of the real engine."""

import json

import pytest
from conftest import Client

from gtp_engine.go.rules import RULE_SETS

FINISHED = """
    . . X . . . O . .
    . . X . . . O . .
    . . X X . O O . .
    . . . X . O . . .
    . . . X . O . . .
    . . . X . O . . .
    . . X X . O O . .
    . . X . . . O . .
    . . X . . . O . ."""


@pytest.mark.parametrize(
    ("size", "stones", "points"),
    [
        (19, 2, "D4 Q16"),
        (19, 9, "D4 D10 D16 K4 K10 K16 Q4 Q10 Q16"),
        (13, 4, "D4 D10 K4 K10"),
        (9, 5, "C3 C7 E5 G3 G7"),
        (7, 4, "C3 C5 E3 E5"),
        (8, 4, "C3 C6 F3 F6"),
    ],
)
def test_fixed_handicap(size: int, stones: int, points: str, gtp: Client) -> None:
    gtp.ok(f"boardsize {size}")
    assert sorted(gtp.ok(f"fixed_handicap {stones}").split()) == sorted(points.split())
    assert sorted(gtp.ok("list_stones b").split()) == sorted(points.split())
    assert gtp.ok("showboard").endswith("To play: white")


def test_handicap_stones_are_no_moves(gtp: Client) -> None:
    """The draft says that undo never takes them back."""
    gtp.ok("fixed_handicap 3")
    assert gtp.fails("undo") == "cannot undo"
    assert gtp.ok("move_history") == ""
    gtp.ok("play w e5")
    gtp.ok("undo")
    assert len(gtp.ok("list_stones b").split()) == 3


@pytest.mark.parametrize("stones", ["1", "0", "-2", "10", "99999999"])
def test_handicaps_that_the_layout_lacks(stones: str, gtp: Client) -> None:
    assert gtp.fails(f"fixed_handicap {stones}") == "invalid number of stones"
    assert gtp.ok("list_stones b") == ""


@pytest.mark.parametrize(("size", "stones"), [(8, 5), (7, 5), (5, 2)])
def test_small_and_even_boards_have_few_star_points(size: int, stones: int, gtp: Client) -> None:
    gtp.ok(f"boardsize {size}")
    assert gtp.fails(f"fixed_handicap {stones}") == "invalid number of stones"


@pytest.mark.parametrize("command", ["fixed_handicap", "place_free_handicap", "set_free_handicap"])
def test_handicap_needs_its_argument(command: str, gtp: Client) -> None:
    assert gtp.fails(command) == "syntax error"
    assert gtp.fails(f"{command} x") == "syntax error"


@pytest.mark.parametrize("setup", ["play b e5", "play w pass", "fixed_handicap 2"])
@pytest.mark.parametrize("command", ["fixed_handicap 2", "place_free_handicap 2", "set_free_handicap D4 E5"])
def test_handicap_on_a_board_in_use(command: str, setup: str, gtp: Client) -> None:
    """Probe 2.1, handicap on a non-empty board: an error, and nothing changes."""
    gtp.ok(setup)
    before = gtp.position()
    assert gtp.fails(command) == "board not empty"
    assert gtp.position() == before


@pytest.mark.parametrize(("size", "stones"), [(19, 2), (19, 4), (9, 9), (19, 30), (5, 2), (2, 3)])
def test_free_handicap_is_as_many_stones_as_asked(size: int, stones: int, gtp: Client) -> None:
    """gtp2ogs resigns when there are fewer."""
    gtp.ok(f"boardsize {size}")
    points = gtp.ok(f"place_free_handicap {stones}").split()
    assert len(set(points)) == len(points) == stones
    assert set(gtp.ok("list_stones b").split()) == set(points)


@pytest.mark.parametrize("stones", ["1", "81", "-1", "1000"])
def test_free_handicaps_that_no_board_can_hold(stones: str, gtp: Client) -> None:
    assert gtp.fails(f"place_free_handicap {stones}") == "invalid number of stones"
    assert gtp.ok("list_stones b") == ""


def test_set_free_handicap_is_atomic(gtp: Client) -> None:
    for bad in ("D4 D4", "D4 d4", "D4 pass", "D4"):
        assert gtp.fails(f"set_free_handicap {bad}") == "bad vertex list"
    for bad in ("D4 K10", "D4 I5", "D4 44", ""):
        assert gtp.fails(f"set_free_handicap {bad}") == "syntax error"
    assert gtp.ok("list_stones b") == ""
    gtp.ok("set_free_handicap D4 e5 A1")
    assert gtp.ok("list_stones b") == "A1 D4 E5"
    assert gtp.fails("play w e5") == "illegal move"


# ---------------------------------------------------------------- clocks


@pytest.mark.parametrize("settings", ["0 1 0", "0 0 0", "300 0 0", "300 30 5", "0 10 1", "-5 10 1", "300.5 30.25 5", "2147483647 0 0"])
def test_time_settings(settings: str, gtp: Client) -> None:
    """Pitfall 9: negative and fractional seconds come from real clients."""
    gtp.ok(f"time_settings {settings}")
    gtp.ok("time_left b 10 1")
    gtp.ok("time_left white -5 0")
    gtp.ok("time_left w 0.25 0")


@pytest.mark.parametrize("settings", ["", "a b c", "300", "300 0", "300 0 0 0", "1e999 0 0", "nan 0 0", "300 30 2.5"])
def test_time_settings_refuses(settings: str, gtp: Client) -> None:
    assert gtp.fails(f"time_settings {settings}") == "syntax error"


@pytest.mark.parametrize("arguments", ["", "b", "b 10", "green 10 0", "b ten 0", "b 10 1 1"])
def test_time_left_refuses(arguments: str, gtp: Client) -> None:
    assert gtp.fails(f"time_left {arguments}") == "syntax error"


@pytest.mark.parametrize("settings", ["none", "absolute 300", "byoyomi 300 30 5", "canadian 300 60 10"])
def test_kgs_time_settings(settings: str, gtp: Client) -> None:
    """Probe 2.1: time_left is accepted under every system, none at all included."""
    gtp.ok(f"kgs-time_settings {settings}")
    gtp.ok("time_left b 30 0")
    gtp.ok("time_left w -5 0")
    gtp.ok(f"kata-time_settings {settings}")


def test_kata_time_settings(gtp: Client) -> None:
    """gtp2ogs looks for fischer-capped in the list, and -1 stands for no cap."""
    assert gtp.ok("kata-list_time_settings").split() == ["none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped"]
    gtp.ok("kata-time_settings fischer 60 5")
    gtp.ok("kata-time_settings fischer-capped 60 5 120 -1")
    gtp.ok("kata-time_settings fischer-capped 60 5 -1 20")


@pytest.mark.parametrize(
    "settings",
    ["", "sundial 4", "None", "absolute", "absolute 300 30", "byoyomi 300 30", "byoyomi 300 30 2.5", "canadian 300 60 0", "none 1"],
)
def test_unknown_time_systems_are_refused(settings: str, gtp: Client) -> None:
    assert gtp.fails(f"kgs-time_settings {settings}") == "syntax error"
    assert gtp.fails(f"kata-time_settings {settings}") == "syntax error"


def test_kgs_has_no_fischer(gtp: Client) -> None:
    assert gtp.fails("kgs-time_settings fischer 60 5") == "syntax error"


@pytest.mark.parametrize("left", ["-5 0", "0 0", "0.001 1"])
def test_without_time_a_move_comes_all_the_same(left: str, gtp: Client) -> None:
    gtp.ok("time_settings 10 0 0")
    gtp.ok(f"time_left b {left}")
    assert gtp.ok("genmove b")


# ---------------------------------------------------------------- rules


@pytest.mark.parametrize("name", RULE_SETS)
def test_rules_come_back_as_they_were_set(name: str, gtp: Client) -> None:
    gtp.ok(f"kata-set-rules {name}")
    text = gtp.ok("kata-get-rules")
    other = "japanese" if name == "chinese" else "chinese"
    gtp.ok(f"kgs-rules {other}")
    assert gtp.ok("kata-get-rules") != text
    gtp.ok(f"kata-set-rules {text}")
    assert gtp.ok("kata-get-rules") == text


def test_rules_piece_by_piece(gtp: Client) -> None:
    """A JSON object may name some rules only; no rule set of ours needs to be the same."""
    gtp.ok('kata-set-rules {"ko":"SIMPLE", "suicide":true}')
    rules = json.loads(gtp.ok("kata-get-rules"))
    assert (rules["ko"], rules["suicide"], rules["scoring"], rules["tax"]) == ("SIMPLE", True, "AREA", "NONE")
    gtp.ok('kata-set-rules {"scoring":"TERRITORY"}')
    assert json.loads(gtp.ok("kata-get-rules"))["tax"] == "SEKI"


def test_one_rule(gtp: Client) -> None:
    """The others stay; a value may be in lower case."""
    gtp.ok("kgs-rules aga")
    before = json.loads(gtp.ok("kata-get-rules"))
    gtp.ok("kata-set-rule ko SIMPLE")
    gtp.ok("kata-set-rule suicide true")
    assert json.loads(gtp.ok("kata-get-rules")) == before | {"ko": "SIMPLE", "suicide": True}
    gtp.ok("kata-set-rule suicide False")
    gtp.ok("kata-set-rule ko situational")
    assert json.loads(gtp.ok("kata-get-rules")) == before
    for line, reason in (
        ("tax ALL", "tax ALL is not played here with scoring AREA"),
        ("ko", "syntax error"),
        ("ko SIMPLE 1", "syntax error"),
    ):
        assert gtp.fails(f"kata-set-rule {line}") == reason
    assert json.loads(gtp.ok("kata-get-rules")) == before


@pytest.mark.parametrize(
    "rules",
    [
        "",
        "martian",
        "{",
        "{}x",
        '{"ko":"TRIPLE"}',
        '{"ko":1}',
        '{"tax":"SOME"}',
        '{"sun":1}',
        '{"suicide":"yes"}',
        "[" * 9999,
    ],
)
def test_rules_that_we_do_not_play(rules: str, gtp: Client) -> None:
    before = gtp.ok("kata-get-rules")
    assert gtp.fails(f"kata-set-rules {rules}")
    assert gtp.ok("kata-get-rules") == before


@pytest.mark.parametrize(
    ("name", "used"),
    [
        ("ancient-area", "chinese"),
        ('{"tax":"ALL"}', "chinese"),
        ("koSITUATIONALscoreAREAsui0button1whbN-1fpok1", "aga"),
        ("Japanese 1989", "japanese"),
    ],
)
def test_the_nearest_rules_are_used_with_a_warning(name: str, used: str, gtp: Client, capfd: pytest.CaptureFixture[str]) -> None:
    gtp.ok("kata-set-rules nz")
    gtp.ok(f"kata-set-rules {name}")
    assert capfd.readouterr().err == f"gtp_engine: the rules {name} are not played here: {used} rules are used\n"
    rules = gtp.ok("kata-get-rules")
    gtp.ok(f"kgs-rules {used}")
    assert gtp.ok("kata-get-rules") == rules


@pytest.mark.parametrize("name", ["nz", "tromptaylor", "french", "goe", "New Zealand", "koPOSITIONALscoreAREAtaxNONEsui0button0whbN"])
def test_names_of_other_programs(name: str, gtp: Client, capfd: pytest.CaptureFixture[str]) -> None:
    for command in ("kata-set-rules", "kgs-rules"):
        gtp.ok("kgs-rules chinese")
        before = gtp.ok("kata-get-rules")
        gtp.ok(f"{command} {name}")
        assert gtp.ok("kata-get-rules") != before
    assert not capfd.readouterr().err


def test_kgs_rules(gtp: Client) -> None:
    for name in ("japanese", "chinese", "aga", "new_zealand"):
        gtp.ok(f"kgs-rules {name}")
    assert "choose one of" in gtp.fails("kgs-rules martian")
    assert gtp.fails("kgs-rules") == "syntax error"


# ---------------------------------------------------------------- the end


def test_final_score_and_status(gtp: Client) -> None:
    gtp.board(FINISHED)
    gtp.ok("komi 0.5")
    gtp.ok("play w j5")
    gtp.ok("play b b5")
    for color in "wb":
        gtp.ok(f"play {color} pass")
    assert gtp.ok("final_score") == "W+0.5"
    gtp.ok("komi 0")
    assert gtp.ok("final_score") == "0"
    gtp.ok("komi -2.25")
    assert gtp.ok("final_score") == "B+2.25"
    alive = gtp.ok("final_status_list alive")
    assert len(alive.split()) == 24
    assert len(alive.split("\n")) == 4
    assert gtp.ok("final_status_list dead") == ""
    assert gtp.ok("final_status_list seki") == ""


def test_a_dead_stone_is_listed(gtp: Client) -> None:
    gtp.board(FINISHED)
    gtp.ok("play b j5")
    assert gtp.ok("final_status_list dead") == "J5"
    assert "J5" not in gtp.ok("final_status_list alive").split()
    assert "J5" in gtp.ok("final_status_list white_territory").split()
    assert "A1" in gtp.ok("final_status_list black_territory").split()
    assert set(gtp.ok("final_status_list dame").split()) >= {"E1", "E9"}


@pytest.mark.parametrize("status", ["", "asleep", "DEAD", "dead alive"])
def test_unknown_statuses_are_refused(status: str, gtp: Client) -> None:
    assert gtp.fails(f"final_status_list {status}") == "syntax error"


def test_the_position_survives_the_end_of_the_game(gtp: Client) -> None:
    """KGS may resume a game that it called over."""
    gtp.ok("play b e5")
    before = gtp.position()
    gtp.ok("kgs-game_over")
    assert gtp.position() == before
