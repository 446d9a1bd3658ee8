"""Differences of operating systems: file locks, standard input, command lines, ending a process with its descendants.

POSIX has `fcntl`, Windows `msvcrt`. Where there is neither, nobody waits for a lock.
"""

import contextlib
import os
import shlex
import subprocess
import threading
import time
from typing import BinaryIO

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]
try:
    import msvcrt
except ImportError:
    msvcrt = None  # type: ignore[assignment]

IS_WINDOWS = os.name == "nt"
BINARY = getattr(os, "O_BINARY", 0)  # for os.open: without it Windows writes two bytes for each line feed
LOCKED_BYTE = 1 << 30  # the first byte that Windows locks: after all content, because others can't read a locked byte
SHARES = 1 << 20  # Windows has no shared locks: a shared one locks one of so many bytes, an exclusive one locks all
PAUSE = 0.05  # seconds between attempts to lock


def lock_at_once(descriptor: int) -> bool:
    """Lock an open file; False if another process has it locked. Also True if the file system has no locks.

    The lock is the system's and ends with its process in any case, or with the descriptor.
    """
    try:
        if fcntl:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt:
            change_locked_bytes(descriptor, msvcrt.LK_NBLCK)  # type: ignore[attr-defined]  # of Windows
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        pass
    return True


def wait_for_lock(descriptor: int) -> None:
    """Lock an open file, after waiting until no other process has it locked."""
    if fcntl:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        return
    while not lock_at_once(descriptor):
        time.sleep(PAUSE)


def wait_for_shared_lock(descriptor: int) -> None:
    """Take a shared lock on an open file, after waiting until nobody has an exclusive one."""
    if fcntl:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_SH)
    elif msvcrt:
        while not lock_share(descriptor):
            time.sleep(PAUSE)


def lock_share(descriptor: int) -> bool:
    """Windows: lock any byte; False if others have locked all. True if there are no locks."""
    share = int.from_bytes(os.urandom(3)) % SHARES
    try:
        change_locked_bytes(descriptor, msvcrt.LK_NBLCK, share, 1)  # type: ignore[attr-defined]  # of Windows
    except PermissionError:
        return False
    except OSError:
        pass
    return True


def unlock(descriptor: int) -> None:
    """Release a lock before the file is closed, because a process that was forked meanwhile also has the file open."""
    with contextlib.suppress(OSError):
        if fcntl:
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        elif msvcrt:
            change_locked_bytes(descriptor, msvcrt.LK_UNLCK)  # type: ignore[attr-defined]  # of Windows


def change_locked_bytes(descriptor: int, mode: int, first: int = 0, count: int = SHARES) -> None:
    """Windows: lock or unlock so many of the lock bytes. Raises OSError."""
    before = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, LOCKED_BYTE + first, os.SEEK_SET)
    try:
        msvcrt.locking(descriptor, mode, count)  # type: ignore[attr-defined]  # of Windows
    finally:
        os.lseek(descriptor, before, os.SEEK_SET)


def take_standard_input() -> BinaryIO:
    """The process's standard input, for the caller only: from now on everything else gets the null device.

    On Windows many libraries query the type of standard input when they are loaded, which blocks while a thread reads from it: an engine
    would load numba only when its client sends the next line.
    """
    source = os.fdopen(os.dup(0), "rb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return source


def end_with_standard_input() -> None:
    """End this process with status 1 as soon as its standard input ends, which happens when the process that started it ends."""
    source = take_standard_input()

    def end() -> None:
        source.read()
        os._exit(1)

    threading.Thread(target=end, daemon=True).start()


def split_command(text: str, is_windows: bool = IS_WINDOWS) -> list[str]:
    """The words of a command line in the system's form. Raises ValueError for an unmatched quotation mark."""
    if not is_windows:
        return shlex.split(text)
    return [word.replace('"', "") for word in shlex.split(text, posix=False)]  # a backslash is part of a path


def join_command(words: list[str], is_windows: bool = IS_WINDOWS) -> str:
    """A command line that split_command splits into these words."""
    return subprocess.list2cmdline(words) if is_windows else shlex.join(words)


def kill_with_all_below(process: int) -> None:
    """Kill a process and all its descendants. Without psutil, which is installed with the engine on Windows, only the process."""
    try:
        import psutil
    except ImportError:
        psutil = None
    if psutil is None:
        with contextlib.suppress(OSError):
            os.kill(process, 9)
        return
    with contextlib.suppress(psutil.Error):
        root = psutil.Process(process)
        for member in [*root.children(recursive=True), root]:
            with contextlib.suppress(psutil.Error):
                member.kill()
