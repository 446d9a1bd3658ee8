"""Options of `gtp-engine analysis`."""

import argparse
from pathlib import Path

from gtp_engine import __version__
from gtp_engine.cli.options.shared import CLIENTS, GAME, PLAYING, WHO_PLAYS, add_options

LEFT_OUT = {*GAME, *WHO_PLAYS, *CLIENTS, *PLAYING} - {"gtp_version"}
TEXTS = {
    "playouts": "visits for each position of a query without maxVisits; 0: as many as the time allows (default: 0)",
    "seconds": "time for each position of a query without maxVisits; if you set it, also a limit for the others (default: 2.0)",
    "gtp_version": f"the answer to query_version, for clients that require a certain KataGo (default: {__version__})",
}

HELP = "answer the JSON queries of KataGo's clients, such as KaTrain"
DESCRIPTION = "Speak the protocol of KataGo's analysis engine on stdin and stdout."
EXAMPLES = """examples:
  gtp-engine analysis                            reads queries and writes results, a JSON object on each line
  gtp-engine analysis --positions 4 --threads 1  four positions at once, each with one thread
  gtp-engine analysis -model mine.onnx -config analysis.cfg    with KataGo's options: see docs/analysis.md

For KaTrain, enter the path of this program in General & Engine Settings; docs/analysis.md has the steps.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    group = parser.add_argument_group("analysis")
    group.add_argument(
        "--positions",
        "-analysis-threads",
        "--analysis-threads",
        type=int,
        default=0,
        metavar="N",
        help="how many positions are searched at once, each with --threads threads (default: one for each processor)",
    )
    group.add_argument(
        "--quit-without-waiting",
        "-quit-without-waiting",
        action="store_true",
        help="at the end of the input, quit without finishing the queries",
    )
    group = parser.add_argument_group("KataGo's own options")
    group.add_argument("-model", "--model", type=Path, metavar="FILE", help="as --network; other files are ignored")
    group.add_argument(
        "-human-model", "--human-model", type=Path, metavar="FILE", help="one of KataGo's human networks, for humanSLProfile"
    )
    group.add_argument(
        "-config",
        dest="katago_config",
        type=Path,
        metavar="FILE",
        help="a configuration file of KataGo; unsupported keys are named on stderr",
    )
    group.add_argument(
        "-override-config",
        "--override-config",
        action="append",
        default=[],
        metavar="KEY=VALUE,...",
        help="keys that override those of the file",
    )
    add_options(parser, leave_out=LEFT_OUT, texts=TEXTS)
