"""KGS's own commands."""

import pytest
from conftest import Client, build_small_engine

from gtp_engine.engine.config.front_end import FrontEnd
from gtp_engine.interfaces.gtp.commands import make_dispatcher
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader

DEAD_STONE = """
    . . X . . . O . .
    . . X . . . O . .
    . . X . . . O . .
    . . X . . . O . .
    . . X . . . O . X
    . . X . . . O . .
    . . X . . . O . .
    . . X . . . O . .
    . . X . . . O . ."""


def test_cleanup_takes_dead_stones_off_until_none_is_left(gtp: Client) -> None:
    """KGS asks again and again; after the pass every stone is alive."""
    gtp.board(DEAD_STONE)
    moves: list[str] = []
    while len(moves) < 10 and moves[-1:] != ["pass"]:
        moves.append(gtp.ok("kgs-genmove_cleanup w"))
        gtp.ok("play b pass")
    assert moves[-1] == "pass" and len(moves) > 1
    assert set(moves[:-1]) <= {"J4", "J6", "H5"}
    assert "J5" not in gtp.ok("list_stones b")
    assert gtp.ok("final_status_list dead") == ""


@pytest.mark.parametrize("arguments", ["", "green", "w extra"])
def test_cleanup_refuses_what_is_no_color(arguments: str, gtp: Client) -> None:
    assert gtp.fails(f"kgs-genmove_cleanup {arguments}") == "syntax error"


def test_game_over_keeps_the_position(gtp: Client) -> None:
    gtp.ok("play b e5")
    gtp.ok("kgs-game_over")
    assert gtp.ok("list_stones b") == "E5"


def test_chat_is_an_option() -> None:
    """kgsGtp 3.5.20 breaks when kgs-chat is listed; a `?` makes it use its own text."""
    client = Client(EngineLoader(build_small_engine))
    assert client.ok("known_command kgs-chat") == "false"
    client.dispatcher = make_dispatcher(client.loader, "gtp_engine", "0", front_end=FrontEnd(kgs_chat=True))
    assert client.ok("known_command kgs-chat") == "true"
    assert "not thought" in client.ok("kgs-chat game someone winrate?")
    client.ok("genmove b")
    assert "%" in client.ok("kgs-chat private someone what is your WINRATE")
    assert client.fails("kgs-chat game someone hello") == "nothing to say"
    assert client.fails("kgs-chat shout someone hello") == "syntax error"
    assert client.fails("kgs-chat") == "syntax error"
