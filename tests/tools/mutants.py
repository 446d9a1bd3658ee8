"""How many changes of the code do the tests notice? Mutants, drawn with a seed, each run against the tests of its module.

.venv/bin/python -m pip install -e '.[mutation]'
.venv/bin/python tests/tools/mutants.py --count 100 --seed 67 --output mutants.jsonl [engine/player/passing.py tools/review ...]

A mutant is one change, as Cosmic Ray makes them: another comparison, another number, a condition turned round, a loop that does nothing.
Changes of annotations, which no test can see, are left out. The sources are changed in place and put back: use a checkout of its own,
without changes. TESTS says which tests belong to a module; they stop at the first that fails. What is in the output already is not run
again. The tests must pass without a change. At the end: the share that was noticed in each package, and each change that was not.
"""

import argparse
import ast
import json
import random
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from cosmic_ray.commands.init import _all_work_items
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_item import MutationSpec

PACKAGES = ("engine/player", "tools/review", "tools/match", "base/gtp_protocol.py", "interfaces/gtp")
REVIEW = "review_judge review_charges review_agreement review_reasons"
REASONS = "review_reasons review_replies review_charges review_agreement"
REVIEW_FILES = "review_batch review_records review_index"
COMMANDS = "commands commands_tournament katago_commands analysis gogui kgs set_up solve_cli"
TESTS = (  # the beginning of a module's path, and the tests that are meant to notice; the first line that fits counts
    ("engine/player/resignation", "decisions passing"),
    ("engine/player/passing", "decisions passing borders"),
    ("engine/player/move_chooser", "decisions levels passing"),
    ("engine/player/own_search", "decisions reading_limits own_search"),
    ("engine/player/pondering", "decisions own_search engine"),
    ("engine/player/evaluators", "own_search rank_player human_profile calibration warm_up engine"),
    ("engine/player/fights", "reading statuses verdict"),
    ("engine/player/reading", "reading_limits reading reading_sekis"),
    ("engine/player/game_state", "set_up engine passing"),
    ("engine/player/handicap", "handicap set_up"),
    ("engine/player/levels", "levels"),
    ("engine/player/ranks", "rank_player human_time human_rank"),
    ("engine/player/odds", "rank_player levels"),
    ("engine/player/double_threats", "double_threats statuses"),
    ("engine/player/statuses", "statuses verdict"),
    ("engine/player/verdict", "verdict statuses passing borders"),
    ("engine/player/time_control", "time_control time human_time"),
    ("engine/player/textbook_chooser", "textbook_players"),
    ("engine/player/warm_up", "warm_up"),
    ("engine/player/blunders", "browser_game"),
    ("engine/player", "engine decisions passing"),
    ("tools/review/rank_of_moves", "review_rank"),
    ("tools/review/reach", "review_rank"),
    ("tools/review/lessons", "practice"),
    ("tools/review/development", "practice review_rank"),
    ("tools/review/batch", REVIEW_FILES),
    ("tools/review/kept_answers", "review_agreement review_batch"),
    ("tools/review/settings", REVIEW_FILES),
    ("tools/review/progress", REVIEW_FILES),
    ("tools/review/output", REVIEW_FILES),
    ("tools/review/record", REVIEW_FILES),
    ("tools/review/index", "review_index"),
    ("tools/review/html_page", "review_page review_rank"),
    ("tools/review/tables", "review_judge review_rank review_batch"),
    ("tools/review/words", REASONS + " review_rank"),
    ("tools/review/ladders", REASONS),
    ("tools/review/reasons", REASONS),
    ("tools/review/reply", REASONS),
    ("tools/review/life", REASONS),
    ("tools/review/area", REASONS),
    ("tools/review", REVIEW),
    ("tools/match/rating", "match_statistics"),
    ("tools/match/elo", "match_statistics review_charges"),
    ("tools/match/sprt", "match_statistics"),
    ("tools/match/tables", "match_statistics match"),
    ("tools/match/pair_job", "tune_values tune"),
    ("tools/match/client", "match_client match_faults match"),
    ("tools/match", "match_referee contestant match match_command match_faults match_statistics"),
    ("base/gtp_protocol", "protocol session"),
    ("interfaces/gtp/dispatcher", "protocol session commands"),
    ("interfaces/gtp/inbox", "session analysis"),
    ("interfaces/gtp/session", "session session_process"),
    ("interfaces/gtp/engine_loader", "session session_process commands"),
    ("interfaces/gtp/log", "log"),
    ("interfaces/gtp", COMMANDS),
)


@dataclass(frozen=True)
class Tried:
    """A mutant and what became of it."""

    module: str
    operator: str
    occurrence: int
    line: int
    is_noticed: bool
    change: str  # as a diff


def main() -> None:
    """Draw, try, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="only these files or folders of the package, as tools/match/elo.py")
    parser.add_argument("--count", type=int, default=100, help="mutants of all modules together (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=67, help="which ones are drawn (default: %(default)s)")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds that the tests of a mutant may take (default: %(default)s)")
    parser.add_argument("--output", type=Path, required=True, help="a file of JSON, a line for each mutant")
    args = parser.parse_args()
    done = [Tried(**json.loads(line)) for line in (args.output.read_text().splitlines() if args.output.exists() else [])]
    known = {(tried.module, tried.operator, tried.occurrence) for tried in done}
    sound: set[str] = set()
    for mutant in drawn(args.modules or PACKAGES, args.count, args.seed):
        key = (str(mutant.module_path), mutant.operator_name, mutant.occurrence)
        if key in known:
            continue
        command = command_for(mutant.module_path)
        if command not in sound and subprocess.run(shlex.split(command), check=False).returncode:
            raise SystemExit(f"these tests fail without any change: {command}")
        sound.add(command)
        result = mutate_and_test([mutant], command, args.timeout)
        tried = Tried(*key, mutant.start_pos[0], result.is_killed, result.diff or "")
        done.append(tried)
        with args.output.open("a") as file:
            file.write(json.dumps(asdict(tried)) + "\n")
    print(summary(done))


def drawn(modules: list[str] | tuple[str, ...], count: int, seed: int) -> list[MutationSpec]:
    """So many mutants of these modules, those of one module together."""
    paths = sorted({path for module in modules for path in files_of(Path("gtp_engine", module))})
    mutants = [mutant for path in paths for mutant in mutants_of(path)]
    chosen = sorted(random.Random(seed).sample(range(len(mutants)), min(count, len(mutants))))
    return [mutants[number] for number in chosen]


def files_of(path: Path) -> Iterator[Path]:
    """The modules of a folder, or the file itself."""
    yield from path.rglob("*.py") if path.is_dir() else [path]


def mutants_of(path: Path) -> Iterator[MutationSpec]:
    """All changes of a module that a test could see."""
    hidden = annotated_lines(path)
    for item in _all_work_items([path], {}):
        (mutant,) = item.mutations
        if not ("BitOr" in mutant.operator_name and mutant.start_pos[0] in hidden):
            yield mutant


def annotated_lines(path: Path) -> set[int]:
    """The lines with annotations, where `int | None` is no calculation."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        annotations = [getattr(node, name, None) for name in ("annotation", "returns")]
        for annotation in annotations:
            if isinstance(annotation, ast.expr):
                found.update(range(annotation.lineno, (annotation.end_lineno or annotation.lineno) + 1))
    return found


def command_for(module: Path) -> str:
    """What runs the tests of a module."""
    inner = module.relative_to("gtp_engine").as_posix()
    names = next(names for start, names in TESTS if inner.startswith(start))
    files = [f"tests/test_{name}.py" for name in names.split()]
    return shlex.join([sys.executable, "-P", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *files])


def summary(done: list[Tried]) -> str:
    """The figures, and what was not noticed."""
    by_package: dict[str, list[Tried]] = defaultdict(list)
    for tried in done:
        by_package[str(Path(tried.module).parent)].append(tried)
    lines = [tried.change for tried in done if not tried.is_noticed]
    for package, found in [*sorted(by_package.items()), ("in all", done)]:
        noticed = sum(tried.is_noticed for tried in found)
        lines.append(f"{package}: {noticed} of {len(found)} noticed, {noticed / max(len(found), 1):.0%}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
