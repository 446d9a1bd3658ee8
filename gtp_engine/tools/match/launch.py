"""Starts an engine as a process that can be ended with all that it has started: under the keeper if possible, otherwise by itself."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gtp_engine.base.systems import kill_with_all_below

KEEPER = Path(__file__).with_name("keeper.py")
IN_A_GROUP_OF_ITS_OWN = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # Windows: Ctrl-C in the terminal is for the client only


@dataclass(frozen=True)
class Launched:
    """A running process, and a function, to be called once, that ends it with all its descendants."""

    process: "subprocess.Popen[bytes]"
    end: Callable[[], None]


def launch(command: Sequence[str], folder: Path | None) -> Launched:
    """Start an engine with pipes for its stdin, stdout and stderr. Raises OSError."""
    return launch_with_keeper(command, folder) if hasattr(os, "fork") else launch_alone(command, folder)


def launch_with_keeper(command: Sequence[str], folder: Path | None) -> Launched:
    """Linux and macOS: the engine ends when we end in any way."""
    reader, writer = os.pipe()
    pipe = subprocess.PIPE
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(KEEPER), str(reader), *command],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            bufsize=0,
            cwd=folder,
            pass_fds=(reader,),
            start_new_session=True,  # Ctrl-C in the terminal is for the client only
        )
    except OSError:
        os.close(writer)
        raise
    finally:
        os.close(reader)
    return Launched(process, lambda: os.close(writer))


def launch_alone(command: Sequence[str], folder: Path | None) -> Launched:
    """Windows: if we are killed, the engine sees the end of its stdin."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        list(command), stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, cwd=folder, creationflags=IN_A_GROUP_OF_ITS_OWN
    )
    return Launched(process, lambda: kill_with_all_below(process.pid))
