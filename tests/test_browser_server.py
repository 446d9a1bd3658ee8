"""The server of `gtp-engine play --browser`: its page, its events, and who is turned away."""

import http.client
import json
import os
import re
import signal
import socket
import stat
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from board_games import NEW, moves, play
from conftest import build_small_engine
from served import served

from gtp_engine.cli.main import main
from gtp_engine.go.points import BLACK
from gtp_engine.interfaces.browser.board import BrowserBoard
from gtp_engine.interfaces.browser.door import MOST_WRONG
from gtp_engine.interfaces.browser.page import part_names
from gtp_engine.interfaces.browser.server import ADDRESS, LONGEST_REQUEST, BoardServer
from gtp_engine.sgf import load

JSON = {"Content-Type": "application/json"}
SGF = {"Content-Type": "application/x-go-sgf"}
PLAY = {"do": "play", "node": 0, "vertex": "C3"}


@pytest.fixture
def board(tmp_path: Path) -> BrowserBoard:
    """A game on 5x5; the person has Black, and the engine doesn't answer yet."""
    engine = build_small_engine()
    engine.state.set_board_size(5)
    board = BrowserBoard(engine, {BLACK}, tmp_path / "kept" / "game.sgf", pytest.fail)
    board.play.is_paused = True
    return board


@pytest.fixture
def server(board: BrowserBoard) -> Iterator[BoardServer]:
    """The board, served."""
    with served(board) as server:
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
    assert status == 200 and '"ranks": ["none", "3d"' in page
    for name in re.findall(r'(?:src|href)="([^"]+\.(?:js|css))"', page):
        assert ask(server, "GET", f"/{server.secret}/{name}")[0] == 200
    status, answer = ask(server, "POST", f"/{server.secret}/do", json.dumps(PLAY))
    assert (status, answer) == (200, {"node": 1})
    assert ask(server, "POST", f"/{server.secret}/do", json.dumps({"do": "interrupt"})) == (200, {})
    status, record = ask(server, "GET", f"/{server.secret}/game.sgf")
    assert status == 200 and "SZ[5]" in record and ";B[cc]" in record


def test_every_module_of_the_page_is_served(server: BoardServer) -> None:
    waiting, known = ["main.js"], set[str]()
    while waiting:
        name = waiting.pop()
        known.add(name)
        status, text = ask(server, "GET", f"/{server.secret}/{name}")
        assert status == 200
        waiting += set(re.findall(r'(?:from|import) "\./([^"]+)"', text)) - known
    assert {"board.js", "graph.js", "server.js"} <= known == {name for name in part_names() if name.endswith(".js")}


def events_of(server: BoardServer) -> Iterator[dict[str, Any]]:
    """What a page is told."""
    return events_at(http.client.HTTPConnection(ADDRESS, server.server_address[1], timeout=30), f"/{server.secret}/events")


def events_at(connection: http.client.HTTPConnection, path: str) -> Iterator[dict[str, Any]]:
    """What a page is told there."""
    connection.request("GET", path)
    answer = connection.getresponse()
    assert answer.headers["Content-Type"] == "text/event-stream"
    try:
        while True:
            line = answer.readline()
            if line.startswith(b"data: "):
                yield json.loads(line.removeprefix(b"data: "))
    finally:
        connection.close()


def test_every_page_sees_the_moves_of_the_others(server: BoardServer) -> None:
    pages = [events_of(server), events_of(server)]
    assert all(next(page)["tree"]["size"] == 5 for page in pages)
    play(server.board, "C3")
    for page in pages:
        told = next(event["nodes"] for event in page if "nodes" in event)
        assert told[0] | {"parent": 0, "vertex": "C3", "color": "black", "changes": [12, 1]} == told[0]
        page.close()  # type: ignore[attr-defined]


def test_a_record_is_opened_as_it_is_in_its_file(server: BoardServer) -> None:
    status, answer = ask(server, "POST", f"/{server.secret}/open", "(;SZ[9];B[cc];W[gg])", SGF)
    assert (status, answer["node"]) == (200, 0) and moves(server.board) == 2
    assert server.board.play.state()["person"] == "both"
    status, answer = ask(server, "POST", f"/{server.secret}/open", "no record", SGF)
    assert (status, answer["error"]) == (400, "This record can't be opened: there is no game record in the file: a record begins with (;")
    assert moves(server.board) == 2


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
        ("POST", "/SECRET/open", "(;SZ[9])", {"Content-Type": "text/plain"}, 400),
        ("POST", "/SECRET/open", "", {**SGF, "Content-Length": "4000001"}, 413),
        ("POST", "/open", "", {**SGF, "Content-Length": "100"}, 403),
        ("GET", "/events", "", {}, 403),
        ("POST", "/SECRET/problems", "(;SZ[9])", {"Content-Type": "text/plain"}, 400),
        ("POST", "/problems", "", {**SGF, "Content-Length": "100"}, 403),
        ("POST", "/SECRET/other", "{}", JSON, 404),
        ("GET", "/SECRET/__init__.py", "", {}, 404),
        ("GET", "/SECRET/static/main.js", "", {}, 404),
        ("GET", "/SECRET/../etc/passwd", "", {}, 404),
    ],
)
def test_strangers_and_nonsense_are_refused(
    server: BoardServer, method: str, path: str, body: str, headers: dict[str, str], status: int
) -> None:
    found, answer = ask(server, method, path.replace("SECRET", server.secret), body, headers)
    assert found == status and answer["error"]
    assert server.board.play.result == "" and len(server.board.desk.tree.nodes) == 1


@pytest.fixture
def shared(board: BrowserBoard, monkeypatch: pytest.MonkeyPatch) -> Iterator[BoardServer]:
    """The board, shared on a network whose address is another one of this machine's own."""
    monkeypatch.setattr("gtp_engine.interfaces.browser.door.PAUSE", 0.0)
    with served(board, "127.0.0.2") as server:
        yield server


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def knock(server: BoardServer, code: str, host: str = "") -> tuple[int, str]:
    """Status and Location of an attempt to enter."""
    connection = http.client.HTTPConnection(server.shared_at, server.server_address[1], timeout=10)
    connection.request("POST", "/", f"code={code}", {**FORM, **({"Host": host} if host else {})})
    answer = connection.getresponse()
    return answer.status, answer.headers.get("Location", "")


def test_a_board_that_is_shared_opens_to_who_types_the_code(shared: BoardServer) -> None:
    assert shared.door is not None
    connection = http.client.HTTPConnection(shared.shared_at, shared.server_address[1], timeout=10)
    connection.request("GET", "/")
    page = connection.getresponse().read().decode()
    assert "<form" in page and shared.secret not in page and shared.door.code not in page
    for code in ("", "AAAA-AAAA", shared.secret, shared.door.code[:-1], "%00" * 50):
        assert knock(shared, code) == (403, "")
    assert knock(shared, shared.door.code, "go.example.com")[0] == 403  # another name that leads here
    assert knock(shared, shared.door.code.lower().replace("-", " ").replace(" ", "+")) == (303, f"/{shared.secret}/")
    connection = http.client.HTTPConnection(shared.shared_at, shared.server_address[1], timeout=10)
    connection.request("GET", f"/{shared.secret}/game.sgf")
    assert connection.getresponse().status == 200
    for path in ("/do", "/wrong/do", "/game.sgf"):
        assert ask(shared, "POST", path, "{}")[0] == 403


def test_a_code_that_is_guessed_at_shuts_the_door(shared: BoardServer) -> None:
    assert shared.door is not None
    for _ in range(MOST_WRONG):
        assert knock(shared, "AAAA-AAAA")[0] == 403
    assert knock(shared, shared.door.code)[0] == 403


def test_nothing_is_shared_by_default(server: BoardServer) -> None:
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", server.server_address[1]), 5)
    assert ask(server, "GET", "/")[0] == 403


def test_on_port_80_a_browser_names_no_port(server: BoardServer, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = http.client.HTTPConnection(*server.server_address)
    monkeypatch.setattr(server, "server_address", (ADDRESS, 80))
    assert server.url == f"http://{ADDRESS}/{server.secret}/"
    connection.request("GET", f"/{server.secret}/game.sgf", headers={"Host": ADDRESS})
    assert connection.getresponse().status == 200


def serve(folder: Path, *options: str, browser: str = "true %s") -> tuple["subprocess.Popen[str]", http.client.HTTPConnection, str]:
    """The command with a home of its own: the process, a connection, and the path of its page."""
    environment = {**os.environ, "XDG_STATE_HOME": str(folder), "BROWSER": browser}
    command = [sys.executable, "-P", "-m", "gtp_engine", "play", "--browser", *options]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address, secret = process.stdout.readline().split("http://")[1].split("/")[:2]
    return process, http.client.HTTPConnection(address, timeout=200), f"/{secret}/"


def test_killed_or_ended_the_game_goes_on_at_the_next_start(tmp_path: Path) -> None:
    """At the same level, too."""
    for number, end in enumerate((signal.SIGKILL, signal.SIGINT)):
        process, connection, path = serve(tmp_path, *([] if number else ["--level", "3"]))
        try:
            if number == 0:
                connection.request("POST", f"{path}do", json.dumps(PLAY), JSON)
                assert json.loads(connection.getresponse().read()) == {"node": 1}
            state = next(events_at(connection, f"{path}events"))
            assert state["play"]["strength"] == "at level 3" and state["play"]["tip"] in (1, 2)
            assert state["note"] == ("This is your unfinished game." if number else "")
            process.send_signal(end)
            assert process.wait(30) == (130 if number else -signal.SIGKILL)
        finally:
            process.kill()
            process.wait()
    assert len(load(tmp_path / "gtp_engine" / "unfinished.sgf").game.moves) in (1, 2)  # the engine may have answered


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
        connection.request("POST", f"{path}do", json.dumps(PLAY), JSON)
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
        for (_, connection, path), request in ((first, PLAY), (second, NEW)):
            connection.request("POST", f"{path}do", json.dumps(request), JSON)
            assert connection.getresponse().status == 200
        assert load(tmp_path / "gtp_engine" / "unfinished.sgf").game.moves
    finally:
        for process, _, _ in (first, second):
            process.kill()
            process.wait()


def test_what_does_not_go_together_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    for options, sentence in (
        (["--browser", "--plain"], "are for the terminal"),
        (["--browser", "--game", "tictactoe"], "are for the terminal"),
        (["--port", "8000"], "--port is for --browser"),
        (["--share"], "--share is for --browser"),
    ):
        with pytest.raises(SystemExit, match="2"):
            main(["play", *options])
        assert sentence in capsys.readouterr().err


def test_a_page_that_is_closed_early_is_no_fault(server: BoardServer, capsys: pytest.CaptureFixture[str]) -> None:
    connection = http.client.HTTPConnection(ADDRESS, server.server_address[1])
    connection.request("POST", f"/{server.secret}/do", json.dumps({"do": "look", "node": 0}), JSON)
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # closing breaks the connection at once
    connection.close()
    assert ask(server, "POST", f"/{server.secret}/do", json.dumps({"do": "undo"}))[0] == 200
    assert "Traceback" not in capsys.readouterr().err


def test_a_port_that_is_taken_or_none_is_told() -> None:
    with socket.create_server((ADDRESS, 0)) as taken:
        for port, sentence in ((taken.getsockname()[1], "address already in use"), (99_999, "there is no such port")):
            command = [sys.executable, "-P", "-m", "gtp_engine", "play", "--browser", "--port", str(port)]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 2 and sentence in done.stderr.lower() and "Traceback" not in done.stderr
