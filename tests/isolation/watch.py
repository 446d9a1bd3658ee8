"""Runs a command and notes what it and its children do to files and the network: `watch.py NOTES COMMAND...`.

Needs Linux 5.5, and no rights. The kernel asks this process about each system call that could change a file or reach a network (seccomp's
user notification), whoever makes it: Python, compiled code, a library. Sockets of the internet are refused. A line of NOTES is what was
done, and to what. The exit status is the command's; 125 when the kernel doesn't let us watch.
"""

import ctypes
import errno
import fcntl
import os
import select
import signal
import socket
import struct
import sys
import time
from collections.abc import Iterator

UNWATCHED = 125  # exit status
ALIVE = 5.0  # seconds that children may live on
AT_CWD = -100

# numbers of system calls: (x86-64, arm64); those that only one has are -1 on the other
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
SECCOMP = (317, 277)
SOCKET, CONNECT = (41, 198), (42, 203)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
OPENING = {"openat": ((257, 56), 2), "open": ((2, -1), 1)}  # the argument with the flags
# the arguments (folder, path) of each call; folder -1: the current one
PATHS = {
    "openat": ((257, 56), (0, 1)),
    "open": ((2, -1), (-1, 0)),
    "openat2": ((437, 437), (0, 1)),
    "creat": ((85, -1), (-1, 0)),
    "mkdir": ((83, -1), (-1, 0)),
    "mkdirat": ((258, 34), (0, 1)),
    "mknod": ((133, -1), (-1, 0)),
    "mknodat": ((259, 33), (0, 1)),
    "rename": ((82, -1), (-1, 1)),
    "renameat": ((264, 38), (2, 3)),
    "renameat2": ((316, 276), (2, 3)),
    "link": ((86, -1), (-1, 1)),
    "linkat": ((265, 37), (2, 3)),
    "symlink": ((88, -1), (-1, 1)),
    "symlinkat": ((266, 36), (1, 2)),
    "unlink": ((87, -1), (-1, 0)),
    "unlinkat": ((263, 35), (0, 1)),
    "rmdir": ((84, -1), (-1, 0)),
    "truncate": ((76, 45), (-1, 0)),
}
INTERNET = {socket.AF_INET: "AF_INET", socket.AF_INET6: "AF_INET6", 17: "AF_PACKET"}
IO_URING_SETUP = (425, 425)  # a second way to do all this: refused

# linux/seccomp.h, linux/filter.h
NO_NEW_PRIVILEGES, DEATH_SIGNAL = 38, 1
SET_FILTER, NEW_LISTENER = 1, 8
RECEIVE, SEND = 0xC0502100, 0xC0182101
ALLOW, REFUSE, ASK = 0x7FFF0000, 0x00050000, 0x7FC00000
LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
NUMBER, MACHINE, ARGUMENTS = 0, 4, 16  # offsets in seccomp_data
NOTIFICATION = struct.Struct("=QIIiIQ6Q")
ANSWER = struct.Struct("=QqiI")
CONTINUE = 1

Step = tuple[int, int, int, int]


def filter_steps(column: int, machine: int) -> list[Step]:
    """The filter's program: which system calls to ask about."""
    steps: list[Step] = [(LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, machine), (RETURN, 0, 0, REFUSE | errno.ENOSYS), (LOAD, 0, 0, NUMBER)]
    steps += [(EQUAL, 0, 1, IO_URING_SETUP[column]), (RETURN, 0, 0, REFUSE | errno.ENOSYS)]
    for numbers, argument in OPENING.values():
        if numbers[column] >= 0:
            flags = (LOAD, 0, 0, ARGUMENTS + 8 * argument)
            steps += [(EQUAL, 0, 4, numbers[column]), flags, (ANY_BIT, 0, 1, WRITING), (RETURN, 0, 0, ASK), (RETURN, 0, 0, ALLOW)]
    family = (LOAD, 0, 0, ARGUMENTS)
    steps += [(EQUAL, 0, 2 * len(INTERNET) + 2, SOCKET[column]), family]
    for number in INTERNET:
        steps += [(EQUAL, 0, 1, number), (RETURN, 0, 0, ASK)]
    steps.append((RETURN, 0, 0, ALLOW))
    always = [numbers[column] for name, (numbers, _) in PATHS.items() if name not in OPENING]
    for number in (*always, CONNECT[column]):
        if number >= 0:
            steps += [(EQUAL, 0, 1, number), (RETURN, 0, 0, ASK)]
    return [*steps, (RETURN, 0, 0, ALLOW)]


def install(column: int, machine: int) -> int:
    """Watch this process from now on; the file descriptor that the kernel's questions come to. Raises OSError."""
    library = ctypes.CDLL(None, use_errno=True)
    code = b"".join(struct.pack("=HBBI", *step) for step in filter_steps(column, machine))
    memory = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(code) // 8, ctypes.addressof(memory))
    library.prctl(DEATH_SIGNAL, signal.SIGKILL)
    library.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    listener: int = library.syscall(SECCOMP[column], SET_FILTER, NEW_LISTENER, program)
    if listener < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"the kernel doesn't let us watch: {os.strerror(number)}")
    return listener


def start(command: list[str], column: int, machine: int) -> tuple[int, int]:
    """(process id, listener) of the command. Raises OSError."""
    here, there = socket.socketpair()
    child = os.fork()
    if child == 0:
        try:
            listener = install(column, machine)
            socket.send_fds(there, [b"x"], [listener])
            os.close(listener)
            os.execvp(command[0], command)
        except OSError as error:
            print(f"watch: {error}", file=sys.stderr, flush=True)
        finally:
            os._exit(UNWATCHED)
    there.close()
    _, listeners, _, _ = socket.recv_fds(here, 1, 1)
    here.close()
    if not listeners:
        os.waitpid(child, 0)
        raise OSError(errno.EPERM, "not watched")
    return child, listeners[0]


def questions(child: int, listener: int, status: list[int]) -> Iterator[bytes]:
    """The kernel's questions until nobody is left who could cause one, or the command's children live on for ALIVE."""
    poll = select.poll()
    poll.register(listener, select.POLLIN)
    deadline = 0.0
    while True:
        events = poll.poll(50)
        if not status:
            process, code = os.waitpid(child, os.WNOHANG)
            if process:
                status.append(os.waitstatus_to_exitcode(code))
                deadline = time.monotonic() + ALIVE
        if events and events[0][1] & select.POLLIN:
            question = bytearray(NOTIFICATION.size)
            try:
                fcntl.ioctl(listener, RECEIVE, question)
            except OSError:  # it was killed meanwhile
                continue
            yield bytes(question)
        elif status and (events or time.monotonic() > deadline):
            if not events:
                yield b""
            return


def text_at(process: int, address: int) -> str:
    """The C string at an address of another process."""
    with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
        memory.seek(address)
        data = b""
        while b"\0" not in data and len(data) < 4096:
            data += memory.read(min(256, 4096 - (address + len(data)) % 4096)) or b"\0"
    return os.fsdecode(data.split(b"\0")[0])


def path_of(process: int, arguments: tuple[int, ...], folder: int, path: int) -> str:
    """The absolute path that a system call names."""
    number = AT_CWD if folder < 0 else ctypes.c_int(arguments[folder] & 0xFFFFFFFF).value
    base = os.readlink(f"/proc/{process}/" + ("cwd" if number == AT_CWD else f"fd/{number}"))
    return os.path.normpath(os.path.join(base, text_at(process, arguments[path])))


def note(column: int, number: int, process: int, arguments: tuple[int, ...]) -> str:
    """What a system call is about to do; "" when it is nothing."""
    if number == SOCKET[column]:
        return f"socket {INTERNET[arguments[0]]} of {program_of(process)}"
    if number == CONNECT[column]:
        with open(f"/proc/{process}/mem", "rb", buffering=0) as memory:
            memory.seek(arguments[1])
            address = memory.read(min(arguments[2], 110))
        place = address[2:].lstrip(b"\0").split(b"\0")[0]  # of a Unix socket; others can't be made
        return f"socket connected to {os.fsdecode(place)} by {program_of(process)}"
    for name, (numbers, places) in PATHS.items():
        if numbers[column] == number:
            return f"{name} {path_of(process, arguments, *places)}"
    return ""


def program_of(process: int) -> str:
    """A process's command line."""
    with open(f"/proc/{process}/cmdline", "rb") as file:
        return os.fsdecode(file.read().replace(b"\0", b" ").strip())[:200]


def main() -> int:
    """Run the command and write the notes."""
    column, machine = MACHINES[os.uname().machine]
    status: list[int] = []
    try:
        child, listener = start(sys.argv[2:], column, machine)
    except OSError as error:
        print(f"watch: {error}", file=sys.stderr)
        return UNWATCHED
    with open(sys.argv[1], "a", encoding="utf-8", errors="surrogateescape") as notes:
        for question in questions(child, listener, status):
            if not question:
                notes.write("alive: a process that it started\n")
                break
            key, process, _, number, _, _, *arguments = NOTIFICATION.unpack(question)
            try:
                line = note(column, number, process, tuple(arguments))
            except OSError:  # it was killed meanwhile
                line = ""
            if line:
                notes.write(line.replace("\n", "\\n") + "\n")
            refused = number == SOCKET[column]
            answer = ANSWER.pack(key, 0, -errno.EAFNOSUPPORT if refused else 0, 0 if refused else CONTINUE)
            try:
                fcntl.ioctl(listener, SEND, answer)
            except OSError:  # the same
                continue
    return status[0] if status[0] >= 0 else 128 - status[0]


if __name__ == "__main__":
    sys.exit(main())
