"""What operating systems do differently: locks on files, standard input, command lines, the end of a process with all below it.

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
LOCKED_BYTE = 1 << 30  # the first byte that Windows locks: behind all content, since nobody else can read a locked one
SHARES = 1 << 20  # Windows has no shared locks: who shares locks one byte of so many, who locks alone locks all of them
PAUSE = 0.05  # seconds between two tries to lock


def lock_at_once(descriptor: int) -> bool:
    """Lock an open file; False when another process has it locked. True, too, where the file system has no locks.

    The lock is the system's and goes with its process, however that ends, or with the descriptor.
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
    """Lock an open file when no other process has it locked any more."""
    if fcntl:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        return
    while not lock_at_once(descriptor):
        time.sleep(PAUSE)


def wait_for_shared_lock(descriptor: int) -> None:
    """Lock an open file together with all others that do so, when nobody has it locked alone any more."""
    if fcntl:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_SH)
    elif msvcrt:
        while not lock_share(descriptor):
            time.sleep(PAUSE)


def lock_share(descriptor: int) -> bool:
    """Windows: lock any byte; False when another process has it locked, or all. True where there are no locks."""
    share = int.from_bytes(os.urandom(3)) % SHARES
    try:
        change_locked_bytes(descriptor, msvcrt.LK_NBLCK, share, 1)  # type: ignore[attr-defined]  # of Windows
    except PermissionError:
        return False
    except OSError:
        pass
    return True


def unlock(descriptor: int) -> None:
    """Give up a lock before the file is closed: a process that was forked meanwhile has the file open, too."""
    with contextlib.suppress(OSError):
        if fcntl:
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        elif msvcrt:
            change_locked_bytes(descriptor, msvcrt.LK_UNLCK)  # type: ignore[attr-defined]  # of Windows


def change_locked_bytes(descriptor: int, mode: int, first: int = 0, count: int = SHARES) -> None:
    """Windows: lock or unlock these of the bytes that are locked. Raises OSError."""
    before = os.lseek(descriptor, 0, os.SEEK_CUR)
    os.lseek(descriptor, LOCKED_BYTE + first, os.SEEK_SET)
    try:
        msvcrt.locking(descriptor, mode, count)  # type: ignore[attr-defined]  # of Windows
    finally:
        os.lseek(descriptor, before, os.SEEK_SET)


def take_standard_input() -> BinaryIO:
    """The process's standard input, ours alone: from now on everybody else finds the null device there.

    On Windows many libraries ask what kind of file standard input is when they are loaded, and get no answer while a thread reads from it:
    an engine would load numba only when its client sends the next line.
    """
    source = os.fdopen(os.dup(0), "rb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    return source


def end_with_standard_input() -> None:
    """Let this process end with status 1 as soon as its standard input ends, as that does with the process that has started this one."""
    source = take_standard_input()

    def end() -> None:
        source.read()
        os._exit(1)

    threading.Thread(target=end, daemon=True).start()


def split_command(text: str, is_windows: bool = IS_WINDOWS) -> list[str]:
    """The words of a command line as the system's users write it. Raises ValueError for a quotation mark without its pair."""
    if not is_windows:
        return shlex.split(text)
    return [word.replace('"', "") for word in shlex.split(text, posix=False)]  # a backslash is a part of a path


def join_command(words: list[str], is_windows: bool = IS_WINDOWS) -> str:
    """A command line of which split_command makes these words."""
    return subprocess.list2cmdline(words) if is_windows else shlex.join(words)


def kill_with_all_below(process: int) -> None:
    """End a process and all that it has started, at once. Without psutil, which comes with the engine on Windows, only the process."""
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
