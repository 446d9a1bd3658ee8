"""What the match runner adds to each move: two engines that need no time play each other, and the clock on the wall tells the rest.

.venv/bin/python tests/tools/match_overhead.py [GAMES]: prints milliseconds a move, everything between the games included. Exit status 0
below 5 ms, else 1.
"""

import sys
import tempfile
import time
from pathlib import Path

from gtp_engine.tools.match.runner import run_tournament
from gtp_engine.tools.match.tournament import Player, Tournament

ENGINE = Path(__file__).resolve().parent.parent / "engines" / "rows.py"
LIMIT = 5.0  # ms a move
DEFAULT_GAMES = 40


def main() -> int:
    """Play and print."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT_GAMES
    command = (sys.executable, "-I", "-S", str(ENGINE))
    tournament = Tournament((Player("one", command), Player("other", command)), games=games, size=19)
    with tempfile.TemporaryDirectory() as folder:
        run_tournament(Tournament(tournament.players, games=1, size=19), Path(folder) / "warm")  # loads the kernels of the rules
        began, busy = time.monotonic(), time.process_time()
        standings = run_tournament(tournament, Path(folder) / "measured")
        seconds, own_seconds = time.monotonic() - began, time.process_time() - busy  # of the driver; its worker's is in match_share.py
    moves = sum(record.moves for record in standings.records)
    engines = sum(standings.spent(name).seconds for name in standings.names)
    print(f"{games} games, {moves} moves on 19x19: {1000 * seconds / moves:.3f} ms a move on the wall, start of the engines included")
    print(f"the driver's processor time: {1000 * own_seconds / moves:.3f} ms a move; waiting for genmove: {1000 * engines / moves:.3f} ms")
    return 0 if 1000 * seconds / moves < LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
