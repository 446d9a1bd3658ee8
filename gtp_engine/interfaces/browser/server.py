"""Serves the board to its pages, for this machine's own browser only.

It listens on 127.0.0.1, and answers only requests whose path begins with a secret that is new at each start and whose Host is this address.
So neither another machine, nor another user, nor a foreign page in the same browser can use it. Nothing else of other requests is read. A
shared board also listens on the local network, where `/` asks for a code: see door.py.

    GET /SECRET/            the page; /SECRET/NAME: its scripts and its style, see page.py
    GET /SECRET/events      the whole state, then changes, as server-sent events
    GET /SECRET/game.sgf    the tree of the game
    POST /SECRET/do         a request of board.py as JSON; the answer may have "node", the node to show, "note" or "error"
    POST /SECRET/open       a game record as it is in its file; likewise
    POST /SECRET/problems   a collection of problems, likewise
"""

import json
import secrets
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty
from typing import Any

from gtp_engine.interfaces.browser.board import BrowserBoard
from gtp_engine.interfaces.browser.desk import BadRequest
from gtp_engine.interfaces.browser.door import LONGEST as LONGEST_FORM
from gtp_engine.interfaces.browser.door import Door
from gtp_engine.interfaces.browser.page import POLICY, part_of_page
from gtp_engine.sgf.text import MAX_BYTES

ADDRESS = "127.0.0.1"
LONGEST_REQUEST = 100_000  # bytes: comments are the longest
HTTP_PORT = 80
PATIENCE = 30.0  # seconds that a connection may be silent
HEARTBEAT = 10.0  # seconds between signs of life without events, so that a closed page is noticed
MOST_PAGES = 24  # open at once
JSON, SGF, EVENTS, HTML = "application/json", "application/x-go-sgf", "text/event-stream", "text/html; charset=utf-8"
NOTHING = {"error": "there is nothing here"}


class BoardServer(ThreadingHTTPServer):
    """Serves one board. Raises OSError for a port in use."""

    daemon_threads = True

    def __init__(self, board: BrowserBoard, port: int = 0, shared_at: str = "") -> None:
        """`port`: 0 means any free one. `shared_at`: this machine's address on the network, if the board is shared; empty: it isn't."""
        self.board = board
        self.secret = secrets.token_urlsafe(12)
        self.shared_at = shared_at
        self.door = Door() if shared_at else None
        super().__init__(("" if shared_at else ADDRESS, port), PageHandler)

    @property
    def url(self) -> str:
        """The page's address."""
        return f"http://{self.host}/{self.secret}/"

    @property
    def host(self) -> str:
        """Address and port in the form of browsers, which leave out their default port."""
        return self._named(ADDRESS)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The allowed values of a request's Host."""
        return (self.host, self._named(self.shared_at)) if self.shared_at else (self.host,)

    @property
    def shared_url(self) -> str:
        """The address where others on the network enter the code."""
        return f"http://{self._named(self.shared_at)}/"

    def _named(self, address: str) -> str:
        port = self.server_address[1]
        return address if port == HTTP_PORT else f"{address}:{port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore pages that were closed during an answer."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class PageHandler(BaseHTTPRequestHandler):
    """One connection."""

    server: BoardServer
    protocol_version = "HTTP/1.1"
    timeout = PATIENCE

    def do_GET(self) -> None:
        """Answer with the page, its parts, the record or the events."""
        if self.is_at_door():
            assert self.server.door is not None
            self.send(HTTPStatus.OK, HTML, self.server.door.page())
            return
        if self.is_stranger():
            return
        name = self.path.removeprefix(f"/{self.server.secret}/")
        part = part_of_page(name)
        if part is not None:
            self.send(HTTPStatus.OK, *part)
        elif name == "game.sgf":
            self.send(HTTPStatus.OK, SGF, self.server.board.record().encode("utf-8", "replace"))
        elif name == "events":
            self.send_events()
        else:
            self.send(HTTPStatus.NOT_FOUND, JSON, as_json(NOTHING))

    def do_POST(self) -> None:
        """Handle a request to the board, a record or problems to open, or the code at the door."""
        if self.is_at_door():
            self.knock()
            return
        if self.is_stranger():
            return
        name = self.path.removeprefix(f"/{self.server.secret}/")
        board = self.server.board
        opens = {"open": board.open, "problems": board.open_problems}
        most = MAX_BYTES if name in opens else LONGEST_REQUEST
        body = self.body(most)
        if body is None:
            self.send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, JSON, as_json({"error": f"a request has at most {most} bytes"}))
            return
        if name != "do" and name not in opens:
            self.send(HTTPStatus.NOT_FOUND, JSON, as_json(NOTHING))
            return
        try:
            kind = self.headers.get("Content-Type", "").partition(";")[0].strip()
            answer = opens[name](record_in(body, kind)) if name in opens else board.answer(read_request(body, kind))
        except BadRequest as error:
            self.send(HTTPStatus.BAD_REQUEST, JSON, as_json({"error": str(error)}))
        else:
            self.send(HTTPStatus.OK, JSON, as_json(answer))

    def is_at_door(self) -> bool:
        """True for a request without the secret at a shared board."""
        return self.server.door is not None and self.path == "/" and self.headers.get("Host") in self.server.hosts

    def knock(self) -> None:
        """Redirect to the board if the code is right."""
        assert self.server.door is not None
        form = self.body(LONGEST_FORM)
        if form is not None and self.server.door.opens(form):
            self.send_head(HTTPStatus.SEE_OTHER, HTML, ("Location", f"/{self.server.secret}/"), ("Content-Length", "0"))
        else:
            self.close_connection = True
            self.send(HTTPStatus.FORBIDDEN, HTML, self.server.door.page("That is not the code."))

    def is_stranger(self) -> bool:
        """True if the request comes from elsewhere; then it is refused, and the connection ends."""
        if self.headers.get("Host") in self.server.hosts and self.path.startswith(f"/{self.server.secret}/"):
            return False
        self.close_connection = True
        self.send(HTTPStatus.FORBIDDEN, JSON, as_json({"error": "open the address that gtp-engine has printed"}))
        return True

    def body(self, most: int) -> bytes | None:
        """The body; None, unread, if it is longer than `most` bytes, and then the connection ends after the answer."""
        length = self.headers.get("Content-Length", "").lstrip("0") or "0"
        if not length.isascii() or not length.isdecimal():
            length = "0"
        if len(length) > len(str(most)) or int(length) > most:
            self.close_connection = True
            return None
        return self.rfile.read(int(length))

    def send(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        """Send an answer that isn't cached."""
        self.send_head(status, kind, ("Content-Length", str(len(content))))
        self.wfile.write(content)

    def send_head(self, status: HTTPStatus, kind: str, *headers: tuple[str, str]) -> None:
        """Send the head of an answer."""
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind),
            *headers,
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", POLICY),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ):
            self.send_header(name, value)
        self.end_headers()

    def send_events(self) -> None:
        """Send events until the page is closed. The connection has no other use."""
        self.close_connection = True
        events = self.server.board.desk.events
        if events.pages >= MOST_PAGES:
            self.send(HTTPStatus.SERVICE_UNAVAILABLE, JSON, as_json({"error": "too many pages look at this board"}))
            return
        queue = self.server.board.watch()
        try:
            self.send_head(HTTPStatus.OK, EVENTS)
            while True:
                try:
                    event = queue.get(timeout=HEARTBEAT)
                    self.wfile.write(b"data: " + as_json(event) + b"\n\n")
                except Empty:
                    self.wfile.write(b": \n\n")
        except OSError:
            pass  # it was closed
        finally:
            events.unsubscribe(queue)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: the terminal is for the person."""


def read_request(body: bytes, kind: str) -> dict[str, Any]:
    """The request in a body. Raises BadRequest."""
    if kind != JSON:
        raise BadRequest("requests are JSON")
    try:
        request = json.loads(body)
    except (ValueError, RecursionError) as error:  # invalid JSON, invalid UTF-8, deeply nested brackets
        raise BadRequest("this is no JSON") from error
    if not isinstance(request, dict):
        raise BadRequest("a request is an object")
    return request


def record_in(body: bytes, kind: str) -> bytes:
    """The record in a body. Raises BadRequest for a content type that foreign pages can send, too."""
    if kind != SGF:
        raise BadRequest(f"records are {SGF}")
    return body


def as_json(data: object) -> bytes:
    """As JSON."""
    return json.dumps(data, separators=(",", ":")).encode()
