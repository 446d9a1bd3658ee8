"""What several games at once take in memory: with a process for each, and with `gtp --shared`. Linux only.

.venv/bin/python tests/tools/shared_memory.py --games 1 2 4

Each game is played for some moves on 19x19 and then on 9x9, one second a move, on one thread. Printed for each number of games: the
megabytes of all processes together, pages that several have counted once (PSS), and the simulations that a search of 9x9 comes to in a
second while the others search, too.
"""

import argparse
import os
import re
import sys
import tempfile
import threading

import psutil
from gtp_process import GtpProcess
from shared_hosts import end_hosts, hosts

OWN = [sys.executable, "-P", "-m", "gtp_engine", "gtp", "--seconds", "1", "--threads", "1", "--no-resign"]
MOVES = {19: 3, 9: 6}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="+", default=[1, 2, 4], metavar="N", help="how many at once (default: 1 2 4)")
    args = parser.parse_args()
    print("games  a process each: MB  simulations  shared: MB  simulations")
    for games in args.games:
        apart, together = (measure(games, options) for options in ([], ["--shared"]))
        print(f"{games:5}  {apart[0]:18}  {apart[1]:11}  {together[0]:10}  {together[1]:11}")


def measure(games: int, options: list[str]) -> tuple[int, int]:
    """Megabytes of all processes, and simulations of a game in a second."""
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state
        clients = [GtpProcess([*OWN, *options]) for _ in range(games)]
        for size, moves in MOVES.items():
            for number in range(moves):
                for client in clients:
                    if number == 0:
                        client.ask(f"boardsize {size}")
                    client.ask(f"genmove {'bw'[number % 2]}")
        simulations: list[int] = []
        threads = [threading.Thread(target=search, args=(client, simulations)) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        shared = hosts(state)
        used = sum(process.memory_full_info().pss for process in [*map(psutil.Process, (c.process.pid for c in clients)), *shared])
        for client in clients:
            client.close()
        end_hosts(state)
    return used >> 20, sum(simulations) // games


def search(client: GtpProcess, simulations: list[int]) -> None:
    """Search once, and add how far it came."""
    simulations.append(int(re.findall(r"visits (\d+)", client.ask("kata-search_analyze b"))[0]))


if __name__ == "__main__":
    main()
