"""Runs the command given as arguments. Meant for a network namespace of its own: every packet, whoever it is for, comes back here.

Answers no question. Prints the names that were asked for, and the packets if there were any; ends with the command's exit status.
"""

import select
import socket
import subprocess
import sys
from pathlib import Path

ROUTES = (["ip", "link", "set", "lo", "up"], ["ip", "route", "add", "local", "0.0.0.0/0", "dev", "lo"])
NAME_SERVER = ("0.0.0.0", 53)


def main() -> int:
    """Run the command."""
    for words in ROUTES:
        subprocess.run(words, check=True)
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(NAME_SERVER)
    child = subprocess.Popen(sys.argv[1:])
    while child.poll() is None:
        if select.select([server], [], [], 0.1)[0]:
            print("NETWORK asked for", server.recv(4096), file=sys.stderr, flush=True)
    if packets():
        print(f"NETWORK {packets()} packets", file=sys.stderr)
    return child.returncode


def packets() -> int:
    """How many packets this namespace has seen."""
    line = next(line for line in Path("/proc/net/dev").read_text().splitlines() if line.strip().startswith("lo:"))
    return int(line.split()[2])


if __name__ == "__main__":
    sys.exit(main())
