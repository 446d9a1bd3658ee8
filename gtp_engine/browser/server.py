"""Brings a game to a page: a server for this machine's own browser alone.

It listens on 127.0.0.1, and answers only requests whose path begins with a secret that is drawn anew at each start and whose Host is this
address: so neither another machine, nor another user, nor a page from elsewhere in the same browser can play here. Nothing else of another
request is read.

    GET /SECRET/            the page
    GET /SECRET/game.sgf    the game
    POST /SECRET/do         a request of game.py as JSON; the answer is the state, or {"error": sentence}
"""

import json
import secrets
import sys
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from threading import Lock
from typing import Any

from gtp_engine.browser.engine_thread import EngineThread
from gtp_engine.browser.game import RANKS, SIZES, BadRequest, BrowserGame
from gtp_engine.pages import put_together

ADDRESS = "127.0.0.1"
LONGEST_REQUEST = 10_000  # bytes
HTTP_PORT = 80
PATIENCE = 30.0  # seconds that a connection may be silent
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:"
HTML, JSON, SGF = "text/html; charset=utf-8", "application/json", "application/x-go-sgf"


class BoardServer(ThreadingHTTPServer):
    """Serves one game. Raises OSError for a port that is taken. All that touches the engine runs in one thread."""

    daemon_threads = True

    def __init__(self, game: BrowserGame, port: int = 0) -> None:
        """`port`: 0 takes any free one."""
        self.game = game
        self.secret = secrets.token_urlsafe(12)
        self.thread = EngineThread()
        self.lock = Lock()  # an interrupt comes wholly before or wholly after the end of a request
        self.moves_due = 0  # requests for the engine's move that are not answered yet
        super().__init__((ADDRESS, port), PageHandler)

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://{self.host}/{self.secret}/"

    @property
    def host(self) -> str:
        """Address and port, as a browser names them: without the port that it assumes."""
        port = self.server_address[1]
        return ADDRESS if port == HTTP_PORT else f"{ADDRESS}:{port}"

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The state after a request. Raises BadRequest."""
        if request.get("do") == "interrupt":  # the one thing that may be asked while the engine thinks
            self.interrupt()
            return {}
        if request.get("do") == "answer":
            with self.lock:
                self.moves_due += 1
            return self.thread.submit(partial(self._move, request)).result()
        return self.thread.submit(partial(self.game.answer, request)).result()

    def interrupt(self) -> None:
        """Let the engine move at once. Nothing happens when its move is not asked for: its next move must not be cut short."""
        with self.lock:
            if self.moves_due:
                self.game.engine.interrupt()

    def _move(self, request: dict[str, Any]) -> dict[str, Any]:
        """The state after the engine's move; for the engine's thread. An interrupt that came too late for it is forgotten."""
        try:
            return self.game.answer(request)
        finally:
            with self.lock:
                self.moves_due -= 1
                self.game.engine.forget_interrupt()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing is said of a page that was closed while its answer was on the way."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def record(self) -> str:
        """The game as SGF."""
        return self.thread.submit(lambda: self.game.played.record()).result()  # of the game that is played by then


class PageHandler(BaseHTTPRequestHandler):
    """One connection."""

    server: BoardServer
    protocol_version = "HTTP/1.1"
    timeout = PATIENCE

    def do_GET(self) -> None:
        """The page and the record."""
        if self.is_stranger():
            return
        if self.path == f"/{self.server.secret}/":
            self.send(HTTPStatus.OK, HTML, page().encode())
        elif self.path == f"/{self.server.secret}/game.sgf":
            self.send(HTTPStatus.OK, SGF, self.server.record().encode("utf-8", "replace"))
        else:
            self.send(HTTPStatus.NOT_FOUND, JSON, as_json({"error": "there is nothing here"}))

    def do_POST(self) -> None:
        """A request to the game."""
        if self.is_stranger():
            return
        body = self.body()
        if body is None:
            self.send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, JSON, as_json({"error": f"a request has at most {LONGEST_REQUEST} bytes"}))
            return
        if self.path != f"/{self.server.secret}/do":
            self.send(HTTPStatus.NOT_FOUND, JSON, as_json({"error": "there is nothing here"}))
            return
        try:
            answer = self.server.answer(read_request(body, self.headers.get("Content-Type", "")))
        except BadRequest as error:
            self.send(HTTPStatus.BAD_REQUEST, JSON, as_json({"error": str(error)}))
        else:
            self.send(HTTPStatus.OK, JSON, as_json(answer))

    def is_stranger(self) -> bool:
        """Does the request come from elsewhere? Then it is refused, and the connection ends."""
        if self.headers.get("Host") == self.server.host and self.path.startswith(f"/{self.server.secret}/"):
            return False
        self.close_connection = True
        self.send(HTTPStatus.FORBIDDEN, JSON, as_json({"error": "open the address that gtp-engine has printed"}))
        return True

    def body(self) -> bytes | None:
        """What was sent; None, unread, when it is longer than LONGEST_REQUEST, and the connection ends after the answer."""
        length = self.headers.get("Content-Length", "").lstrip("0") or "0"
        if not length.isascii() or not length.isdecimal():
            length = "0"
        if len(length) > len(str(LONGEST_REQUEST)) or int(length) > LONGEST_REQUEST:
            self.close_connection = True
            return None
        return self.rfile.read(int(length))

    def send(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        """An answer that no cache keeps."""
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(content))),
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", POLICY),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the terminal is the person's."""


def read_request(body: bytes, kind: str) -> dict[str, Any]:
    """The request in a body. Raises BadRequest."""
    if kind.partition(";")[0].strip() != JSON:
        raise BadRequest("requests are JSON")
    try:
        request = json.loads(body)
    except (ValueError, RecursionError) as error:  # of no JSON, of bytes that are no text, of brackets in brackets
        raise BadRequest("this is no JSON") from error
    if not isinstance(request, dict):
        raise BadRequest("a request is an object")
    return request


def page() -> str:
    """The page."""
    folder = files("gtp_engine.browser") / "page"
    template, style, script = ((folder / f"play.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js"))
    text = put_together(template, style, script)
    return text.replace("/*CHOICES*/", json.dumps({"ranks": RANKS, "sizes": SIZES}))


def as_json(data: object) -> bytes:
    """As JSON."""
    return json.dumps(data, separators=(",", ":")).encode()
