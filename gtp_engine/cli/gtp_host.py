"""`gtp-engine gtp --shared`: finds or starts the host, the one process for all clients that use this option, and runs it."""

import hashlib
import json
import os
import socket
import subprocess
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

import gtp_engine
from gtp_engine.base.files import lock_held, private_folder
from gtp_engine.base.own_command import OWN_COMMAND
from gtp_engine.cli.gtp_talk import Talk, make_talk
from gtp_engine.cli.streams import patient_text
from gtp_engine.engine.config.sources import DEFAULT, SETTINGS, Configuration
from gtp_engine.interfaces.gtp.shared import IS_POSSIBLE, Visitor, join, serve

if TYPE_CHECKING:
    from gtp_engine.engine.network.loading import NetworkLoader

IDLE = 60.0  # seconds without a client after which the host ends
START = 120.0  # seconds for a host to start
PAUSE = 0.05  # seconds between attempts
ARENAS = {"MALLOC_ARENA_MAX": "2"}  # glibc has eight for each processor, which hardly reuse the memory of an ended conversation


def host_address() -> Path:
    """The socket of the user's host for this version of the engine, in a folder that only the user can open. Raises OSError."""
    folder = Path(platformdirs.user_state_dir("gtp_engine", appauthor=False))
    private_folder(folder)
    version = "\n".join([gtp_engine.__version__, *OWN_COMMAND, *gtp_engine.__path__])
    return folder / f"host-{hashlib.blake2b(version.encode(), digest_size=4).hexdigest()}"


def talk_at_host(configuration: Configuration) -> bool:
    """Let the host, which is started if necessary, serve this process's streams; False if it ended before the client.

    Raises OSError if it can't be started.
    """
    if not IS_POSSIBLE:
        raise OSError("this system cannot pass streams to another process")
    address = host_address()
    request = as_request(configuration)
    try:
        return join(address, request)
    except (FileNotFoundError, ConnectionRefusedError):
        start_host(address)
        return join(address, request)


def start_host(address: Path) -> None:
    """Start the host, unless another client starts it, and wait until it answers. Raises OSError."""
    deadline = time.monotonic() + START
    with lock_held(address.with_suffix(".lock")) as is_ours:
        if is_ours and not answers(address):
            with open(address.with_suffix(".log"), "ab") as log:
                command = [*OWN_COMMAND, "gtp", "--host", str(address)]
                subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=ARENAS | os.environ, start_new_session=True)
        while not answers(address):
            if time.monotonic() > deadline:
                raise TimeoutError(f"the host has not begun within {START:.0f} s; see {address.with_suffix('.log')}")
            time.sleep(PAUSE)


def answers(address: Path) -> bool:
    """True if a host answers."""
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(str(address)) == 0


def as_request(configuration: Configuration) -> bytes:
    """The settings for the host: those that aren't the default, with their sources."""
    changed = {name: setting for name, setting in configuration.settings.items() if setting.source != DEFAULT}
    return json.dumps({name: [whole_path(name, setting.value), setting.source] for name, setting in changed.items()}).encode()


def whole_path(name: str, value: Any) -> Any:
    """The setting, with an absolute path if it names a file, because the host has another working folder."""
    is_file = SETTINGS[name].metadata["unit"] == "file" and bool(value) and Path(value).is_file()
    return os.path.abspath(value) if is_file else value


def as_configuration(request: bytes) -> Configuration:
    """The settings of a client."""
    configuration = Configuration()
    for name, (value, source) in json.loads(request).items():
        configuration.set(name, value, source)
    return configuration


# ---------------------------------------------------------------- the host


def run_host(address: Path) -> None:
    """Serve clients until there have been none for IDLE seconds. Raises OSError."""
    serve(address, Host().talk, IDLE)


class Host:
    """The shared state of conversations. For several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._networks: NetworkLoader | None = None

    def networks(self) -> "NetworkLoader":
        """The network loader for all conversations."""
        from gtp_engine.engine.network.loading import NetworkLoader  # not above: it takes a while to load

        with self._lock:
            self._networks = self._networks or NetworkLoader()
            return self._networks

    def talk(self, visitor: Visitor) -> None:
        """Serve one conversation."""
        errors = patient_text(visitor.errors)
        talk = make_talk(as_configuration(visitor.request), visitor.source, visitor.sink, errors, self.networks)
        threading.Thread(target=abandon_at_end, args=(visitor, talk), name="gtp watch", daemon=True).start()
        try:
            talk.session.run()
        except BrokenPipeError:
            pass  # nobody reads any more
        finally:
            errors.close()
            visitor.let_go()  # now: the engine may still be compiling
            talk.loader.drop_engine()


def abandon_at_end(visitor: Visitor, talk: Talk) -> None:
    """End the conversation when its client has ended."""
    visitor.wait_for_end()
    talk.session.abandon()
