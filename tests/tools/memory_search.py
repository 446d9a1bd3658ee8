"""How much memory does a long search take? Analyzes the empty 19x19 board over GTP and watches the process.

Exit status: 0 within the limit and still answering, 1 not so, 130 after Ctrl-C. Needs /proc, that is, Linux.
"""

import argparse
import sys
import time
from itertools import pairwise
from pathlib import Path

from gtp_process import GtpProcess, GtpProcessError

ANALYZE = "lz-analyze black 100"  # reports every second until the next line comes
AT_ONCE = 1.0  # seconds; a slower answer after the search is a failure
COMPILING = 600.0  # seconds that a first start may take
REPORT_EVERY = 10.0  # seconds

EXAMPLES = """examples:
  .venv/bin/python tests/tools/memory_search.py                             five minutes with --memory 512, at most 700 MB
  .venv/bin/python tests/tools/memory_search.py --seconds 30                a quick look
  .venv/bin/python tests/tools/memory_search.py --memory 64 --most 250      a smaller tree, full sooner
"""


def main() -> int:
    """Search and watch as the command line says."""
    args = parse_arguments()
    command = [sys.executable, "-P", "-m", "gtp_engine", "gtp", "--memory", str(args.memory)]
    try:
        with GtpProcess(command) as engine:
            return watch(engine, args)
    except GtpProcessError as error:
        print(f"FAILURE: {error}")
        return 1
    except KeyboardInterrupt:
        return 130


def parse_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description="Resident memory of a long search on 19x19.", epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=300.0, metavar="S", help="how long to search (default: 300)")
    parser.add_argument("--memory", type=int, default=512, metavar="MB", help="given to the engine for its tree (default: 512)")
    parser.add_argument("--most", type=float, default=700.0, metavar="MB", help="resident memory that is still right (default: 700)")
    return parser.parse_args()


def watch(engine: GtpProcess, args: argparse.Namespace) -> int:
    """The search, its memory, and the answers after it."""
    engine.ask("boardsize 19")
    engine.ask("time_settings 1 0 0")
    engine.ask("genmove black", COMPILING)  # compiles, which takes memory too, but is not what is watched
    engine.ask("undo")
    print(f"before the search: {resident_megabytes(engine.process.pid):.0f} MB", flush=True)
    engine.send(ANALYZE)
    started = time.monotonic()
    most, next_report = 0.0, REPORT_EVERY
    while (elapsed := time.monotonic() - started) < args.seconds:
        time.sleep(min(1.0, args.seconds - elapsed))
        now = resident_megabytes(engine.process.pid)
        most = max(most, now)
        if elapsed >= next_report:
            print(f"{elapsed:.0f} s: {now:.0f} MB", flush=True)
            next_report += REPORT_EVERY
    engine.send("")  # ends the analysis
    answered = time.monotonic()
    last_report = engine.receive()
    for line in ("name", "time_left black 0 0", "genmove black"):
        engine.ask(line)
    took = time.monotonic() - answered
    visits = sum(int(visit) for visit in visits_in(last_report))
    print(f"most: {most:.0f} MB of {args.most:.0f}; {visits} visits; three answers after {took:.2f} s")
    return int(most > args.most or took > AT_ONCE)


def visits_in(report: str) -> list[str]:
    """The visits of each move in the last line of an analysis."""
    words = report.splitlines()[-1].split()
    return [value for key, value in pairwise(words) if key == "visits"]


def resident_megabytes(process_id: int) -> float:
    """Memory of the process that is in RAM now."""
    status = Path(f"/proc/{process_id}/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


if __name__ == "__main__":
    sys.exit(main())
