"""Imported by every Python that starts with this folder on its path: notes each question to the network and each file that is changed.

ISOLATION_NOTES names the file that the notes go to, a line each: what was done, and to what.
"""

import os
import sys

QUESTIONS = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.connect", "socket.sendto", "socket.sendmsg")
CHANGES = ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT

notes = os.open(os.environ["ISOLATION_NOTES"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)


def note(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook, see sys.addaudithook."""
    if event in QUESTIONS:
        write(event, arguments[-1] if event == "socket.connect" else arguments[0])
    elif event in CHANGES:
        write(event, arguments[1] if event in ("os.rename", "os.link", "os.symlink") else arguments[0])
    elif event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING and not isinstance(arguments[0], int):
        write(event, arguments[0])


def write(event: str, what: object) -> None:
    """One line."""
    text = os.fsdecode(what) if isinstance(what, bytes | str | os.PathLike) else repr(what)
    if event != "socket.connect" and not event.startswith("socket"):
        text = os.path.abspath(text)
    os.write(notes, f"{event} {text}\n".encode("utf-8", "surrogateescape"))


sys.addaudithook(note)
