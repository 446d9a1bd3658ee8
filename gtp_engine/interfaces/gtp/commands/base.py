"""The common part of command groups that need the engine."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gtp_engine.base.gtp_protocol import GtpError
from gtp_engine.engine.config.front_end import FrontEnd
from gtp_engine.engine.player import EngineError
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader
from gtp_engine.interfaces.gtp.inbox import Inbox

if TYPE_CHECKING:
    from gtp_engine.engine.player.engine import Engine


class EngineCommands:
    """A group of commands over the engine that `loader` loads.

    inbox -- the lines that wait, for commands that end when one comes; front_end -- what the client is offered beyond GTP
    """

    def __init__(self, loader: EngineLoader, inbox: Inbox, front_end: FrontEnd) -> None:
        self.loader = loader
        self.inbox = inbox
        self.front_end = front_end

    @property
    def engine(self) -> "Engine":
        """The engine; waits until it is loaded."""
        return self.loader.engine()

    @contextmanager
    def refusals(self) -> Iterator["Engine"]:
        """The engine, whose refusals within the block are answered with the text that GTP has for them; other exceptions pass."""
        engine = self.engine
        from gtp_engine.go.game import IllegalMove  # here: numba comes with it, and the handshake must not wait for that

        try:
            yield engine
        except EngineError as error:
            raise GtpError(str(error)) from error
        except IllegalMove as error:
            raise GtpError("illegal move") from error
