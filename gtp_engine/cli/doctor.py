"""`gtp-engine doctor`: checks the installation, and prints the lines for clients."""

import argparse
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.tools.setup.client_lines import CLIENT_LINES, own_command
from gtp_engine.tools.setup.doctor import run_checks


def run(args: argparse.Namespace) -> int:
    """Check and print; 1 if a check fails, otherwise 0."""
    failed = 0 if args.lines else print_checks()
    command = own_command()
    print("to paste into a client (docs/clients.md and docs/servers.md have each one's pitfalls):")
    for line in CLIENT_LINES:
        print(f"  {line.client:<9} {line.place}\n            {line.text(command)}")
    return 1 if failed else 0


def print_checks() -> int:
    """Print every check as it ends; returns the number of failures."""
    failed = 0
    with interrupts_end_the_process():
        for check in run_checks():
            failed += not check.is_good
            print(f"{'ok  ' if check.is_good else 'FAIL'}  {check.name:<14} {check.detail}", flush=True)
    return failed


@contextmanager
def interrupts_end_the_process() -> Iterator[None]:
    """Within the block Ctrl-C ends the process at once; an exception might be lost in a library, or count as a failed check."""
    before = signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
