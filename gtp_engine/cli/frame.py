"""`gtp-engine frame`: makes local problems whole boards on which they decide the game, for any engine."""

import argparse
import math
from functools import partial
from pathlib import Path

from gtp_engine.base.progress import ProgressLine, tell
from gtp_engine.base.record_files import gtp_stem, overwritten, record_files
from gtp_engine.cli.options.frame import SUITE, THREATS
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.tools.problems.framer import Framer

complain = partial(tell, "frame")


def run(args: argparse.Namespace) -> int:
    """Frame every record; the exit status, see EXAMPLES."""
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


def frame_all(framer: Framer, paths: list[str], progress: ProgressLine) -> None:
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


def summary(framer: Framer, folder: Path) -> str:
    """The number of framed problems, and of those in the suite, or why there is none."""
    count = len(framer.names)
    text = f"{count} framed problem{'s' * (count != 1)} in {folder}"
    if not framer.tests:
        return f"{text}; the records name no correct moves, so there is no suite"
    return f"{text}, {len(framer.tests)} of them with right moves in the suite {SUITE}"
