"""The user's files: only regular files of limited size are read, and files are written completely or not at all."""

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from gtp_engine.base.systems import BINARY, IS_WINDOWS, lock_at_once, unlock, wait_for_lock, wait_for_shared_lock

USUAL_FILE, PRIVATE_FILE, PRIVATE_FOLDER = 0o666, 0o600, 0o700  # permissions; the umask restricts the first
UNLOCKED = f".{os.getpid()}" if IS_WINDOWS else ""  # in names of files that aren't locked while they are written
LONGEST_NAME = 60  # characters of the name of an unfinished file; with four bytes each they fit everywhere


def read_file(path: Path, most: int) -> bytes:
    """The contents of a regular file of at most `most` bytes. Raises OSError, whose strerror says what is wrong, also for other files."""
    with open_ordinary(path) as (file, size):
        if size > most:
            raise OSError(errno.EFBIG, f"it is larger than {most / 1e6:g} MB", str(path))
        return file.read(size)  # not more: it may grow meanwhile, and files in /proc may be endless


def read_start(path: Path, most: int) -> bytes:
    """The first `most` bytes of a regular file. Raises OSError like read_file."""
    with open_ordinary(path) as (file, size):
        return file.read(min(size, most))


@contextlib.contextmanager
def open_ordinary(path: Path) -> Iterator[tuple[BinaryIO, int]]:
    """An open regular file and its size. Raises OSError for other files, and never waits."""
    with open(path, "rb", opener=open_without_waiting) as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not an ordinary file", str(path))
        yield file, status.st_size


def expanded(name: str) -> Path:
    """The path of a name, with `~` and `~user` replaced by the home folder. Raises OSError if there is no such home."""
    try:
        return Path(name).expanduser()
    except RuntimeError as error:
        raise OSError(errno.ENOENT, "there is no such home folder", name) from error


def visible(text: object) -> str:
    """A text with file names, made safe for a terminal: unprintable characters except line ends become Python's escapes.

    A name may contain any bytes, including those that overwrite the screen or change its title.
    """
    return "".join(
        character if character.isprintable() or character == "\n" else character.encode("unicode_escape", "surrogatepass").decode()
        for character in str(text)
    )


def open_without_waiting(path: str, flags: int) -> int:
    """An opener for `open` that doesn't wait for a writer if `path` is a named pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def private_folder(folder: Path) -> None:
    """Create the folder if it is missing, accessible to its owner only. Raises OSError."""
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    if stat.S_IMODE(folder.stat().st_mode) != PRIVATE_FOLDER:  # created by an older version
        folder.chmod(PRIVATE_FOLDER)


def write_file(path: Path, data: bytes, mode: int = USUAL_FILE) -> None:
    """Write a file in one step and wait until it is on the disk. Other kinds of files (/dev/stdout, a named pipe) are just written to.

    mode -- the permissions, restricted by the umask, which replace those of an older file.
    A killed process leaves the old file or the new one. Raises OSError, and then nothing is half-written.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    write_whole(path, lambda partial: partial.write_bytes(data), mode)


def write_whole(path: Path, write: Callable[[Path], object], mode: int = USUAL_FILE) -> None:
    """Let `write` make a file beside `path`, then replace `path` in one step. After any error `path` is unchanged.

    Waits for other writers of the same file, and until the file is on the disk. Leftovers of a killed process are overwritten.
    """
    partial = path.with_name(f".{path.name[:LONGEST_NAME]}{UNLOCKED}.part")
    with claimed(partial, mode):
        try:
            write(partial)
            with partial.open("r+b") as file:  # Windows syncs only writable files
                os.fsync(file.fileno())
            os.replace(partial, path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise


@contextlib.contextmanager
def claimed(partial: Path, mode: int) -> Iterator[None]:
    """Within the block no other thread or process that claims this file writes to it; waits for another one. Raises OSError.

    The lock is the system's, on the open file, and ends with its process in any case. Windows can't replace open files, so nobody waits.
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
    """The file, created if missing, open and locked if the file system has locks; `mode` decides who else can read it.

    wait -- a function that waits for the lock of an open file
    Raises OSError.
    """
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | BINARY, mode)
        try:
            permissions = stat.S_IMODE(os.fstat(descriptor).st_mode)
            if permissions & ~mode and not IS_WINDOWS:  # left by a killed process
                os.fchmod(descriptor, permissions & mode)
            wait(descriptor)
            if path.exists() and os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # the process that had it locked has moved or deleted it


def hold_folder(folder: Path, marker: str) -> int:
    """Create the folder if it is missing, and protect it from delete_unless_held while the returned descriptor is open.

    marker -- the name of a file in it with a shared lock of all holders
    The lock is the system's and ends with its process in any case. Raises OSError.
    """
    while True:
        folder.mkdir(exist_ok=True)
        with contextlib.suppress(FileNotFoundError):  # deleted meanwhile
            return open_locked(folder / marker, USUAL_FILE, wait_for_shared_lock)


def delete_unless_held(folder: Path, marker: str) -> None:
    """Delete a folder that nobody holds; a held one gets the current time. Errors are ignored."""
    with contextlib.suppress(OSError):
        with lock_held(folder / marker) as is_free:
            if not is_free:
                os.utime(folder)
                return
            shutil.rmtree(folder, ignore_errors=True)
        if IS_WINDOWS:  # which can't delete open files, and so no held ones
            (folder / marker).unlink()
            folder.rmdir()


@contextlib.contextmanager
def lock_held(path: Path) -> Iterator[bool]:
    """Hold the lock file `path`, created if missing, within the block. Yields False, without waiting, if another process holds it.

    The file stays. Yields True if there are no such locks. Raises OSError.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    try:
        yield lock_at_once(descriptor)
    finally:
        os.close(descriptor)


def write_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write numpy arrays as `.npz`, compressed, whole or not at all. Raises OSError."""
    import numpy as np  # not above: most users of this module need no numpy

    def write(unfinished: Path) -> None:
        with unfinished.open("wb") as file:  # by name, numpy would add a suffix
            np.savez_compressed(file, **arrays)

    write_whole(path, write)
