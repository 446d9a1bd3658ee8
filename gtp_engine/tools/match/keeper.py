"""Keeps one engine: `python keeper.py CONTROL COMMAND ...` runs COMMAND and ends it, with all that it has started, when CONTROL closes.

CONTROL is the reading end of a pipe whose other end only the client holds. When the client ends in any way, kill -9 included, the pipe
closes. The engine gets the keeper's own stdin, stdout and stderr, so nothing of the conversation passes through here.

On Linux the keeper adopts orphans, so that processes which have left the engine's group are found, and the engine dies with the keeper.
Elsewhere only the engine's process group is ended. Exit status: the engine's own, 128 + signal, or 127 if it can't be started. Imports only
a little of the standard library, to start fast.
"""

import contextlib
import os
import select
import signal
import sys
import time

PR_SET_PDEATHSIG = 1  # linux/prctl.h
PR_SET_CHILD_SUBREAPER = 36
CANNOT_START = 127  # exit status, as shells have it
CANNOT_START_TEXT = "cannot start"  # the beginning of stderr then
PAUSE = 0.01  # seconds between checks for processes that are still ending
PATIENCE = 5.0  # seconds for them: a process that waits for a dead disk can't be ended


def main() -> int:
    """Run the engine of the command line."""
    control, command = int(sys.argv[1]), sys.argv[2:]
    wake_reader, wake_writer = os.pipe()
    os.set_blocking(wake_writer, False)
    os.set_inheritable(control, False)
    signal.set_wakeup_fd(wake_writer, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)  # a signal only has to wake the select below
    call_prctl(PR_SET_CHILD_SUBREAPER, 1)
    engine = os.fork()
    if engine == 0:
        become(command)
    let_go_of_streams()
    status = wait_for(engine, control, wake_reader)
    end_descendants(engine)
    return status


def become(command: list[str]) -> None:
    """Turn this process into the engine. Never returns."""
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    call_prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setpgid(0, 0)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{CANNOT_START_TEXT} {command[0]}: {error.strerror}\n".encode())
    os._exit(CANNOT_START)


def call_prctl(option: int, value: int) -> None:
    """Linux's prctl; nothing elsewhere."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def let_go_of_streams() -> None:
    """Close stdin, stdout and stderr, so that the client sees them close when the engine ends."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(null, descriptor)


def wait_for(engine: int, control: int, wake: int) -> int:
    """The engine's exit status once it has ended, or 0 once the client has ended or a signal asks us to end."""
    while True:
        ready, _, _ = select.select([control, wake], [], [])
        if control in ready and not os.read(control, 1):
            return 0
        numbers = os.read(wake, 512) if wake in ready else b""
        if signal.SIGTERM in numbers or signal.SIGHUP in numbers:
            return 0
        ended, _ = reap()
        if engine in ended:
            return 128 - ended[engine] if ended[engine] < 0 else ended[engine]


def reap() -> tuple[dict[int, int], bool]:
    """(exit statuses of children that ended since the last call, minus the signal if killed; whether others are left)."""
    ended: dict[int, int] = {}
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended, False
        if process == 0:
            return ended, True
        ended[process] = os.waitstatus_to_exitcode(status)


def end_descendants(engine: int) -> None:
    """Kill everything that the engine has started, including orphans of orphans, until nothing is left."""
    if not os.path.isdir("/proc"):
        kill(-engine)  # its process group
    deadline = time.monotonic() + PATIENCE
    while reap()[1] and time.monotonic() < deadline:
        for process in descendants(os.getpid()):
            kill(process)
        time.sleep(PAUSE)


def kill(process: int) -> None:
    """End a process, or the group -process, which may have ended already."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, signal.SIGKILL)


def descendants(root: int) -> list[int]:
    """All processes below `root` by /proc; none without /proc."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
        if not name.isdecimal():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
        except OSError:
            continue  # it has just ended
        children.setdefault(parent, []).append(int(name))
    descendants, waiting = [], [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        descendants += below
        waiting += below
    return descendants


if __name__ == "__main__":
    sys.exit(main())
