"""A board served for tests of the page in the browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from gtp_engine.interfaces.browser.board import BrowserBoard
from gtp_engine.interfaces.browser.server import BoardServer


@contextmanager
def served(board: BrowserBoard, shared_at: str = "") -> Iterator[BoardServer]:
    """The board's server at work, until the test is over."""
    server = BoardServer(board, shared_at=shared_at)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
