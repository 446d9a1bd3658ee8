"""Files of the user's: read only when they are ordinary and not too large, written so that they are whole or not there."""

import errno
import os
from pathlib import Path

LONGEST_NAME = 60  # characters of the name that a file has while it is written; with four bytes each they fit everywhere


def read_file(path: Path, most: int) -> bytes:
    """What is in an ordinary file of at most `most` bytes. Raises OSError, whose strerror says what is wrong, also for all other files."""
    with open(path, "rb", opener=open_without_waiting) as file:
        if not path.is_file():
            raise OSError(errno.EINVAL, "it is not an ordinary file", str(path))
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most / 1e6:g} MB", str(path))
    return data


def open_without_waiting(path: str, flags: int) -> int:
    """An opener for `open` that doesn't wait for a writer when `path` is a named pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def write_file(path: Path, data: bytes) -> None:
    """Write a file in one step and wait until the disk has it. What is no ordinary file (/dev/stdout, a named pipe) is just written to.

    A process that is killed leaves the old file or the new one. Raises OSError, and leaves nothing half-written then.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    partial = path.with_name(f".{path.name[:LONGEST_NAME]}.part")
    try:
        with open(partial, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
