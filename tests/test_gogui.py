"""GoGui's commands: positions, sequences, pictures, parameters, live graphics; and what the playout policy says of its reasons."""

import re

import pytest
from conftest import Client, build_small_engine

from gtp_engine.engine.config.front_end import FrontEnd
from gtp_engine.engine.playout.explain import explain
from gtp_engine.engine.playout.policy import playout_policy
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.points import from_vertex
from gtp_engine.interfaces.gtp.commands import make_dispatcher
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader

TYPES = (
    "bwboard cboard dboard sboard eplist gfx string hstring pstring hpstring none param plist pspairs var varb varc varp varpo varw".split()
)
GRAPHICS = re.compile(r"(LABEL [A-J]\d \S+|COLOR #[0-9a-f]{6}( [A-J]\d)+|VAR( [bw] ([A-J]\d|pass))+|TEXT .*)")

ATARI = """
    . . . . .
    . . X . .
    . X O X .
    . . . . .
    . . . . ."""


def test_every_analyze_command_works(gtp: Client) -> None:
    gtp.ok("play b e5")
    rows = gtp.ok("gogui-analyze_commands").split("\n")
    assert "string/Life and Death of a Stone/gtp_engine-solve %p" in rows
    assert len({row.split("/")[1] for row in rows}) == len(rows) > 8
    for row in rows:
        kind, _, command = row.split("/", 2)
        assert kind in TYPES
        answer = gtp.ok(command.replace("%c", "b")) if "%p" not in command else gtp.fails(command.replace("%p", "e5"))
        if kind == "gfx":
            assert all(GRAPHICS.fullmatch(line) for line in answer.split("\n")), answer
        elif kind in ("dboard", "sboard"):
            assert [len(line.split()) for line in answer.strip("\n").split("\n")] == [9] * 9


def test_ownership_is_drawn_from_the_top(gtp: Client) -> None:
    gtp.ok("boardsize 5")
    for column in "abcde":
        gtp.ok(f"play b {column}4")
        gtp.ok(f"play w {column}2")
    rows = [[float(word) for word in line.split()] for line in gtp.ok("gtp_engine-ownership").strip("\n").split("\n")]
    assert min(rows[0]) > 0.3 and max(rows[4]) < -0.3
    assert all(-1 <= value <= 1 for row in rows for value in row)


def test_pictures_are_of_the_current_position(gtp: Client) -> None:
    """After a move the candidates are the other side's, and its point is none of them."""
    gtp.ok("genmove b")
    vertex = gtp.ok("last_move").split()[1]
    assert f"LABEL {vertex} " not in gtp.ok("gtp_engine-candidates")
    assert gtp.ok("gtp_engine-variation").startswith("VAR w ")
    assert gtp.ok("move_history").count("\n") == 0


def test_the_policy_gives_its_reasons(gtp: Client) -> None:
    """Black left a white stone in atari: White's playouts look for the escape first. The probabilities add up to one."""
    gtp.board(ATARI)
    gtp.ok("play w c3") if gtp.ok("list_stones w") == "" else None
    gtp.ok("play b a1")
    gtp.ok("play w a5")
    gtp.ok("play b b2")
    gtp.ok("play w e1")
    lines = [line.split(" ", 2) for line in gtp.ok("gtp_engine-policy_reasons").strip("\n").split("\n")]
    assert lines[-1][0] == "other" and lines[-1][2] == "uniform"
    assert sum(float(probability) for _, probability, _ in lines) == pytest.approx(1.0, abs=0.01)
    assert ["C2", "capture"] in [[vertex, reason] for vertex, _, reason in lines]


def test_explanations_follow_the_order_of_the_policy() -> None:
    """A capture of the last stone leaves what comes later only what is left of the probability."""
    engine = build_small_engine()
    for color, vertex in ((1, "E4"), (2, "A1"), (1, "D5"), (2, "A2"), (1, "F5"), (2, "E5")):
        engine.state.play(color, from_vertex(vertex, 9))
    policy = playout_policy(SearchParams(answer_atari=0.75, capture=0.5, nakade=0.0, two_liberties=0.0, pattern=0.0))
    found = explain(engine.game, policy)
    assert [(each.reason, each.probability) for each in found] == [("capture the last stone", 0.75), ("capture", 0.125)]
    assert {each.point for each in found} == {from_vertex("E6", 9)}


# ---------------------------------------------------------------- positions


def test_a_sequence_is_played_whole_or_not_at_all(gtp: Client) -> None:
    gtp.ok("gogui-play_sequence b e5 w c3 b pass w g7")
    before = gtp.position()
    assert gtp.fails("gogui-play_sequence w c7 b e5") == "illegal move"
    assert gtp.fails("gogui-play_sequence w c7 b") == "syntax error"
    assert gtp.position() == before
    assert gtp.ok("gogui-play_sequence") == ""


def test_set_up(gtp: Client) -> None:
    gtp.ok("gogui-setup b c3 w d4 b e5")
    gtp.ok("gogui-setup w g7")
    assert gtp.ok("list_stones b") == "C3 E5"
    assert gtp.ok("list_stones w") == "D4 G7"
    gtp.ok("gogui-setup_player w")
    assert gtp.ok("showboard").endswith("To play: white")
    assert gtp.fails("undo") == "cannot undo"
    gtp.ok("play w c4")
    assert gtp.fails("gogui-setup b a1") == "board not empty"
    assert gtp.fails("gogui-setup_player b")


def test_set_position_replaces_everything(gtp: Client) -> None:
    gtp.ok("play b a9")
    gtp.ok("set_position b c3 w d4")
    assert gtp.ok("list_stones b") == "C3"
    assert gtp.ok("move_history") == ""
    gtp.ok("set_position")
    assert gtp.ok("list_stones w") == ""


@pytest.mark.parametrize("command", ["set_position", "gogui-setup"])
@pytest.mark.parametrize(
    "stones", ["b a1 w a2 w b1", "b c3 b c3", "b c3 w c3", "b pass", "b", "c3", "green c3", "b i5", "b c99"], ids=lambda text: text
)
def test_positions_that_cannot_be(command: str, stones: str, gtp: Client) -> None:
    """A chain without liberties, a point given twice, what is no stone: an error, and nothing changes."""
    gtp.ok("gogui-setup b e5")
    before = gtp.position()
    assert gtp.fails(f"{command} {stones}")
    assert gtp.position() == before


def test_the_handicap_survives_setup_player(gtp: Client) -> None:
    gtp.ok("fixed_handicap 4")
    gtp.ok("gogui-setup_player w")
    assert gtp.loader.engine().state.handicap() == 4
    assert gtp.fails("gogui-setup w e5") == "board not empty"


def test_small_ones(gtp: Client) -> None:
    assert gtp.ok("gogui-interrupt") == ""
    assert gtp.ok("gogui-version 1.5.1") == ""


# ---------------------------------------------------------------- parameters


def test_parameters_are_shown_and_set(gtp: Client) -> None:
    lines = gtp.ok("gtp_engine-param").split("\n")
    assert "[bool] resign 1" in lines and "[list/light/heavy] policy heavy" in lines and "[string] playouts 60" in lines
    gtp.ok("gtp_engine-param playouts 30")
    gtp.ok("gtp_engine-param resign 0")
    gtp.ok("gtp_engine-param policy light")
    params = gtp.loader.engine().params
    assert (params.playouts, params.resign, params.policy) == (30, False, "light")
    gtp.ok("genmove b")
    result = gtp.loader.engine().last_result
    assert result is not None and result.new_simulations == 30


def test_one_parameter_is_told(gtp: Client) -> None:
    gtp.ok("gtp_engine-param playouts 30")
    assert gtp.ok("gtp_engine-param playouts") == "30"
    assert gtp.ok("gtp_engine-param ladders") == "1"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("plyouts 30", "did you mean playouts"),
        ("playouts many", "not a whole number"),
        ("playouts -1", "the nearest is 0"),
        ("policy medium", "one of light, heavy"),
        ("resign perhaps", "true or false"),
        ("playouts 1 2", "syntax error"),
    ],
)
def test_wrong_parameters(words: str, text: str, gtp: Client) -> None:
    before = gtp.ok("gtp_engine-param")
    assert text in gtp.fails(f"gtp_engine-param {words}")
    assert gtp.ok("gtp_engine-param") == before


# ---------------------------------------------------------------- stderr


def client_of(front_end: FrontEnd) -> Client:
    """A client of an engine with these options."""
    client = Client(EngineLoader(build_small_engine))
    client.dispatcher = make_dispatcher(client.loader, "gtp_engine", "0", front_end=front_end)
    return client


def test_live_graphics(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """`gogui-gfx:`, lines of graphics, an empty line; and nothing of it without the option."""
    monkeypatch.setattr("gtp_engine.interfaces.gtp.commands.play.LIVE_SECONDS", 0.001)
    client = client_of(FrontEnd(live_graphics=True))
    client.ok("gtp_engine-param playouts 300")
    capfd.readouterr()
    client.ok("genmove b")
    pictures = capfd.readouterr().err.split("gogui-gfx:\n")[1:]
    assert pictures
    for picture in pictures:
        *lines, last, rest = picture.split("\n")
        assert last == rest == ""
        assert all(GRAPHICS.fullmatch(line) for line in lines)


def test_stderr_is_silent_by_default(gtp: Client, capfd: pytest.CaptureFixture[str]) -> None:
    gtp.loader.warm_engine()
    capfd.readouterr()
    gtp.ok("genmove b")
    assert capfd.readouterr().err == ""
