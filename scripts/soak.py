"""Long tests under load and faults: `scripts/soak.py WHAT [--count N] [--seed N]`. CONTRIBUTING.md tells what each one does.

Exit status: 0 no fault, 1 faults, which are printed, 130 after Ctrl-C.
"""

import argparse
import importlib
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOAKS = {
    "games": "games of the default player at few visits, every move checked by sgfmill's board",
    "gtp": "random and hostile GTP commands, checked against a model",
    "damaged": "damaged networks, checkpoints, compact records, TOML",
    "records": "mutated SGF files through loadsgf, review, solve, regress and train",
    "kills": "kill -9 at random moments; the same command goes on, nothing lost or twice",
    "faults": "each subcommand with a full disk, no home, closed streams, little memory",
    "shared": "games in one process (gtp --shared) go as in processes of their own, while other clients are killed",
    "clocks": "games on the clock beside three busy programs: the network player never loses on time",
    "pondering": "analysis and pondering on 19x19: memory, and how fast it stops",
}
MODULES = {"gtp": "gtp_commands"}


def main() -> int:
    """Run one of them."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tests" / "tools")]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=SOAKS, help="; ".join(f"{name}: {text}" for name, text in SOAKS.items()))
    parser.add_argument("--count", type=int, metavar="N", help="how many (default: as many as a release asks for)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the random numbers (default: 1)")
    parser.add_argument("--threads", type=int, metavar="N", help="of the player in pondering (default: as many as it takes by itself)")
    parser.add_argument("--load", type=int, metavar="N", help="busy programs beside the games of clocks (default: 3)")
    parser.add_argument("--jobs", type=int, metavar="N", help="games of clocks at once (default: 1)")
    args = parser.parse_args()
    soak = importlib.import_module(f"soaks.{MODULES.get(args.what, args.what)}")
    started = time.monotonic()
    try:
        options = {name: getattr(args, name) for name in getattr(soak, "OPTIONS", ())}
        tally = soak.run(args.count or soak.COUNT, args.seed, **options)
    except KeyboardInterrupt:
        return 130
    for note in tally.notes:
        print(note)
    print(f"{args.what}: {tally.done} done, {len(tally.faults)} faults, {time.monotonic() - started:.0f} s")
    return int(bool(tally.faults))


if __name__ == "__main__":
    sys.exit(main())
