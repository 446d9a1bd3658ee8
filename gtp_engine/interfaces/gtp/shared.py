"""Serves several clients in one process, the host, so that compiled code and networks are in memory once.

A client connects to the host's Unix socket and passes its own standard streams. The host uses them, and the client only waits for the end.
The socket is in a folder of its user alone, because anybody who can open it can send requests.
"""

import gc
import os
import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

STREAMS = (0, 1, 2)  # a client's standard input, output and error
LONGEST = 60_000  # bytes of a request
ENDED = b"\0"  # sent by the host at the end of a conversation

IS_POSSIBLE = hasattr(socket, "AF_UNIX") and hasattr(socket, "recv_fds")  # not on Windows


@dataclass(frozen=True)
class Visitor:
    """A client whose streams the host has. `errors` is the descriptor of its standard error; its receiver closes it."""

    connection: socket.socket
    request: bytes
    source: BinaryIO
    sink: BinaryIO
    errors: int

    def wait_for_end(self) -> None:
        """Wait until the client has ended, or the host has let it go."""
        with suppress(OSError):
            self.connection.recv(1)

    def let_go(self) -> None:
        """Close the output, so that its reader sees the end, and let the client end, which ends its input.

        A second call does nothing.
        """
        with suppress(OSError):
            self.sink.close()
        with suppress(OSError):
            self.connection.sendall(ENDED)
            self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()


def join(address: Path, request: bytes) -> bool:
    """Let the host at `address` use this process's standard streams, and wait for the end; False if the host ended first.

    Raises OSError if there is no host.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(address))
        socket.send_fds(connection, [request], STREAMS)
        return connection.recv(1) == ENDED


def serve(address: Path, converse: Callable[[Visitor], None], idle: float) -> None:
    """Call `converse` for each client, in its own thread, until there has been none for `idle` seconds. Raises OSError."""
    threads: list[threading.Thread] = []
    with socket.socket(socket.AF_UNIX) as listener:
        address.unlink(missing_ok=True)  # of a host that was killed
        listener.bind(str(address))
        listener.listen()
        for connection in clients(listener, address, threads, idle):
            gc.collect()  # ended conversations hold much memory in few objects
            threads.append(threading.Thread(target=receive, args=(connection, converse), name="gtp visitor", daemon=True))
            threads[-1].start()
    for thread in threads:
        thread.join()


def clients(listener: socket.socket, address: Path, threads: list[threading.Thread], idle: float) -> Iterator[socket.socket]:
    """Yield each connection, until none has come for `idle` seconds and no thread is alive. Ended threads are removed."""
    while True:
        while select.select([listener], [], [], idle)[0]:
            yield listener.accept()[0]
        threads[:] = [thread for thread in threads if thread.is_alive()]
        if not threads:
            break
    address.unlink(missing_ok=True)  # a later client starts another host
    while select.select([listener], [], [], 0)[0]:  # a client that came just before
        yield listener.accept()[0]


def receive(connection: socket.socket, converse: Callable[[Visitor], None]) -> None:
    """Receive a client's streams, and serve it."""
    request, descriptors, _, _ = socket.recv_fds(connection, LONGEST, len(STREAMS))
    if len(descriptors) != len(STREAMS):
        connection.close()
        return
    source, sink, errors = descriptors
    visitor = Visitor(connection, request, os.fdopen(source, "rb"), os.fdopen(sink, "wb"), errors)
    try:
        converse(visitor)
    finally:
        visitor.let_go()
