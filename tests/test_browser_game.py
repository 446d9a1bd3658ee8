"""`gtp-engine play --browser`: what the page may ask for, and who may ask."""

import http.client
import json
import os
import signal
import socket
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from conftest import build_small_engine
from served import served

from gtp_engine.browser.game import BadRequest, BrowserGame
from gtp_engine.browser.server import ADDRESS, LONGEST_REQUEST, BoardServer
from gtp_engine.cli.main import main
from gtp_engine.go.points import BLACK
from gtp_engine.person.game import PersonGame
from gtp_engine.person.kept_game import load as load_unfinished
from gtp_engine.player.engine import Engine
from gtp_engine.player.levels.chooser import chooser_at
from gtp_engine.player.textbook_chooser import TextbookChooser
from gtp_engine.sgf import load

JSON = {"Content-Type": "application/json"}
NEW = {"do": "new", "size": 9, "color": "black", "handicap": 0, "komi": 5.5, "rank": "none"}


@pytest.fixture(scope="module")
def engine() -> Engine:
    """One engine for all games, as it takes a while to build."""
    return build_small_engine()


@pytest.fixture
def game(engine: Engine, tmp_path: Path) -> BrowserGame:
    """A game on 5x5; the person has Black."""
    engine.state.set_board_size(5)
    return BrowserGame(PersonGame(engine, {BLACK}), tmp_path / "kept" / "game.sgf", pytest.fail)


def stones_of(state: dict[str, Any]) -> str:
    """The board as lines."""
    marks = "".join(".XO"[color] for color in state["stones"])
    return "\n".join(marks[start : start + state["size"]] for start in range(0, len(marks), state["size"]))


def test_a_move_is_shown_then_answered(game: BrowserGame) -> None:
    state = game.answer({"do": "play", "vertex": "b4"})
    assert stones_of(state) == ".....\n.X...\n.....\n.....\n....."
    assert (state["toPlay"], state["lastMove"], state["isEnginesTurn"]) == ("white", "B4", True)
    state = game.answer({"do": "answer"})
    assert state["moves"] == 2 or state["result"] == "B+R"
    state = game.answer({"do": "undo"})
    assert (state["moves"], state["note"]) == (0, "Taken back.")


def test_what_is_not_allowed_is_told_and_changes_nothing(game: BrowserGame) -> None:
    game.answer({"do": "play", "vertex": "C3"})
    assert game.answer({"do": "play", "vertex": "D4"})["note"] == "It is not your turn."
    game.answer({"do": "undo"})
    assert game.answer({"do": "undo"})["note"] == "There is no move of yours to take back."
    assert game.answer({"do": "answer"})["moves"] == 0  # it is not the engine's turn
    game.played.colors = {1, 2}
    game.answer({"do": "play", "vertex": "C3"})
    assert game.answer({"do": "play", "vertex": "C3"})["note"] == "Illegal: occupied point."
    assert game.answer({"do": "play", "vertex": "F6"})["note"] == "'F6' is no point of the board."
    assert game.answer({"do": "play"})["note"] == "None is no point of the board."


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"do": "castle"}, "there is no request 'castle'"),
        ({"do": "rank", "rank": "9d"}, "there is no rank '9d'"),
        ({**NEW, "size": 12}, "there is no game on 12 lines"),
        ({**NEW, "size": [9]}, "there is no game on"),
        ({**NEW, "color": "red"}, "for the color 'red'"),
        ({**NEW, "color": {}}, "for the color"),
        ({**NEW, "komi": "many"}, "'many' is no komi"),
        ({**NEW, "komi": float("nan")}, "nan is no komi"),
        ({**NEW, "handicap": 10}, "there is no handicap of 10 stones"),
        ({**NEW, "handicap": "two"}, "there is no handicap of 'two' stones"),
        ({**NEW, "handicap": 2.5}, "there is no handicap of 2.5 stones"),
        ({**NEW, "rank": None}, "there is no rank None"),
    ],
)
def test_a_bad_request_is_refused_in_a_sentence(game: BrowserGame, change: dict[str, Any], sentence: str) -> None:
    game.answer({"do": "play", "vertex": "C3"})
    with pytest.raises(BadRequest, match=sentence.replace("(", r"\(")):
        game.answer(change)
    assert game.answer({"do": "state"})["moves"] == 1


def test_another_game_with_handicap_against_a_rank(game: BrowserGame) -> None:
    state = game.answer({**NEW, "size": 13, "color": "white", "handicap": 4, "komi": 0.5, "rank": "12k"})
    assert (state["size"], state["handicap"], state["komi"], state["rank"], state["person"]) == (13, 4, 0.5, "12k", "white")
    assert state["strength"] == "at rank 12k" and state["toPlay"] == "white" and not state["isEnginesTurn"]
    assert sum(stone == BLACK for stone in state["stones"]) == 4
    state = game.answer({"do": "rank", "rank": "none"})
    assert (state["rank"], state["note"]) == ("none", "The engine plays at full strength.")


def test_a_level_stays_until_a_rank_is_chosen(game: BrowserGame) -> None:
    game.engine.set_chooser(chooser_at(4))
    assert game.answer(NEW)["strength"] == "at level 4"
    assert game.answer({**NEW, "rank": "5k"})["strength"] == "at rank 5k"
    assert game.answer({**NEW, "rank": "none"})["strength"] == "at full strength"


def test_a_player_from_the_textbook_has_no_ranks(game: BrowserGame) -> None:
    before = game.engine.chooser
    game.engine.set_chooser(TextbookChooser("random"))
    try:
        assert game.answer(NEW)["rank"] == "none"
        with pytest.raises(BadRequest, match="this player has no ranks"):
            game.answer({"do": "rank", "rank": "5k"})
    finally:
        game.engine.set_chooser(before)


def test_two_passes_count_the_game(game: BrowserGame) -> None:
    game.played.colors = {1, 2}
    game.engine.state.komi = 0.5
    for vertex in ("c3", "pass", "pass"):
        state = game.answer({"do": "play", "vertex": vertex})
    assert (state["result"], state["note"]) == ("B+24.5", "Both passed. Black leads by 24.5, komi included.")
    assert state["ownership"] == [1.0] * 25
    assert game.answer({"do": "play", "vertex": "a1"})["note"].startswith("The game is over.")
    assert game.answer({"do": "hint"})["note"].startswith("The game is over.")


def test_giving_up(game: BrowserGame) -> None:
    state = game.answer({"do": "resign"})
    assert (state["result"], state["ownership"]) == ("W+R", [])
    assert state["note"] == "Black resigns: white wins."


def test_hint_and_score(game: BrowserGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gtp_engine.browser.game.HINT_SECONDS", 0.05)
    assert game.answer({"do": "hint"})["note"].endswith("% of the time.")
    assert "komi included" in game.answer({"do": "score"})["note"]


def test_the_game_is_kept_after_each_move_until_it_ends(game: BrowserGame, tmp_path: Path) -> None:
    kept = tmp_path / "kept" / "game.sgf"
    game.played.set_rank("8k")
    game.answer({"do": "play", "vertex": "C3"})
    unfinished = load_unfinished(kept)
    assert unfinished is not None and (len(unfinished.game.moves), unfinished.rank, unfinished.colors) == (1, "8k", {BLACK})
    assert unfinished.as_text() == "a game of 1 move on 5x5 against rank 8k"
    game.answer({"do": "undo"})
    assert not kept.exists()
    game.answer({"do": "rank", "rank": "none"})


def test_a_folder_that_cannot_be_written_is_told_once(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told: list[str] = []
    game = BrowserGame(PersonGame(engine, {1, 2}), tmp_path / "file" / "game.sgf", told.append)
    engine.state.set_board_size(5)
    game.answer({"do": "play", "vertex": "C3"})
    game.answer({"do": "play", "vertex": "D4"})
    assert len(told) == 1 and told[0].startswith(f"The game cannot be kept in {tmp_path}/file/game.sgf: ")


@pytest.fixture
def server(game: BrowserGame) -> Iterator[BoardServer]:
    """The game, served."""
    with served(game) as server:
        yield server


def ask(server: BoardServer, method: str, path: str, body: str = "", headers: dict[str, str] = JSON) -> tuple[int, Any]:
    """Status and body, read as JSON where it is."""
    connection = http.client.HTTPConnection(ADDRESS, server.server_address[1], timeout=10)
    connection.request(method, path, body or None, headers)
    answer = connection.getresponse()
    content = answer.read().decode()
    connection.close()
    return answer.status, json.loads(content) if answer.headers["Content-Type"] == JSON["Content-Type"] else content


def test_the_page_and_its_requests(server: BoardServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    status, page = ask(server, "GET", f"/{server.secret}/")
    assert status == 200 and '"ranks": ["none", "3d"' in page and "class BoardView" in page and "/*" + "STYLE*/" not in page
    status, state = ask(server, "POST", f"/{server.secret}/do", json.dumps({"do": "play", "vertex": "C3"}))
    assert (status, state["moves"]) == (200, 1)
    assert ask(server, "POST", f"/{server.secret}/do", json.dumps({"do": "interrupt"})) == (200, {})
    status, record = ask(server, "GET", f"/{server.secret}/game.sgf")
    assert status == 200 and "PB[person]" in record and ";B[cc]" in record


class ClickedWhileKept(BrowserGame):
    """A game that somebody interrupts whenever it is written: the engine's move is chosen by then, and not answered yet."""

    click: Callable[[], object] = staticmethod(lambda: None)

    def keep(self) -> None:
        """See BrowserGame."""
        super().keep()
        self.click()


def searched(engine: Engine) -> int:
    """The simulations of the engine's last move."""
    assert engine.last_result is not None
    return engine.last_result.simulations


def test_an_interrupt_that_comes_too_late_does_not_reach_the_next_move(engine: Engine) -> None:
    """As the second half of a double click on "Move now", or one while the game is being written."""
    engine.state.set_board_size(9)
    whole = engine.params.playouts
    game = ClickedWhileKept(PersonGame(engine, set()), None, pytest.fail)
    with served(game) as server:
        game.click = lambda: server.answer({"do": "interrupt"})
        for _ in range(2):
            server.answer({"do": "answer"})
            assert searched(engine) >= whole
            server.answer({"do": "interrupt"})


def test_an_interrupt_reaches_a_move_that_still_waits(engine: Engine) -> None:
    """As it does at the start, when the kernels are being compiled."""
    engine.state.set_board_size(9)
    compiled = Event()
    with served(BrowserGame(PersonGame(engine, set()), None, pytest.fail)) as server, ThreadPoolExecutor() as page:
        server.thread.submit(compiled.wait)
        answer = page.submit(server.answer, {"do": "answer"})
        while not server.moves_due:
            time.sleep(0.001)
        server.answer({"do": "interrupt"})
        compiled.set()
        assert answer.result()["moves"] == 1
    assert searched(engine) < engine.params.playouts


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status"),
    [
        ("GET", "/", "", {}, 403),
        ("GET", "/wrong/", "", {}, 403),
        ("GET", "/SECRET/", "", {"Host": "go.example.com"}, 403),  # another name that leads here
        ("POST", "/do", '{"do": "resign"}', JSON, 403),
        ("POST", "/SECRET/do", '{"do": "resign"}', {"Content-Type": "text/plain"}, 400),  # what a form of another page can send
        ("POST", "/SECRET/do", '{"do": "resign"', JSON, 400),
        ("POST", "/SECRET/do", "[1]", JSON, 400),
        ("POST", "/SECRET/do", "\x00", JSON, 400),
        ("POST", "/SECRET/do", "[" * (LONGEST_REQUEST - 10), JSON, 400),
        ("POST", "/SECRET/do", "", {**JSON, "Content-Length": str(LONGEST_REQUEST + 1)}, 413),
        ("POST", "/SECRET/do", "", {**JSON, "Content-Length": "9" * 5_000}, 413),
        ("POST", "/SECRET/do", "", {**JSON, "Content-Length": "³"}, 400),
        ("POST", "/do", "", {**JSON, "Content-Length": "100"}, 403),  # a stranger's body is not waited for
        ("POST", "/SECRET/other", "{}", JSON, 404),
        ("GET", "/SECRET/../etc/passwd", "", {}, 404),
    ],
)
def test_strangers_and_nonsense_are_refused(
    server: BoardServer, method: str, path: str, body: str, headers: dict[str, str], status: int
) -> None:
    found, answer = ask(server, method, path.replace("SECRET", server.secret), body, headers)
    assert found == status and answer["error"]
    assert server.game.played.result == ""


def test_on_port_80_a_browser_names_no_port(server: BoardServer, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = http.client.HTTPConnection(*server.server_address)
    monkeypatch.setattr(server, "server_address", (ADDRESS, 80))
    assert server.url == f"http://{ADDRESS}/{server.secret}/"
    connection.request("GET", f"/{server.secret}/game.sgf", headers={"Host": ADDRESS})
    assert connection.getresponse().status == 200


def serve(folder: Path, *options: str, browser: str = "true %s") -> tuple["subprocess.Popen[str]", http.client.HTTPConnection, str]:
    """The command with a home of its own: the process, a connection, and where requests go."""
    environment = {**os.environ, "XDG_STATE_HOME": str(folder), "BROWSER": browser}
    command = [sys.executable, "-P", "-m", "gtp_engine", "play", "--browser", *options]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address, secret = process.stdout.readline().split("http://")[1].split("/")[:2]
    return process, http.client.HTTPConnection(address, timeout=200), f"/{secret}/do"


def test_killed_or_ended_the_game_goes_on_at_the_next_start(tmp_path: Path) -> None:
    """At the same level, too."""
    for number, end in enumerate((signal.SIGKILL, signal.SIGINT)):
        process, connection, path = serve(tmp_path, *([] if number else ["--level", "3"]))
        try:
            request = {"do": "state"} if number else {"do": "play", "vertex": "C3"}
            connection.request("POST", path, json.dumps(request), JSON)
            state = json.loads(connection.getresponse().read())
            assert (state["moves"], state["strength"]) == (1, "at level 3")
            assert state["note"] == ("Your unfinished game goes on." if number else "")
            process.send_signal(end)
            assert process.wait(30) == (130 if number else -signal.SIGKILL)
        finally:
            process.kill()
            process.wait()
    assert len(load(tmp_path / "gtp_engine" / "unfinished.sgf").game.moves) == 1


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
def test_other_users_of_the_machine_can_read_neither_the_secret_nor_the_game(tmp_path: Path) -> None:
    """All of them can read the command line of the browser."""
    folder, told = tmp_path / "gtp_engine", tmp_path / "told"
    folder.mkdir(mode=0o755)  # as older versions made it
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$*" > {told}.part; mv {told}.part {told}\n')
    browser.chmod(0o755)
    process, connection, path = serve(tmp_path, browser=f"{browser} %s")
    try:
        connection.request("POST", path, json.dumps({"do": "play", "vertex": "C3"}), JSON)
        assert connection.getresponse().status == 200
        secret = path.split("/")[1]
        page = folder / "board.html"
        assert told.read_text() == page.as_uri() and secret not in told.read_text()
        assert secret not in Path(f"/proc/{process.pid}/cmdline").read_text()
        assert f"http://{connection.host}:{connection.port}/{secret}/" in page.read_text()
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in (folder, *folder.iterdir())}
        assert modes == {"gtp_engine": 0o700, "board.html": 0o600, "unfinished.sgf": 0o600, "unfinished.lock": 0o600}
        process.send_signal(signal.SIGINT)
        process.wait(30)
        assert not page.exists()
    finally:
        process.kill()
        process.wait()


def test_a_second_board_does_not_touch_the_game_of_the_first(tmp_path: Path) -> None:
    first, second = serve(tmp_path), serve(tmp_path)
    try:
        for (_, connection, path), request in ((first, {"do": "play", "vertex": "C3"}), (second, NEW)):
            connection.request("POST", path, json.dumps(request), JSON)
            assert connection.getresponse().status == 200
        assert len(load(tmp_path / "gtp_engine" / "unfinished.sgf").game.moves) == 1
    finally:
        for process, _, _ in (first, second):
            process.kill()
            process.wait()


def test_what_does_not_go_together_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    for options, sentence in (
        (["--browser", "--plain"], "are for the terminal"),
        (["--browser", "--game", "tictactoe"], "are for the terminal"),
        (["--port", "8000"], "--port is for --browser"),
    ):
        with pytest.raises(SystemExit, match="2"):
            main(["play", *options])
        assert sentence in capsys.readouterr().err


def test_a_page_that_is_closed_early_is_no_fault(server: BoardServer, capsys: pytest.CaptureFixture[str]) -> None:
    connection = http.client.HTTPConnection(ADDRESS, server.server_address[1])
    connection.request("POST", f"/{server.secret}/do", json.dumps({"do": "score"}), JSON)
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing breaks the connection at once
    connection.close()
    assert ask(server, "POST", f"/{server.secret}/do", json.dumps({"do": "state"}))[0] == 200
    assert "Traceback" not in capsys.readouterr().err


def test_a_port_that_is_taken_or_none_is_told() -> None:
    with socket.create_server((ADDRESS, 0)) as taken:
        for port, sentence in ((taken.getsockname()[1], "address already in use"), (99_999, "there is no such port")):
            command = [sys.executable, "-P", "-m", "gtp_engine", "play", "--browser", "--port", str(port)]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 2 and sentence in done.stderr.lower() and "Traceback" not in done.stderr
