"""How much of the processors' time of a match of fast games is spent by the engines, on moves, and how much by all that runs them.

.venv/bin/python tests/tools/match_share.py [GAMES [JOBS [PLAYOUTS [RAY]]]], RAY as for --ray: our engine against itself on 9x9. Prints the
share without and with the starts of the engines, and games a second. Exit status 0 from 90 % on, else 1. A cluster's workers are not
seen from here: with Ray it prints games a second only. Linux.
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

from gtp_engine.match.runner import run_tournament
from gtp_engine.match.tournament import Player, Tournament
from gtp_engine.own_command import OWN_COMMAND

LEAST = 0.9
DEFAULTS = [100, 2, 50]


def main() -> int:
    """Play and print."""
    games, jobs, playouts = [int(text) for text in sys.argv[1:4]] + DEFAULTS[len(sys.argv[1:4]) :]
    ray = sys.argv[4] if len(sys.argv) > 4 else ""
    command = (*OWN_COMMAND, "gtp", "--set", "threads=1", "--set", f"playouts={playouts}", "--evaluator", "playouts")
    players = (Player("one", command), Player("other", command))
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        standings = run_tournament(Tournament(players, games=games, jobs=jobs), Path(folder) / "match", ray=ray)
        seconds = time.monotonic() - began
    print(f"{games} games, {jobs} at once, {playouts} playouts a move: {games / seconds:.2f} games a second, starts included")
    if ray:
        return 0
    playing = sum(side.cpu_seconds or 0.0 for record in standings.records for side in (record.black, record.white))
    spent = sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
    print(f"processor time: {spent:.1f} s, of the engines in their games {playing:.1f} s: {100 * playing / spent:.1f} %")
    return 0 if playing / spent >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
