"""A GTP conversation as configured: the engine, its commands, the log."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, TextIO

from gtp_engine.engine.config.sources import DEFAULT, Configuration
from gtp_engine.interfaces.gtp.commands import make_dispatcher
from gtp_engine.interfaces.gtp.engine_loader import EngineLoader
from gtp_engine.interfaces.gtp.inbox import Inbox
from gtp_engine.interfaces.gtp.session import Callbacks, Session, trace_nothing

if TYPE_CHECKING:
    from gtp_engine.engine.network.loading import NetworkLoader
    from gtp_engine.engine.player.engine import Engine


@dataclass(frozen=True)
class Talk:
    """A session and the loader of its engine."""

    session: Session
    loader: EngineLoader


def make_talk(
    configuration: Configuration,
    source: BinaryIO,
    sink: BinaryIO,
    errors: TextIO | None = None,
    networks: "Callable[[], NetworkLoader] | None" = None,
) -> Talk:
    """A conversation whose engine loads after the handshake.

    errors -- a stream for warnings and reports; None: sys.stderr
    networks -- a shared network loader, if other engines use the networks, too
    """
    front_end, inbox = configuration.front_end(), Inbox()
    loader = EngineLoader(partial(load_engine, configuration, errors, networks), errors)
    dispatcher = make_dispatcher(loader, front_end.gtp_name, front_end.gtp_version, inbox, front_end)
    callbacks = Callbacks(loader.interrupt, loader.answered, log_of(configuration), loader.start)
    return Talk(Session(source, sink, dispatcher.answer, callbacks, inbox), loader)


def log_of(configuration: Configuration) -> Callable[[str, str], None]:
    """The function that writes the log, if it is enabled and can be written."""
    setting = configuration.front_end().log
    if not setting:
        return trace_nothing
    from gtp_engine.interfaces.gtp.log import open_log  # not above: logging takes a while to load, and is off by default

    changed = [
        f"{name} = {setting.value!r} ({setting.source})" for name, setting in configuration.settings.items() if setting.source != DEFAULT
    ]
    return open_log(setting, changed) or trace_nothing


def load_engine(configuration: Configuration, errors: TextIO | None, networks: "Callable[[], NetworkLoader] | None") -> "Engine":
    """The configured engine, see make_talk. Imports it, which takes a moment."""
    from gtp_engine.engine.player.evaluators import Evaluators
    from gtp_engine.engine.player.factory import build_engine

    warn = partial(warn_on, errors)
    engine = build_engine(configuration, Evaluators(warn, networks() if networks else None))
    engine.warn = warn
    return engine


def warn_on(errors: TextIO | None, text: str) -> None:
    """Print a warning, see make_talk."""
    print(f"gtp_engine: {text}", file=errors or sys.stderr, flush=True)
