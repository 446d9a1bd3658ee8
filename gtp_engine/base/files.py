"""The user's files: read only if they are ordinary and not too large, written completely or not at all."""

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from gtp_engine.base.systems import BINARY, IS_WINDOWS, lock_at_once, unlock, wait_for_lock, wait_for_shared_lock

USUAL_FILE, PRIVATE_FILE, PRIVATE_FOLDER = 0o666, 0o600, 0o700  # permissions; the umask takes some of the first
UNLOCKED = f".{os.getpid()}" if IS_WINDOWS else ""  # in names of files that are not locked while they are written
LONGEST_NAME = 60  # characters of the name that a file has while it is written; with four bytes each they fit everywhere


def read_file(path: Path, most: int) -> bytes:
    """What is in an ordinary file of at most `most` bytes. Raises OSError, whose strerror says what is wrong, also for all other files."""
    with open_ordinary(path) as (file, size):
        if size > most:
            raise OSError(errno.EFBIG, f"it is larger than {most / 1e6:g} MB", str(path))
        return file.read(size)  # no more: it may grow meanwhile, and what is in /proc may have no end


def read_start(path: Path, most: int) -> bytes:
    """The first `most` bytes of an ordinary file. Raises OSError as read_file does."""
    with open_ordinary(path) as (file, size):
        return file.read(min(size, most))


@contextlib.contextmanager
def open_ordinary(path: Path) -> Iterator[tuple[BinaryIO, int]]:
    """An ordinary file, open, and its size. Raises OSError for all others, and never waits."""
    with open(path, "rb", opener=open_without_waiting) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not an ordinary file", str(path))
        yield file, status.st_size


def expanded(name: str) -> Path:
    """The path that a person has named, `~` and `~user` replaced by the home folder. Raises OSError when there is no such home."""
    try:
        return Path(name).expanduser()
    except RuntimeError as error:
        raise OSError(errno.ENOENT, "there is no such home folder", name) from error


def visible(text: object) -> str:
    """A text that may hold the name of a file, for a terminal: what is not printable but a line's end stands as Python's escape.

    A name may hold any bytes, those that write over the screen or change its title among them.
    """
    return "".join(
        character if character.isprintable() or character == "\n" else character.encode("unicode_escape", "surrogatepass").decode()
        for character in str(text)
    )


def open_without_waiting(path: str, flags: int) -> int:
    """An opener for `open` that doesn't wait for a writer when `path` is a named pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def private_folder(folder: Path) -> None:
    """Make the folder if it is missing, and let nobody but its owner into it. Raises OSError."""
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    if stat.S_IMODE(folder.stat().st_mode) != PRIVATE_FOLDER:  # made by an older version
        folder.chmod(PRIVATE_FOLDER)


def write_file(path: Path, data: bytes, mode: int = USUAL_FILE) -> None:
    """Write a file in one step and wait until the disk has it. What is no ordinary file (/dev/stdout, a named pipe) is just written to.

    mode -- the permissions, less those that the umask takes; an older file's are replaced.
    A process that is killed leaves the old file or the new one. Raises OSError, and leaves nothing half-written then.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    write_whole(path, lambda partial: partial.write_bytes(data), mode)


def write_whole(path: Path, write: Callable[[Path], object], mode: int = USUAL_FILE) -> None:
    """Let `write` make a file beside `path`, then put it in its place in one step. Whatever goes wrong, `path` stays as it was.

    Waits until the disk has the file, and before until nobody else is writing the same one. What a killed process has left is overwritten.
    """
    partial = path.with_name(f".{path.name[:LONGEST_NAME]}{UNLOCKED}.part")
    with claimed(partial, mode):
        try:
            write(partial)
            with partial.open("r+b") as file:  # Windows syncs only what may be written
                os.fsync(file.fileno())
            os.replace(partial, path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def claimed(partial: Path, mode: int) -> Iterator[None]:
    """Within the block no other thread or process that claims this file writes to it; waits for the one that does. Raises OSError.

    The lock is the system's, on the open file, and goes with its process, however that ends. Windows replaces no open file: nobody waits.
    """
    if IS_WINDOWS:
        yield
        return
    descriptor = open_locked(partial, mode)
    try:
        yield
    finally:
        unlock(descriptor)
        os.close(descriptor)


def open_locked(path: Path, mode: int, wait: Callable[[int], None] = wait_for_lock) -> int:
    """The file, made if missing, open and locked where the file system has locks; others read it only where `mode` lets them.

    wait -- waits for the lock of an open file
    Raises OSError.
    """
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | BINARY, mode)
        try:
            permissions = stat.S_IMODE(os.fstat(descriptor).st_mode)
            if permissions & ~mode and not IS_WINDOWS:  # left by a process that was killed
                os.fchmod(descriptor, permissions & mode)
            wait(descriptor)
            if path.exists() and os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # who had it locked has put it in its place, or has deleted it


def hold_folder(folder: Path, marker: str) -> int:
    """Make the folder if it is missing, and keep it from delete_unless_held as long as the descriptor returned is open.

    marker -- the name of a file in it, which all that hold it have locked together
    The lock is the system's and goes with its process, however that ends. Raises OSError.
    """
    while True:
        folder.mkdir(exist_ok=True)
        with contextlib.suppress(FileNotFoundError):  # deleted since it was made
            return open_locked(folder / marker, USUAL_FILE, wait_for_shared_lock)


def delete_unless_held(folder: Path, marker: str) -> None:
    """Delete a folder that nobody holds; one that somebody holds gets the time of now. What can't be deleted stays."""
    with contextlib.suppress(OSError):
        with lock_held(folder / marker) as is_free:
            if not is_free:
                os.utime(folder)
                return
            shutil.rmtree(folder, ignore_errors=True)
        if IS_WINDOWS:  # which deletes no open file, and so none that has been taken hold of meanwhile
            (folder / marker).unlink()
            folder.rmdir()


@contextlib.contextmanager
def lock_held(path: Path) -> Iterator[bool]:
    """Hold the lock file `path`, made if missing, within the block. Yields False, without waiting, when another process holds it.

    The file stays. Yields True where there are no such locks. Raises OSError.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    try:
        yield lock_at_once(descriptor)
    finally:
        os.close(descriptor)


def write_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write numpy arrays as `.npz`, compressed, whole or not at all. Raises OSError."""
    import numpy as np  # not above: most users of files need no numpy

    def write(unfinished: Path) -> None:
        with unfinished.open("wb") as file:  # by name, numpy would add a suffix
            np.savez_compressed(file, **arrays)

    write_whole(path, write)
