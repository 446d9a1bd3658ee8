"""A game served for tests of the board in the browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread

from gtp_engine.browser.game import BrowserGame
from gtp_engine.browser.server import BoardServer


@contextmanager
def served(game: BrowserGame) -> Iterator[BoardServer]:
    """The game's server at work, until the test is over."""
    server = BoardServer(game)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
