"""`gtp-engine frame`: local problems become whole boards on which they decide the game, so that any engine can be asked for its move."""

import argparse
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gtp_engine.base.progress import ProgressLine, tell
from gtp_engine.cli.options import number_argument, whole_number
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.cli.record_files import free_name, gtp_stem, overwritten, record_files

if TYPE_CHECKING:
    from gtp_engine.engine.player.engine import Engine
    from gtp_engine.engine.solver.problem import Problem
    from gtp_engine.tools.problems.brought import Framed

SUITE = "framed.tst"
THREATS = {"none": 0, "some": 1, "many": 2}  # ko threats of each side
MOST_MARGIN = 10
complain = partial(tell, "frame")
PLAYOUTS, MOST_PLAYOUTS = 2_000, 1_000_000  # of a search for the komi: about a fifth of a second

DESCRIPTION = """Put local problems, records with a few stones on an empty board, into a frame: everything outside the fight belongs to one
side and lives, and komi lets the fight decide who wins. Who surrounds whom is told by marks on the stones in question, or guessed. Komi
lies in the middle between two even games, one with each side to play first, as searches see it: nothing is proved. Where a record calls
first moves right (Correct, Right or TE), a suite asks for them."""
EXAMPLES = f"""examples:
  gtp-engine frame problem.sgf --output framed                  framed/problem.sgf, and the suite framed/{SUITE}
  gtp-engine frame collection/ --threats some --output framed   a folder; each side has a ko threat
  gtp-engine regress framed/{SUITE} --seconds 1                 what this engine plays
  gtp-engine frame problem.sgf --margin 1 --output framed       a tighter frame
  gtp-engine frame collection/ --playouts 0 --output framed     at once: komi by counting points only

exit status: 0 all were framed, 1 some could not be, 2 nothing could be written, 130 after Ctrl-C, which keeps what is framed
"""


def add_parser(subparsers: Any) -> None:
    """Add this subcommand to the command line."""
    parser = subparsers.add_parser("frame", help="turn local problems into whole-board problems", description=DESCRIPTION, epilog=EXAMPLES)
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
        "--playouts",
        type=whole_number(0, MOST_PLAYOUTS),
        default=PLAYOUTS,
        metavar="N",
        help=f"playouts of each search for the komi, twelve at most; 0: no search (default: {PLAYOUTS})",
    )


def run(args: argparse.Namespace) -> int:
    """Frame every record; the exit status, see EXAMPLES."""
    framer, paths = Framer(args), list(record_files(args.files))
    lost = overwritten(paths, [args.output / f"{gtp_stem(path)}.sgf" for path in paths])
    if lost is not None:
        complain(f"{lost} would be overwritten; name another folder with --output")
        return 2
    try:
        framer.frame_all(paths)
    except OSError as error:
        complain(f"{args.output} cannot be written: {error.strerror}; name another folder with --output")
        return 2
    except KeyboardInterrupt:
        complain(f"stopped; {framer.summary()} in {args.output}{framer.about_suite()}")
        return INTERRUPTED
    print(f"{framer.summary()} in {args.output}{framer.about_suite()}")
    return 1 if framer.missed else 0


class Framer:
    """Frames one record after the other and writes them, telling on a terminal how far it is."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._names: set[str] = set()
        self._tests: list[str] = []
        self._engines: dict[int, Engine] = {}  # judges, by the size of the board: making one takes longer than a komi
        self._progress = ProgressLine("frame", math.inf)
        self.missed = 0  # records that could not be framed

    def frame_all(self, paths: list[str]) -> None:
        """Frame the files, and write the suite of those that were framed, after Ctrl-C too. Raises OSError where nothing can be written."""
        self._args.output.mkdir(parents=True, exist_ok=True)
        try:
            with self._progress:
                for done, path in enumerate(paths):
                    self._progress.count(done, len(paths), "records")
                    for problem in self._problems(path):
                        self._frame(path, problem)
        finally:
            if self._tests:
                (self._args.output / SUITE).write_text("".join(self._tests), encoding="utf-8")

    def summary(self) -> str:
        """How many were framed."""
        return f"{len(self._names)} framed problem{'s' * (len(self._names) != 1)}"

    def about_suite(self) -> str:
        """How many of them are in the suite, or why there is none."""
        if not self._tests:
            return "; the records name no correct moves, so there is no suite"
        return f", {len(self._tests)} of them with right moves in the suite {SUITE}"

    def _problems(self, path: str) -> "Iterator[Problem]":
        """The problems in a file; a sentence on stderr for each that cannot be read."""
        from gtp_engine.engine.solver.problem import ProblemError, read_bytes, read_records

        try:
            yield from read_records(read_bytes(path), path, self._miss)
        except ProblemError as error:
            self._miss(f"{path}: {error}")

    def _miss(self, text: str) -> None:
        """Say why a record is not framed."""
        self._progress.note(text)
        self.missed += 1

    def _frame(self, path: str, problem: "Problem") -> None:
        """Frame one record and write it; note its test, if it has one. A sentence on stderr where that can't be done."""
        from gtp_engine.sgf.variations import right_moves
        from gtp_engine.tools.problems.brought import FrameError, framed, framed_record, suite_test

        try:
            found = framed(problem, self._args.margin, THREATS[self._args.threats], self._args.seed)
        except FrameError as error:
            self._miss(f"{path}{problem.name.removeprefix(Path(path).name)}: {error}")
            return
        if self._args.playouts:
            found = self._with_searched_komi(found)
        name = free_name(gtp_stem(path), self._names)
        (self._args.output / f"{name}.sgf").write_text(framed_record(problem, found), encoding="utf-8")
        self._names.add(name)
        right = right_moves(problem.record)
        if right:
            self._tests.append(suite_test(name, 10 * (len(self._tests) + 1), found, right))

    def _with_searched_komi(self, found: "Framed") -> "Framed":
        """The same with the komi that searches find."""
        from gtp_engine.engine.search.search import Limits
        from gtp_engine.tools.problems.even_komi import judge_engine, searched_komi

        size = found.game.size
        if size not in self._engines:
            self._engines[size] = judge_engine(size)
        return replace(found, komi=searched_komi(found, self._engines[size], Limits(self._args.playouts, None, early_stop=False)))
