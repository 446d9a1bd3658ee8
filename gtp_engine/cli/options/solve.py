"""Options of `gtp-engine solve`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.shared import positive
from gtp_engine.go.points import BLACK, WHITE

GUESSING_SECONDS = 10.0  # for a problem without marks, without --seconds
CHECK_SECONDS = 5.0
NODES = 1_000_000
COLORS = {"black": [BLACK], "white": [WHITE], "both": [BLACK, WHITE]}

HELP = "prove life and death by search"
DESCRIPTION = """Prove the status of stones: alive, dead, seki, ko, or unsettled (it depends on who plays first).

A FILE is a game record (SGF), or a text file of drawn boards with empty lines between them; - reads from stdin. In SGF the targets are the
stones with a mark (TR, SQ, CR, SL or MA); if empty points are marked too, only those are played on. In a drawn board

    X O   are black and white stones        # @   black and white target stones
    .     is an empty point                 *     an empty point to play on; without any, the solver finds the region

If a record has no marks, the solver guesses the question: stones in danger whose fate the first move decides, and a region. The answer
says what was assumed. If nothing is proved in time, the answer is the move that the engine's search would play.

The attacker wants to capture every target. Stones around the region without two eyes are assumed to be safe; the answer names them."""
EXAMPLES = """examples:
  gtp-engine solve sgf/ko/*.sgf                   a table
  gtp-engine solve corner.sgf --target B2         the chain on B2
  gtp-engine solve open.sgf --target D3 --region C1,D1,D2,E1    an open position: play only on these points
  gtp-engine solve problem.sgf --tries            also the wrong first moves, and what refutes them
  gtp-engine solve --check collection/            compare the answers with the moves that the records call right
  gtp-engine solve corner.sgf --output proofs     the proof as a record for each color to play first
  gtp-engine solve big.sgf --nodes 10000000       search longer; 1,000,000 nodes need about 200 MB
  printf '. # O\\n# # O\\nO O .\\n' | gtp-engine solve -

exit status: 0 everything is proved, 1 something is still unknown after --nodes or --seconds, 2 something could not be read
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="an SGF file, a file with drawn boards, a folder of SGF files, or - for stdin"
    )
    parser.add_argument("--target", action="append", default=[], metavar="VERTEX", help="a stone whose status to prove; may be repeated")
    parser.add_argument(
        "--region",
        action="append",
        default=[],
        metavar="VERTEX[,VERTEX...]",
        help="the empty points to play on; may be repeated (default: the marked ones, or those that the solver finds)",
    )
    parser.add_argument("--color", choices=list(COLORS), default="both", help="who plays first (default: both, one after the other)")
    parser.add_argument(
        "--nodes",
        type=positive(int),
        default=NODES,
        metavar="N",
        help=f"how many positions to search for each question (default: {NODES})",
    )
    parser.add_argument(
        "--seconds",
        type=positive(float),
        default=None,
        metavar="S",
        help=f"time for each problem (default: no limit; {GUESSING_SECONDS:g} s for a problem without marks)",
    )
    parser.add_argument("--tries", action="store_true", help="show the wrong first moves and what refutes them")
    parser.add_argument(
        "--check",
        action="store_true",
        help=f"compare with the moves that records call right (Correct, TE); {CHECK_SECONDS:g} s each, or --seconds",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="write each proof as an SGF file into FOLDER")
