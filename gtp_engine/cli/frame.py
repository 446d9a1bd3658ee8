"""`gtp-engine frame`: local problems become whole boards on which they decide the game, so that any engine can be asked for its move."""

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gtp_engine.cli.options import argument, number_argument
from gtp_engine.cli.solve import record_files

if TYPE_CHECKING:
    from gtp_engine.problems.brought import Framed
    from gtp_engine.solver.problem import Problem

SUITE = "framed.tst"
THREATS = {"none": 0, "some": 1, "many": 2}  # ko threats of each side
MOST_MARGIN = 10
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

exit status: 0 all were framed, 1 some could not be, 2 nothing could be written
"""


def add_parser(subparsers: Any) -> None:
    """Add this subcommand to the command line."""
    parser = subparsers.add_parser(
        "frame", help="put local problems on whole boards that they decide", description=DESCRIPTION, epilog=EXAMPLES
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="an SGF file, or a folder of them")
    parser.add_argument(
        "--output", type=Path, required=True, metavar="DIR", help="the folder for the records and the suite; made if missing"
    )
    parser.add_argument(
        "--margin",
        type=argument(number_up_to(MOST_MARGIN)),
        default=2,
        metavar="N",
        help="empty points between the stones and the frame (default: 2)",
    )
    parser.add_argument("--threats", choices=list(THREATS), default="none", help="ko threats of each side in the frame (default: none)")
    parser.add_argument("--seed", type=number_argument(int), default=1, metavar="N", help="what the frames are drawn from (default: 1)")
    parser.add_argument(
        "--playouts",
        type=argument(number_up_to(MOST_PLAYOUTS)),
        default=PLAYOUTS,
        metavar="N",
        help=f"of each of the searches, twelve at most, that find the komi; 0: none (default: {PLAYOUTS})",
    )


def number_up_to(most: int) -> Callable[[str], int]:
    """Reads a number from 0 to `most`; it raises ValueError for other text."""

    def read(text: str) -> int:
        """The number."""
        value: int = number_argument(int)(text)
        if not 0 <= value <= most:
            raise ValueError(f"{text!r} is not a number from 0 to {most}")
        return value

    return read


def run(args: argparse.Namespace) -> int:
    """Frame every record; the exit status, see EXAMPLES."""
    tests: list[str] = []
    names: set[str] = set()
    missed = 0
    try:
        args.output.mkdir(parents=True, exist_ok=True)
        for path in record_files(args.files):
            if not frame_file(path, args, names, tests):
                missed += 1
        if tests:
            (args.output / SUITE).write_text("".join(tests), encoding="utf-8")
    except OSError as error:
        complain(f"{args.output} cannot be written: {error.strerror}; name another folder with --output")
        return 2
    suite = f", {len(tests)} of them with right moves in the suite {SUITE}" if tests else ", no right moves are told, so there is no suite"
    print(f"{len(names)} framed problem{'s' * (len(names) != 1)} in {args.output}{suite}")
    return 1 if missed else 0


def frame_file(path: str, args: argparse.Namespace, names: set[str], tests: list[str]) -> bool:
    """Frame one record and write it; add its name and its test, if it has one. A sentence on stderr and False where that can't be done."""
    from gtp_engine.problems.brought import FrameError, framed
    from gtp_engine.sgf.variations import right_moves
    from gtp_engine.solver.problem import ProblemError, parse_sgf, read_bytes

    try:
        data = read_bytes(path)
        problem = parse_sgf(data, Path(path).name)
        found = framed(problem, args.margin, THREATS[args.threats], args.seed)
    except (ProblemError, FrameError) as error:
        complain(f"{path}: {error}")
        return False
    if args.playouts:
        found = with_searched_komi(found, args.playouts)
    name = free_name(Path(path).stem, names)
    (args.output / f"{name}.sgf").write_text(record_text(problem, found), encoding="utf-8")
    right = right_moves(data)
    if right:
        tests.append(test_text(name, 10 * (len(tests) + 1), found, right))
    return True


def with_searched_komi(found: "Framed", playouts: int) -> "Framed":
    """The same with the komi that searches find."""
    from gtp_engine.cli.komi_judge import judge_engine, searched_komi
    from gtp_engine.search.search import Limits

    limits = Limits(playouts, None, early_stop=False)
    return replace(found, komi=searched_komi(found, judge_engine(found.game.size), limits))


def free_name(stem: str, names: set[str]) -> str:
    """The stem, or with a number where files of several folders have the same name; noted as taken."""
    name, number = stem, 2
    while name in names:
        name, number = f"{stem}-{number}", number + 1
    names.add(name)
    return name


def record_text(problem: "Problem", found: "Framed") -> str:
    """The framed record, the stones in question marked if they were."""
    from gtp_engine.go.rules import CHINESE
    from gtp_engine.sgf import dump_problem

    comment = f"{problem.comment}\nframed by gtp-engine; komi is an estimate that lets the fight decide".strip()
    return dump_problem(found.game, found.komi, CHINESE, found.game.to_play, sorted(problem.targets), comment)


def test_text(name: str, number: int, found: "Framed", right: set[int]) -> str:
    """The lines of the suite that ask for one of the right moves."""
    from gtp_engine.go.points import BLACK, to_vertex

    color = "b" if found.game.to_play == BLACK else "w"
    wanted = "|".join(sorted(map(to_vertex, right)))
    return f"loadsgf {name}.sgf\n{number} reg_genmove {color}\n#? [{wanted}]\n\n"


def complain(text: str) -> None:
    """One line on stderr."""
    print(f"gtp-engine frame: {text}", file=sys.stderr, flush=True)
