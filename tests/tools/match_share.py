"""How much of the processors' time of a match of fast games is spent by the engines, on moves, and how much by all that runs them.

.venv/bin/python tests/tools/match_share.py [GAMES [JOBS [PLAYOUTS [RAY]]]], RAY as for --ray: our engine against itself on 9x9. Prints the
share with and without the starts of engines and workers, and games a second. What the starts need is measured by a match whose games end
after one move. Exit status 0 from 90 % on, starts included, else 1. A cluster's workers are not seen from here: with Ray it prints
games a second only. Linux.
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

from gtp_engine.base.own_command import OWN_COMMAND
from gtp_engine.tools.match.runner import run_tournament
from gtp_engine.tools.match.standings import Standings
from gtp_engine.tools.match.tournament import Player, Tournament

LEAST = 0.9
DEFAULTS = [100, 2, 50]


def main() -> int:
    """Play and print."""
    games, jobs, playouts = [int(text) for text in sys.argv[1:4]] + DEFAULTS[len(sys.argv[1:4]) :]
    ray = sys.argv[4] if len(sys.argv) > 4 else ""
    command = (*OWN_COMMAND, "gtp", "--set", "threads=1", "--set", f"playouts={playouts}", "--evaluator", "playouts")
    players = (Player("one", command), Player("other", command))
    began = time.monotonic()
    standings, spent = played(Tournament(players, games=games, jobs=jobs), ray)
    seconds = time.monotonic() - began
    print(f"{games} games, {jobs} at once, {playouts} playouts a move: {games / seconds:.2f} games a second, starts included")
    if ray:
        return 0
    playing = playing_time(standings)
    short, starting = played(Tournament(players, games=2 * jobs, jobs=jobs, move_limit=1))
    print(f"processor time: {spent:.1f} s, of the engines in their games {playing:.1f} s: {100 * playing / spent:.1f} %")
    print(f"without the {starting:.1f} s of the starts: {100 * (playing - playing_time(short)) / (spent - starting):.1f} %")
    return 0 if playing / spent >= LEAST else 1


def playing_time(standings: Standings) -> float:
    """Of the engines in their games, in seconds; what they load in the first one is among it."""
    return sum(side.cpu_seconds or 0.0 for record in standings.records for side in (record.black, record.white))


def played(tournament: Tournament, ray: str = "") -> tuple[Standings, float]:
    """Play it; also the processor time of everything that ran for it here, in seconds."""
    before = processor_time()
    with tempfile.TemporaryDirectory() as folder:
        standings = run_tournament(tournament, Path(folder) / "match", ray=ray)
    return standings, processor_time() - before


def processor_time() -> float:
    """Of this process and all that it has waited for, in seconds."""
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


if __name__ == "__main__":
    sys.exit(main())
