"""The commands about us, the board and the moves, asked of the real engine."""

import re
from pathlib import Path

import pytest
from conftest import Client, build_small_engine
from hypothesis import given, settings
from hypothesis import strategies as st

from gtp_engine.interfaces.gtp.engine_loader import EngineLoader

REQUIRED = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove".split()
MOVE = re.compile(r"[A-HJ][1-9]|pass|resign")

CAPTURE = """
    . . . . .
    . . . . .
    . . X . .
    . X O X .
    . . . . ."""


def test_every_command_of_gtp_2_is_listed_and_known(gtp: Client) -> None:
    listed = gtp.ok("list_commands").split("\n")
    more = "fixed_handicap place_free_handicap set_free_handicap undo time_settings time_left final_score final_status_list".split()
    assert set(REQUIRED + more + ["loadsgf", "reg_genmove", "showboard"]) <= set(listed)
    assert len(listed) == len(set(listed))
    for name in listed:
        assert gtp.ok(f"known_command {name}") == "true"


def test_what_breaks_clients_is_not_listed(gtp: Client) -> None:
    """Sabaki misreads `analyze`; kgsGtp 3.5.20 breaks on `kgs-chat`."""
    for name in ("analyze", "genmove_analyze", "kgs-chat"):
        assert gtp.ok(f"known_command {name}") == "false"


def test_information(gtp: Client) -> None:
    assert gtp.ok("protocol_version") == "2"
    assert gtp.ok("name") == "gtp_engine"
    assert gtp.ok("version") == "0"
    assert gtp.ok("known_command") == "false"
    assert gtp.ok("known_command no_such_command") == "false"
    assert gtp.ok("echo two words") == "two words"
    assert gtp.ok("echo") == ""
    assert gtp.ok("quit") == ""
    assert float(gtp.ok("cputime")) > 0


def test_the_handshake_does_not_load_the_engine(gtp: Client) -> None:
    """Pitfall 16: these answer at once, whatever state the kernels are in."""
    loader = gtp.loader
    for name in "name version protocol_version list_commands known_command help quit echo cputime play genmove foo".split():
        gtp.ask(f"{name} too many words" if name in ("play", "genmove") else name)
    assert loader.thread is None
    gtp.ok("showboard")
    assert loader.thread is not None


def test_help_tells_what_every_command_does(gtp: Client) -> None:
    lines = gtp.ok("help").split("\n")
    assert [line.split(":")[0] for line in lines] == gtp.ok("list_commands").split("\n")
    assert all(len(line.split(": ", 1)[1]) > 3 for line in lines)
    assert gtp.ok("help undo") in lines
    assert gtp.fails("help no_such_command") == "unknown command"


def test_boardsize(gtp: Client) -> None:
    """Pitfall 15: what we don't play on is refused, rectangles too; nothing changes then."""
    for size in (2, 5, 9, 13, 19):
        gtp.ok(f"boardsize {size}")
        assert len(gtp.ok("all_legal b").split()) == size * size
    gtp.ok("boardsize 9 9")
    gtp.ok("rectangular_boardsize 9 9")
    gtp.ok("play b e5")
    before = gtp.position()
    for dimensions in ("1", "0", "-1", "20", "25", "1000", "9 13", "99999999999"):
        assert gtp.fails(f"boardsize {dimensions}") == "unacceptable size"
    assert gtp.fails("rectangular_boardsize 9 13") == "unacceptable size"
    for dimensions in ("", "nine", "9.0", "1_9", "99999999999999999999", "9 9 9", "\u0669"):
        assert gtp.fails(f"boardsize {dimensions}") == "syntax error"
    assert gtp.position() == before


def test_komi(gtp: Client) -> None:
    for komi in ("6.5", "-3", "0", "7", "0.5", "100", "-1000.25", "1e2", ".5", "+7.5"):
        gtp.ok(f"komi {komi}")
        assert float(gtp.ok("get_komi")) == float(komi)
    for komi in ("", "much", "nan", "inf", "-inf", "1e999", "1_0", "0x10", "7 5"):
        assert gtp.fails(f"komi {komi}") == "syntax error"
    assert gtp.ok("get_komi") == "7.5"


def test_settings_survive_a_new_board(gtp: Client) -> None:
    """Pitfall 10: Sabaki sends komi before boardsize, CGOS sends the time before clear_board."""
    gtp.ok("komi 5.5")
    gtp.ok("kgs-rules japanese")
    gtp.ok("time_settings 300 30 5")
    clock = gtp.loader.engine().clock
    before = repr(vars(clock))
    gtp.ok("boardsize 13")
    gtp.ok("clear_board")
    assert gtp.ok("get_komi") == "5.5"
    assert '"TERRITORY"' in gtp.ok("kata-get-rules")
    assert repr(vars(clock)) == before


@pytest.mark.parametrize("move", ["b D4", "w d4", "BLACK d4", "White D4", "B pass", "w PASS", "b J9", "b a1"])
def test_play_takes_either_case(move: str, gtp: Client) -> None:
    """Pitfall 9: colors and vertices in lower and upper case."""
    gtp.ok(f"play {move}")
    color, vertex = gtp.ok("last_move").split()
    assert (color[0], vertex.lower()) == (move[0].lower(), move.split()[1].lower())


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "b",
        "green d4",
        "b d10",
        "b k1",
        "b i5",
        "b I5",
        "b 44",
        "b d",
        "b dd4",
        "b d04",
        "b d0",
        "b resign",
        "b d4 extra",
        "d4",
        "b d-4",
        "b d\u0664",
    ],
)
def test_play_refuses_what_is_no_move(arguments: str, gtp: Client) -> None:
    """Probe 2.1: `play b i5` is an error, there is no column I. Pitfall 9."""
    before = gtp.position()
    assert gtp.fails(f"play {arguments}") == "syntax error"
    assert gtp.position() == before


def test_any_order_of_colors_is_legal(gtp: Client) -> None:
    """Pitfall 11: one color twice, moves after two passes, a missing opponent's move."""
    for move in ("b e5", "b e6", "w pass", "w pass", "b pass", "w c3", "b e7"):
        gtp.ok(f"play {move}")
    assert gtp.ok("move_history").split("\n")[0] == "black E7"
    assert gtp.ok("list_stones b") == "E5 E6 E7"


def test_an_illegal_move_changes_nothing(gtp: Client) -> None:
    gtp.board(CAPTURE)
    gtp.ok("play b c1")
    before = gtp.position()
    assert gtp.fails("play b c3") == "illegal move"  # occupied
    assert gtp.fails("play w c2") == "illegal move"  # suicide
    assert gtp.ok("is_legal w c2") == "0"
    assert gtp.ok("is_legal b c2") == "1"
    assert gtp.ok("is_legal w pass") == "1"
    assert gtp.position() == before


def test_lists(gtp: Client) -> None:
    gtp.board(CAPTURE)
    assert gtp.ok("list_stones white") == "C2"
    assert gtp.ok("list_stones b") == "B2 D2 C3"
    assert gtp.ok("captures w") == "0"
    assert "C1" in gtp.ok("all_legal w").split()
    assert "C2" not in gtp.ok("all_legal w").split()
    gtp.ok("clear_board")
    assert gtp.ok("list_stones b") == ""
    assert gtp.ok("move_history") == ""
    assert gtp.fails("last_move") == "no previous move known"


def test_showboard_is_the_board(gtp: Client) -> None:
    """Pitfall 13: the diagram begins on the line after the `= ` and has no empty line."""
    gtp.board(CAPTURE)
    gtp.ok("play b c1")
    assert gtp.ask("showboard").split("\n") == [
        "= ",
        "   A B C D E",
        " 5 . . . . . 5",
        " 4 . . . . . 4",
        " 3 . . X . . 3",
        " 2 . X . X . 2",
        " 1 . .(X). . 1",
        "   A B C D E",
        "Prisoners taken: black (X) 1, white (O) 0",
        "Move 5: black C1",
        "To play: white",
        "",
        "",
    ]


def test_undo(gtp: Client) -> None:
    gtp.board(CAPTURE)
    before = gtp.ok("showboard")
    gtp.ok("play b c1")
    gtp.ok("play w pass")
    gtp.ok("gg-undo 2")
    assert gtp.ok("showboard") == before
    assert gtp.fails("gg-undo 5") == "cannot undo"
    assert gtp.ok("showboard") == before
    assert gtp.fails("gg-undo -1") == "syntax error"
    gtp.ok("gg-undo")
    gtp.ok("gg-undo 0")
    for _ in range(3):
        gtp.ok("undo")
    assert gtp.fails("undo") == "cannot undo"
    assert gtp.ok("list_stones b") == ""


def test_genmove_plays_and_reg_genmove_does_not(gtp: Client) -> None:
    """The regression command depends on nothing but the position."""
    first = gtp.ok("reg_genmove b")
    assert MOVE.fullmatch(first)
    assert gtp.ok("move_history") == ""
    assert gtp.ok("genmove w").upper() in gtp.ok("move_history").upper()
    assert gtp.ok("genmove w") != ""
    gtp.ok("clear_board")
    assert gtp.ok("reg_genmove b") == first


@pytest.mark.parametrize("arguments", ["", "green", "b extra"])
def test_genmove_refuses_what_is_no_color(arguments: str, gtp: Client) -> None:
    assert gtp.fails(f"genmove {arguments}") == "syntax error"
    assert gtp.fails(f"reg_genmove {arguments}") == "syntax error"


def test_the_same_seed_gives_the_same_moves(gtp: Client) -> None:
    games = []
    for _ in range(2):
        gtp.ok("clear_board")
        gtp.ok("set_random_seed 42")
        assert gtp.ok("get_random_seed") == "42"
        games.append([gtp.ok(f"genmove {color}") for color in "bwbw"])
    assert games[0] == games[1]
    assert gtp.fails("set_random_seed -1") == "syntax error"
    gtp.ok("clear_cache")


def test_superko_is_accepted_from_a_server_but_never_legal_for_us(gtp: Client, capfd: pytest.CaptureFixture[str]) -> None:
    """The rule of thumb of gtp.md, row 4: what a server let pass is played, with a warning; what we may play forbids it."""
    gtp.ok("boardsize 2")
    gtp.ok("clear_board")
    for move in ("b a1", "w b1", "b a2", "w b2", "b a1", "w a2"):  # white takes two, then one: black on A1 makes the first position again
        gtp.ok(f"play {move}")
    assert gtp.ok("is_legal b a1") == "0"
    gtp.ok("kgs-rules japanese")
    assert gtp.ok("is_legal b a1") == "1"
    gtp.ok("kgs-rules chinese")
    capfd.readouterr()
    gtp.ok("play b a1")
    assert "A1 repeats a position" in capfd.readouterr().err


def test_loadsgf_and_printsgf(gtp: Client, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    gtp.ok("komi 5.5")
    for move in ("b e5", "w g3", "b pass"):
        gtp.ok(f"play {move}")
    text = gtp.ok("printsgf")
    assert text.startswith("(;")
    for part in ("SZ[9]", "KM[5.5]", ";B[ee]", ";W[gg]"):
        assert part in text
    assert gtp.ok(f"printsgf {path}") == ""
    before = gtp.position()
    gtp.ok("clear_board")
    gtp.ok("boardsize 19")
    gtp.ok("komi 0")
    gtp.ok(f"loadsgf {path}")
    assert gtp.position() == before
    gtp.ok(f"loadsgf {path} 2")
    assert gtp.ok("move_history") == "black E5"
    assert gtp.fails(f"printsgf {tmp_path}/no/such/folder").startswith("cannot save file")


@pytest.mark.parametrize(
    "content", ["", "not sgf", "(;GM[1]SZ[9];B[zz])", "(;SZ[99])", "(;SZ[9];B[ee];W[ee])", "(;SZ[9];B[aa]", "\0\0\0", "(" * 10_000]
)
def test_a_broken_record_changes_nothing(content: str, gtp: Client, tmp_path: Path) -> None:
    path = tmp_path / "broken.sgf"
    path.write_text(content)
    gtp.ok("play b c3")
    before = gtp.position()
    assert gtp.fails(f"loadsgf {path}").startswith("cannot load file")
    assert gtp.position() == before


def test_what_is_no_record_is_no_file(gtp: Client, tmp_path: Path) -> None:
    for path in ("/no/such/file.sgf", "/", "/dev/null", tmp_path):
        assert gtp.fails(f"loadsgf {path}").startswith("cannot load file")
    for arguments in ("", "a.sgf -1", '"a.sgf" x', "'a.sgf' -1", '"a.sgf" 1 2'):
        assert gtp.fails(f"loadsgf {arguments}") == "syntax error"


@pytest.mark.parametrize("name", ["my game.sgf", "two  spaces.sgf", "Honinbo 1", "it's.sgf", "a.sgf"])
@pytest.mark.parametrize("quote", ["", '"', "'"])
def test_paths_may_have_spaces_and_quotes(name: str, quote: str, gtp: Client, tmp_path: Path) -> None:
    if quote in name and quote:
        return
    path = f"{quote}{tmp_path}/{name}{quote}"
    gtp.ok("play b e5")
    gtp.ok("play w c3")
    gtp.ok(f"printsgf {path}")
    assert [each.name for each in tmp_path.iterdir()] == [name]
    gtp.ok("clear_board")
    gtp.ok(f"loadsgf {path}")
    assert len(gtp.ok("move_history").splitlines()) == 2
    gtp.ok(f"loadsgf  {path}  2 ")
    assert gtp.ok("move_history") == "black E5"


def test_a_number_behind_a_path_is_a_move_unless_only_the_whole_is_a_file(gtp: Client, tmp_path: Path) -> None:
    gtp.ok("play b e5")
    gtp.ok(f"printsgf {tmp_path}/game")
    gtp.ok(f"printsgf {tmp_path}/game 1")
    gtp.ok(f"loadsgf {tmp_path}/game 1")
    assert gtp.ok("move_history") == ""
    (tmp_path / "game").unlink()
    gtp.ok(f"loadsgf {tmp_path}/game 1")
    assert gtp.ok("move_history") == "black E5"
    assert gtp.fails(f"loadsgf {tmp_path}/none 1").startswith("cannot load file")


def test_huge_lines_are_answered(gtp: Client) -> None:
    """Pitfall 9: a megabyte of words is one error."""
    assert gtp.fails("play b " + "d4 " * 300_000) == "syntax error"
    assert gtp.fails("set_free_handicap " + "d4 " * 300_000) == "bad vertex list"
    assert gtp.fails("boardsize " + "9" * 1_000_000) == "syntax error"
    assert gtp.fails("komi " + "9" * 1_000_000) == "syntax error"
    assert gtp.fails("g" * 1_000_000) == "unknown command"


ARGUMENTS = (
    "b w black WHITE green d4 e5 A1 i5 z99 pass resign 0 1 2 9 19 -1 7.5 nan 1e999 dead chinese none absolute /dev/null { \xe9".split()
)
FUZZED = Client(EngineLoader(build_small_engine))  # one for all examples, so that their effects meet


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_any_words_get_one_response_and_leave_the_engine_alive(data: st.DataObject) -> None:
    """Pitfall 14: whatever is sent, in whatever state, no response is an internal error."""
    commands = sorted(set(FUZZED.dispatcher.methods) - {"printsgf"})  # which would write files
    words = data.draw(st.lists(st.sampled_from(ARGUMENTS), max_size=4))
    line = " ".join([data.draw(st.sampled_from(commands)), *words])
    response = FUZZED.ask(line)
    assert response[:2] in ("= ", "? ")
    assert response.endswith("\n\n")
    assert response.count("\n\n") == 1
    assert "internal error" not in response
