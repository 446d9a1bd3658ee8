"""`gtp-engine frame`: makes local problems whole boards on which they decide the game, for any engine."""

import argparse
import math
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gtp_engine.base.progress import ProgressLine, tell
from gtp_engine.base.record_files import gtp_stem, overwritten, record_files
from gtp_engine.cli.options import number_argument, whole_number
from gtp_engine.cli.parser import INTERRUPTED

if TYPE_CHECKING:
    from gtp_engine.tools.problems.framer import Framer

SUITE = "framed.tst"
THREATS = {"none": 0, "some": 1, "many": 2}  # ko threats of each side
MOST_MARGIN = 10
complain = partial(tell, "frame")
PLAYOUTS, MOST_PLAYOUTS = 2_000, 1_000_000  # of a search for the komi: about a fifth of a second

HELP = "turn local problems into whole-board problems"
DESCRIPTION = """Put local problems, records with a few stones on an empty board, into a frame: everything outside the fight belongs to one
side and lives, and komi lets the fight decide who wins. Who surrounds whom is told by marks on the stones in question, or guessed. Komi
lies in the middle between two even games, one with each side to play first, as searches see it: nothing is proved. Where a record calls
first moves right (Correct, Right or TE), a suite asks for them."""
EXAMPLES = f"""examples:
  gtp-engine frame problem.sgf --output framed                  framed/problem.sgf, and the suite framed/{SUITE}
  gtp-engine frame collection/ --threats some --output framed   a folder; each side has a ko threat
  gtp-engine regress framed/{SUITE} --seconds 1                 what this engine plays
  gtp-engine frame problem.sgf --margin 1 --output framed       a tighter frame
  gtp-engine frame collection/ --visits 0 --output framed       at once: komi by counting points only

exit status: 0 all were framed, 1 some could not be, 2 nothing could be written, 130 after Ctrl-C, which keeps what is framed
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="an SGF file, or a folder of them")
    parser.add_argument(
        "--output", type=Path, required=True, metavar="DIR", help="the folder for the records and the suite; made if missing"
    )
    parser.add_argument(
        "--margin",
        type=whole_number(0, MOST_MARGIN),
        default=2,
        metavar="N",
        help="empty points between the stones and the frame (default: 2)",
    )
    parser.add_argument("--threats", choices=list(THREATS), default="none", help="ko threats of each side in the frame (default: none)")
    parser.add_argument("--seed", type=number_argument(int), default=1, metavar="N", help="seed of the random numbers (default: 1)")
    parser.add_argument(
        "--visits",
        "--playouts",
        dest="playouts",
        type=whole_number(0, MOST_PLAYOUTS),
        default=PLAYOUTS,
        metavar="N",
        help=f"visits of each search for the komi, twelve at most; 0: no search (default: {PLAYOUTS})",
    )


def run(args: argparse.Namespace) -> int:
    """Frame every record; the exit status, see EXAMPLES."""
    from gtp_engine.tools.problems.framer import Framer

    paths, refused = list(record_files(args.files)), list[str]()
    lost = overwritten(paths, [args.output / f"{gtp_stem(path)}.sgf" for path in paths])
    if lost is not None:
        complain(f"{lost} would be overwritten; name another folder with --output")
        return 2
    progress = ProgressLine("frame", math.inf)

    def refuse(text: str) -> None:
        """Print why a problem isn't framed."""
        progress.note(text)
        refused.append(text)

    framer = Framer(args.output, args.margin, THREATS[args.threats], args.seed, args.playouts, refuse)
    try:
        frame_all(framer, paths, progress)
    except OSError as error:
        complain(f"{args.output} cannot be written: {error.strerror}; name another folder with --output")
        return 2
    except KeyboardInterrupt:
        complain(f"stopped; {summary(framer, args.output)}")
        return INTERRUPTED
    print(summary(framer, args.output))
    return 1 if refused else 0


def frame_all(framer: "Framer", paths: list[str], progress: ProgressLine) -> None:
    """Frame the files, and write the suite of the framed ones, also after Ctrl-C. Raises OSError if nothing can be written."""
    framer.folder.mkdir(parents=True, exist_ok=True)
    try:
        with progress:
            for done, path in enumerate(paths):
                progress.count(done, len(paths), "records")
                framer.frame_file(path)
    finally:
        if framer.tests:
            (framer.folder / SUITE).write_text("".join(framer.tests), encoding="utf-8")


def summary(framer: "Framer", folder: Path) -> str:
    """The number of framed problems, and of those in the suite, or why there is none."""
    count = len(framer.names)
    text = f"{count} framed problem{'s' * (count != 1)} in {folder}"
    if not framer.tests:
        return f"{text}; the records name no correct moves, so there is no suite"
    return f"{text}, {len(framer.tests)} of them with right moves in the suite {SUITE}"
