"""Loads the engine after the handshake: a thread imports it and prepares the kernels while `name` is already answered.

Other threads of the front end: the reader in session.py, which fills inbox.py, and those of background.py.
"""

import sys
import threading
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.engine.player import EngineError

if TYPE_CHECKING:
    from gtp_engine.engine.player.engine import Engine


class EngineLoader:
    """Makes one Engine by calling `build` in a thread, which then warms it up.

    `build` imports the engine: numba must not be loaded before the handshake is answered. Engine.warm_up runs while commands already use
    the engine, so it must not change the game.
    """

    def __init__(self, build: Callable[[], "Engine"], errors: TextIO | None = None) -> None:
        """`errors`: a stream for messages outside of responses; None: sys.stderr."""
        self.build = build
        self._errors = errors
        self.start_lock = threading.Lock()
        self.thread: threading.Thread | None = None
        self.is_built, self.is_warm = threading.Event(), threading.Event()  # both are also set if loading has failed
        self.loaded: Engine | None = None
        self.cancelled = threading.Event()  # the token of the current command
        self.failure = ""

    @property
    def errors(self) -> TextIO:
        """The stream for messages outside of responses."""
        return self._errors or sys.stderr

    def start(self) -> None:
        """Begin to load, unless that has begun."""
        with self.start_lock:
            if self.thread is None:
                self.thread = threading.Thread(target=self.load, name="engine loader", daemon=True)
                self.thread.start()

    def engine(self) -> "Engine":
        """The engine, as soon as it accepts positions; it may still be warming up. Raises GtpError if it can't be loaded."""
        self.start()
        self.is_built.wait()
        if self.loaded is None:
            raise GtpError(f"the engine could not be loaded: {self.failure}")
        return self.loaded

    def warm_engine(self) -> "Engine":
        """The engine with all kernels ready, so that a search starts at once. Raises GtpError if it can't be loaded or warmed up."""
        engine = self.engine()
        self.is_warm.wait()
        if self.failure:
            raise GtpError(f"the engine could not be loaded: {self.failure}")
        return engine

    def interrupt(self) -> None:
        """End the search of the current command at once, or as soon as it begins. From any thread."""
        self.cancelled.set()

    def answered(self) -> None:
        """The next command gets a new token."""
        self.cancelled = threading.Event()

    def load(self) -> None:
        """The loader's thread. An error is printed on stderr once, and is the response to every command that needs what is missing."""
        try:
            self.loaded = self.build()
            self.is_built.set()
            self.loaded.warm_up()
        except MemoryError:
            self.fail("the system gives too little memory; see `ulimit -v`, or close other programs")
        except EngineError as error:
            self.fail(str(error))
        except Exception as error:
            self.failure = f"{type(error).__name__}: {error}".replace("\n", " ")
            traceback.print_exc(file=self.errors)
        finally:
            self.is_built.set()
            self.is_warm.set()

    def fail(self, sentence: str) -> None:
        """Keep the reason why loading failed, and print it, because the user can correct it."""
        self.failure = sentence
        print(f"gtp_engine: {sentence}", file=self.errors, flush=True)

    def drop_engine(self) -> None:
        """Release the engine, and end its work between commands. It must not be used afterwards."""
        if self.thread is not None:
            self.thread.join()
        if self.loaded is not None:
            self.loaded.forget_tree()
            self.loaded = None
