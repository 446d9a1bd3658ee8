"""The processes that `gtp --shared` plays in, for tests that give them a folder of their own for their sockets, XDG_STATE_HOME."""

import psutil


def hosts(state: str) -> list[psutil.Process]:
    """Those whose sockets lie below `state`."""
    commands = {process: process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline", "ppid"])}
    found = {process.pid: process for process, words in commands.items() if "--host" in words and words[-1].startswith(state)}
    return [process for process in found.values() if process.info["ppid"] not in found]  # what a host starts looks like it at first


def end_hosts(state: str) -> None:
    """Kill them."""
    for process in hosts(state):
        process.kill()
