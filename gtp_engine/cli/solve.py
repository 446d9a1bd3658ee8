"""`gtp-engine solve`: life and death proved by search."""

import argparse
import json
import math
import re
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from gtp_engine.base.files import visible, write_file
from gtp_engine.base.progress import ProgressLine, tell
from gtp_engine.base.record_files import STDIN, free_name, record_files
from gtp_engine.cli.check import check
from gtp_engine.cli.options.solve import CHECK_SECONDS, COLORS, GUESSING_SECONDS, NODES
from gtp_engine.cli.parser import INTERRUPTED
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.engine.solver.problem import Problem, problems_in, read_problems
from gtp_engine.engine.solver.proof_tree import proofs_of
from gtp_engine.engine.solver.question import Budget
from gtp_engine.engine.solver.region import OpenRegionError
from gtp_engine.engine.solver.report import HEADER, Solution, is_solved, solve
from gtp_engine.engine.solver.unmarked import solution_of
from gtp_engine.go.points import from_vertex, is_on_board, to_color_name
from gtp_engine.tools.problems.opinion import OpinionJson, Opinions

PROOF_SHARE = 0.5  # share of the time for a problem without marks; the rest is for the search
BESIDE_PROOF_SECONDS = 3.0  # limit of the search after a proof, which needs no second opinion
HOW_TO_NAME_IT = "name the empty points to play on, as in --region A1,B1,C2, or mark them, or surround the stones with chains of two eyes"
complain = partial(tell, "solve")

# Options without meaning for --check, with their defaults.
NOT_FOR_CHECK = {"target": [], "region": [], "color": "both", "nodes": NODES, "tries": False, "json": False, "output": None}


def run(args: argparse.Namespace) -> int:
    """Solve and print everything; returns the exit status, see EXAMPLES. Raises ConfigError for options that can't be combined."""
    if args.check:
        check_options(args)
    if args.output is not None and not prepare_folder(args.output):
        return 2
    work = SolveRun(args)
    try:
        if args.check:
            return check(record_files(args.files), args.seconds or CHECK_SECONDS, PROOF_SHARE)
        for problem in work.problems():
            work.solve(problem)
        work.finish()
    except KeyboardInterrupt:
        work.finish()
        return INTERRUPTED
    return work.status


def check_options(args: argparse.Namespace) -> None:
    """Raise ConfigError for an option that `--check` doesn't use."""
    options = [name for name, default in NOT_FOR_CHECK.items() if getattr(args, name) != default]
    if options:
        raise ConfigError(f"--{options[0]} has no effect beside --check, which takes --seconds only: leave out one of the two")


def prepare_folder(folder: Path) -> bool:
    """Create the folder for the proofs and check that it can be written; otherwise a sentence on stderr."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".gtp-engine-probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        complain(f"the folder {folder} cannot be written: {error.strerror}; name another with --output")
        return False
    return True


class SolveRun:
    """One call of the subcommand: the results so far and the exit status."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.status = 0
        self.solutions: list[Solution] = []
        self.opinions: list[OpinionJson] = []
        self.wrote_header = False
        self.proof_names: set[str] = set()

    def problems(self) -> Iterator[Problem]:
        """Every problem in the files; unreadable ones are reported and left out."""

        for name in record_files(self.args.files):
            if name == STDIN:
                yield from read_problems(sys.stdin.buffer.read(), "stdin", self.refuse)
            else:
                yield from problems_in(name, self.refuse)

    def set_targets(self, problem: Problem) -> None:
        """Set the problem's targets and region from the command line, if given. Raises ValueError."""
        if self.args.target:
            problem.targets = read_points(self.args.target, problem, "pass is no target; name a stone")
        if self.args.region:
            problem.marked = read_points(self.args.region, problem, "pass is no point of a region")

    def refuse(self, text: str) -> None:
        """Report an invalid problem; the others continue."""
        complain(text)
        self.status = 2

    def solve(self, problem: Problem) -> None:
        """Solve one problem and print it."""

        try:
            self.set_targets(problem)
            if not problem.targets and problem.record:
                self.guess(problem)
                return
            with ProgressLine("solve", math.inf) as progress:
                budget = Budget(self.args.nodes, self.args.seconds, partial(show, progress, problem.name))
                solution = solve(problem, COLORS[self.args.color], budget)
        except OpenRegionError as error:
            self.refuse(f"{problem.name}: {error}; {HOW_TO_NAME_IT}")
            return
        except ValueError as error:
            self.refuse(f"{problem.name}: {error}")
            return
        if not is_solved(solution) and self.status == 0:
            self.status = 1
        self.take(solution)

    def guess(self, problem: Problem) -> None:
        """Find the question of a problem without marks, and answer it, by the engine's search if nothing is proved in time."""

        colors = COLORS[self.args.color]
        color = colors[0] if len(colors) == 1 else problem.game.to_play
        seconds, started = self.args.seconds or GUESSING_SECONDS, time.monotonic()
        opinions = Opinions(problem)
        with ProgressLine("solve", math.inf) as progress:
            budget = Budget(self.args.nodes, PROOF_SHARE * seconds, partial(show, progress, problem.name))
            question = opinions.prove(color, budget, may_be_settled=True)
        duration = time.monotonic() - started
        search_seconds = (1 - PROOF_SHARE) * seconds
        if question is not None:
            self.take(solution_of(problem, color, question, duration))
            if not self.args.json:
                opinion = opinions.search(color, min(search_seconds, BESIDE_PROOF_SECONDS))
                print(opinion.beside_proof(question.report.moves), flush=True)
            return
        opinion = opinions.search(color, search_seconds)
        self.status = max(self.status, 1)
        if self.args.json:
            self.opinions.append(opinion.as_dict())
        else:
            print(visible(opinion.as_text()), flush=True)

    def take(self, solution: Solution) -> None:
        """Print a solution, and write its proofs if requested."""
        self.solutions.append(solution)
        self.print(solution)
        if self.args.output is not None:
            self.write_proofs(solution)

    def print(self, solution: Solution) -> None:
        """Print one solution; JSON is printed at the end."""

        if self.args.json:
            return
        if len(self.args.files) == 1:
            print(visible(solution.as_text()), flush=True)
            if self.args.tries:
                print(solution.tries_text(), flush=True)
            return
        if not self.wrote_header:
            print(HEADER)
            self.wrote_header = True
        print(visible(solution.row()), flush=True)
        if self.args.tries:
            print(solution.tries_text(), flush=True)

    def finish(self) -> None:
        """Print the output for the end."""
        if self.args.json:
            print(json.dumps([*(solution.as_dict() for solution in self.solutions), *self.opinions], indent=1), flush=True)

    def write_proofs(self, solution: Solution) -> None:
        """Write a record for each color that plays first."""

        stem = re.sub(r"\.\w+(?=$|:)", "", solution.problem.name).replace(":", "-")
        name = free_name(stem, self.proof_names)
        self.proof_names.add(name)
        for color, text in proofs_of(solution):
            path = self.args.output / f"{name}-{to_color_name(color)}-first.sgf"
            try:
                write_file(path, text.encode())
            except OSError as error:
                self.refuse(f"{path} cannot be written: {error.strerror}")


def read_points(texts: list[str], problem: Problem, complaint: str) -> set[int]:
    """The points of an option, separated by commas. Raises ValueError, with `complaint` for a pass."""
    points = {from_vertex(word, problem.game.size) for text in texts for word in text.replace(",", " ").split()}
    if not all(is_on_board(point, problem.game.size) for point in points):
        raise ValueError(complaint)
    return points


def show(progress: ProgressLine, name: str, nodes: int) -> None:
    """Show the number of nodes so far, on a terminal."""
    progress.show(f"{name}: {nodes:,} nodes")
