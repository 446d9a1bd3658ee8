"""Handicap games and positions that were set up, told apart by what each client really sends."""

from pathlib import Path

import pytest
from conftest import Client, build_small_engine, draw_game

from gtp_engine.engine.player.handicap import as_loaded, handicap_of, looks_like_handicap
from gtp_engine.go.game import Game
from gtp_engine.go.handicap import fixed_handicap_points, free_handicap_points
from gtp_engine.go.points import BLACK, PASS, WHITE, from_vertex, to_vertex
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader

# Who sends it; board size; what is sent after `boardsize`, `clear_board` and `komi`; the handicap that it is.
GAMES = [
    ("kgsGtp, fixed handicap", 19, "set_free_handicap D4 Q16 D16 Q4, play w c14, play b f17", 4),
    ("kgsGtp, as White", 19, "set_free_handicap D4 Q16", 2),
    ("kgsGtp, free placement by a person", 19, "set_free_handicap C3 R17 C17 R3 K10 K4, play w g3, play b g4", 6),
    ("kgsGtp, White passes", 9, "set_free_handicap C3 G7, play w pass, play b c7, play w g3", 2),
    ("gtp2ogs, handicap as plays", 9, "play black C3, play black G7", 2),
    ("gtp2ogs, later in that game", 9, "play black C3, play black G7, play white E5, play black E4, play white D4", 2),
    ("gtp2ogs, five stones on 9x9", 9, "play black C3, play black G7, play black C7, play black G3, play black E5, play white E3", 5),
    ("gtp2ogs, free placement by the engine", 9, "place_free_handicap 13, play white A1, play black B1", 13),
    ("gtp2ogs, free placement by the opponent", 13, "set_free_handicap D4 K10 D10 K4 G7 G4 G10 D7 K7 C3 L11, play white C6", 11),
    ("gtp2ogs, an even game", 9, "play black C3, play white G7, play black C7, play white G3", 0),
    ("GoGui, fixed handicap", 9, "fixed_handicap 9, play w e2, play b d2", 9),
    ("GoGui, Black plays first", 9, "play b e5", 0),
    ("gogui-twogtp, an opening", 9, "gogui-play_sequence b C3 w G7 b G3 w C7", 0),
    ("Sabaki, a handicap game", 19, "set_free_handicap D16 D4 Q16 Q4 K10, play W C14, play B C12, play W F17", 5),
    ("Sabaki, an old record: HA and Black's moves", 19, "play B D4, play B Q16, play B D16, play W Q4", 3),
    ("CGOS, catching up after passes", 9, "play b e5, play w pass, play b pass, play w c3", 0),
]

SET_UPS = [
    ("Sabaki, AB and AW", 9, "set_free_handicap A2 B2 C2 C1, play W A3, play W B3, play W C3, play W D2, play W D1"),
    ("Sabaki, two white stones", 9, "set_free_handicap C3 G7 E5, play W D3, play W D4"),
    ("Sabaki, one black stone", 9, "play B E5, play W D5, play W E4, play W F5"),
    ("Sabaki, black stones with one white one", 9, "set_free_handicap D3 C4 E4 D6, play W D4"),
    ("Sabaki, AB again in the second node", 9, "set_free_handicap C3 G7, play B E5"),
    ("Sabaki, a move after it", 9, "set_free_handicap A2 B2 C2 C1, play W A3, play W B3, play W C3, play W D2, play B D3, play W D4"),
    ("AB and AW as plays", 9, "play b a2, play b b2, play b c2, play b c1, play w a3, play w b3, play w c3, play w d2"),
    ("AW before AB", 9, "play w a3, play w b3, play w c3, play w d2, play b a2, play b b2, play b c2, play b c1"),
    ("AW and one black stone", 9, "play w d5, play w e4, play b e5"),
    ("gtp2ogs, a forked game", 9, "play black C3, play black D5, play black E6, play white G7, play white G3, play white F5"),
    ("GoGui without gogui-setup", 9, "play b C3, play b D3, play b E3, play w C2, play w D2"),
    ("more stones than a handicap has", 9, "set_free_handicap A1 C1 E1 G1 J1 A4 D4 F4 H4 J4, play w e6"),
    ("walls", 9, "play b C1, play b C2, play b C3, play b B3, play w B2"),
    ("gogui-setup", 9, "gogui-setup b C3 b D5 b E6 w E5"),
    ("gogui-setup of black stones alone", 9, "gogui-setup b C3 b D5 b E6"),
]


def send(client: Client, size: int, lines: str) -> None:
    """What a client sends for a position."""
    for line in (f"boardsize {size}", "clear_board", "komi 7.5", *lines.split(", ")):
        client.ok(line)


@pytest.mark.parametrize(("client", "size", "lines", "handicap"), GAMES, ids=[row[0] for row in GAMES])
def test_handicap_games(client: str, size: int, lines: str, handicap: int, gtp: Client) -> None:
    send(gtp, size, lines)
    engine = gtp.loader.engine()
    assert engine.state.handicap() == handicap
    assert engine.state.white_points() == 7.5 + handicap  # chinese rules
    assert as_loaded(engine.game) is engine.game


def test_before_the_first_play_nothing_is_set_up() -> None:
    game = Game(9)
    assert handicap_of(game) == 0 and as_loaded(game) is game


@pytest.mark.parametrize(("client", "size", "lines"), SET_UPS, ids=[row[0] for row in SET_UPS])
def test_set_ups(client: str, size: int, lines: str, gtp: Client) -> None:
    send(gtp, size, lines)
    engine = gtp.loader.engine()
    assert engine.state.handicap() == 0
    assert engine.state.white_points() == 7.5
    loaded, game = as_loaded(engine.game), engine.game
    assert [loaded.stones(color) for color in (BLACK, WHITE)] == [game.stones(color) for color in (BLACK, WHITE)]


def played(moves: str) -> Game:
    """A 9x9 game of these moves, `bE5 wpass`."""
    game = Game(9)
    for move in moves.split():
        game.play(BLACK if move[0] == "b" else WHITE, from_vertex(move[1:], 9))
    return game


@pytest.mark.parametrize(
    ("moves", "left"),
    [
        ("bA2 bB2 wA3 wB3", ""),
        ("bA2 bB2 wA3 wB3 bC3", "bC3"),
        ("bA2 bB2 wA3 wB3 bC3 wD4 bD3", "bC3 wD4 bD3"),
        ("bA2 bB2 wA3 wB3 bC3 bC4 wD4 wD5 bE5 wF6", "bE5 wF6"),
        ("bA2 bB2 wA3 wB3 bpass wC3 wD3", "bpass wC3 wD3"),
        ("wA2 wA3 bE5 wC3 bD3", "wC3 bD3"),
    ],
)
def test_moves_behind_the_set_up_are_moves(moves: str, left: str) -> None:
    game = played(moves)
    loaded = as_loaded(game)
    assert loaded.moves == played(left).moves
    assert loaded.stones(BLACK) == game.stones(BLACK) and loaded.stones(WHITE) == game.stones(WHITE)
    assert loaded.to_play == game.to_play and loaded.ko_point() == game.ko_point()


def test_undo_turns_a_set_up_back_into_a_handicap_game(gtp: Client) -> None:
    """The rule looks at what stands there now; nothing of it is remembered, and every play can be taken back."""
    send(gtp, 9, "set_free_handicap C3 G7, play w C7, play w G3")
    assert gtp.loader.engine().state.handicap() == 0
    gtp.ok("undo")
    assert gtp.loader.engine().state.handicap() == 2
    gtp.ok("undo")
    assert gtp.fails("undo") == "cannot undo"


def test_fixed_and_free_placements_look_like_handicap() -> None:
    for size in (7, 9, 13, 19):
        for stones in range(2, 9 if size > 8 else 4):
            assert looks_like_handicap(fixed_handicap_points(size, stones), size)
        for stones in range(2, size * size - 1, 1 if size <= 9 else 29):
            assert looks_like_handicap(free_handicap_points(size, stones), size)


def test_a_record_says_itself_what_its_handicap_is() -> None:
    game = draw_game("X X .\nO . X\n. . .", WHITE)
    assert handicap_of(game) == 0
    game.handicap = 3
    assert handicap_of(game) == 3 and as_loaded(game) is game
    game.play(WHITE, PASS)
    assert handicap_of(game) == 3


PROBLEM = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
X X X X X X X X X
. . . . . . . . .
O O O O . . . . .
X X X O O O O O O
. . X O . . X . .
. . X O O O X . .
"""


def messages() -> dict[str, list[str]]:
    """The position above, Black to play, as each client sends it; `loadsgf` is apart."""
    game = draw_game(PROBLEM)
    black, white = ([to_vertex(point) for point in game.stones(color)] for color in (BLACK, WHITE))
    plays = {color: [f"play {color} {vertex}" for vertex in points] for color, points in (("b", black), ("w", white))}
    return {
        "Sabaki": ["set_free_handicap " + " ".join(sorted(black)), *plays["w"]],
        "AB first": [*plays["b"], *plays["w"]],
        "AW first": [*plays["w"], *plays["b"]],
        "backward": [*plays["b"][::-1], *plays["w"][::-1]],
        "GoGui": ["gogui-setup " + " ".join([f"b {v}" for v in black] + [f"w {v}" for v in white])],
        "KataGo": ["set_position " + " ".join([f"w {v}" for v in white] + [f"b {v}" for v in black])],
    }


@pytest.mark.parametrize("color", ["b", "w"])
def test_the_move_is_the_same_however_the_position_is_sent(color: str, tmp_path: Path, gtp: Client) -> None:
    """Bit by bit: the same visits of every move, the same win rate."""
    send(gtp, 9, messages()["GoGui"][0])
    path = tmp_path / "problem.sgf"
    path.write_text(gtp.ok("printsgf"))
    searches = {}
    for client, lines in {**messages(), "loadsgf": [f"loadsgf {path}"]}.items():
        fresh = Client(EngineLoader(build_small_engine))
        send(fresh, 9, ", ".join(lines))
        move = fresh.ok(f"reg_genmove {color}")
        result = fresh.loader.engine().last_result
        assert result is not None
        searches[client] = [move, fresh.ok(f"genmove {color}"), str([(each.point, each.visits) for each in result.candidates])]
    assert len({tuple(found) for found in searches.values()}) == 1, searches
