"""Python as it is on Windows, as far as what is not there: put this folder into PYTHONPATH, and every process below is without it, too.

Modules of POSIX can't be imported, functions of POSIX are gone, and a process can't be started with what only POSIX can give it.
"""

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from typing import Any

MODULES = {"fcntl", "grp", "posix_ipc", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
FUNCTIONS: dict[Any, str] = {
    os: "chown chroot fchmod fork forkpty getpgid killpg mkfifo nice sched_getaffinity setpgid setsid sysconf",
    select: "poll epoll",
    signal: "SIGKILL SIGHUP SIGCHLD SIGUSR1 SIGUSR2 SIGALRM alarm pthread_sigmask setitimer",
    socket: "AF_UNIX socketpair",
}
ONLY_POSIX = ("pass_fds", "preexec_fn", "start_new_session", "user", "group", "umask", "process_group")


class NotOnWindows:
    """A finder of modules that finds these to be missing."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        """See importlib."""
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


class Popen(subprocess.Popen):  # type: ignore[type-arg]
    """As Windows has it."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        given = [name for name in ONLY_POSIX if options.get(name) not in (None, False, (), -1)]
        if given:
            raise ValueError(f"{given[0]} is not supported on Windows platforms")
        super().__init__(*arguments, **options)

    def kill(self) -> None:
        """As there: with SIGKILL gone, Python's own for POSIX would fail."""
        self.terminate()


for module in MODULES:
    sys.modules.pop(module, None)
sys.meta_path.insert(0, NotOnWindows())
for module, names in FUNCTIONS.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
subprocess.Popen = Popen  # type: ignore[misc]
