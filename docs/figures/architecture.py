"""Writes the diagram and the table of packages in docs/architecture.md.

    .venv/bin/python docs/figures/architecture.py            prints both
    .venv/bin/python docs/figures/architecture.py --write    writes them

PACKAGES is where a package is declared. The arrows come from the imports; tests/test_layers.py compares the page with them.
"""

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "architecture.md"
PACKAGE = "gtp_engine"

# Every package, from the top down: each imports only packages below itself.
PACKAGES = {
    "cli": "the subcommands of `gtp-engine`, one small file each",
    "tools": "the program's own speed and set-up: `bench`, `doctor`",
    "downloads": "networks from elsewhere, fetched when a person asks for one: `networks get`",
    "tuning": "parameters of our own engine, tuned by games: `tune`",
    "selfplay": "games of a network against itself, and generations of networks that learn from them",
    "training": "networks and the move model, learned from game records; the only package that imports torch",
    "regression": "suites of test positions, run against any GTP engine",
    "match": "GTP engines playing each other: processes, referee, results, ratings. Knows no engine of ours; of `gtp` it uses the protocol",
    "gtp": "the front end: protocol (lines, no Go), session (threads, stdin, stdout), dispatcher, commands",
    "analysis": "KataGo's JSON analysis engine: protocol, queries, a pool of searches, results",
    "library": "`gtp_engine.Engine`, the engine for Python programs, and evaluators of their own: docs/api.md",
    "browser": "the board in the browser of this machine: play, look back, analyze, on one tree of a game; its server, its page",
    "terminal": "games in a terminal",
    "person": "a game between a person and the engine, however it is shown, and the one that was left unfinished",
    "practice": "what a person practises with: rating, problems made ahead, mistakes of their own, all that comes again; imports fsrs",
    "review": "game records judged move by move: annotated records, tables, plots, a page",
    "pages": "what our pages for a browser have in common: the board, the graph, the style",
    "jobs": "independent jobs on several processes or a Ray cluster (docs/cluster.md), and the store of their results",
    "problems": "positions made from a seed, proved by the solver and framed so that they decide a game",
    "player": "Engine, and what a player decides: clock, verdict, passing, resignation, levels, ranks, the textbook's players",
    "textbook": "the classic searches in plain Python, to be read; only its `go_*.py` import `go`",
    "solver": "life and death proved by search",
    "config": "settings: defaults, files, environment variables, command line",
    "network": "files of networks: what a network is shown of a position, and what its output says",
    "search": "the tree, the one walk through it, evaluators, parameters",
    "move_model": "learned probabilities of strong players' next move, from shapes and tactics",
    "playout": "playout policies (light, heavy) and playouts to the end of the game",
    "sgf": "game records; the only package that imports sgfmill",
    "go": "points, rules, position, game, counting, patterns, tactics, what chains need",
}
# Modules beside the packages, which every package may import, likewise from the top down.
SMALL = {
    "jit": "how code is compiled",
    "compile_cache": "where the compiled code is kept",
    "inner_code": "the code of functions called from compiled code only",
    "copying": "records copied, which numba lacks",
    "atomic": "records changed by several threads, which numba lacks",
    "parameters": "what people may set, declared once",
    "human_profile": "the kinds of people that a human network of KataGo's plays like",
    "rank_names": "12k, 1d",
    "own_command": "how this program is started again",
    "processors": "how many processors there are",
    "charts": "line charts",
    "wilson": "the interval of a share",
    "files": "how the user's files are read and written",
    "systems": "what operating systems do differently",
}
ORDER = (*PACKAGES, *SMALL)


def main() -> int:
    """Print or write."""
    parser = argparse.ArgumentParser(description="Make the diagram and the tables of docs/architecture.md.")
    parser.add_argument("--write", action="store_true", help="write the page instead of printing them")
    if parser.parse_args().write:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(diagram(), table(PACKAGES), table(SMALL), sep="\n")
    return 0


def page(text: str) -> str:
    """The page with its diagram and tables made anew; they stand between comments."""
    for name, made in (("diagram", diagram()), ("packages", table(PACKAGES)), ("modules", table(SMALL))):
        start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        before, _, rest = text.partition(start)
        text = before + start + made + end + rest.partition(end)[2]
    return text


def table(parts: dict[str, str]) -> str:
    """Names and what they are."""
    return "| name | what it is |\n|---|---|\n" + "".join(f"| `{name}` | {text} |\n" for name, text in parts.items())


def diagram() -> str:
    """An arrow for each import between packages, but for those that other arrows lead to."""
    lines = [f"    {upper} --> {lower}\n" for upper, below in arrows().items() for lower in sorted(below, key=ORDER.index)]
    return f"```mermaid\nflowchart TD\n{''.join(lines)}```\n"


def arrows() -> dict[str, set[str]]:
    """For each package those that it imports and reaches no other way."""
    imports = {name: imported(ROOT / PACKAGE / name) & set(PACKAGES) - {name} for name in PACKAGES}
    reached: dict[str, set[str]] = {}
    for name in reversed(PACKAGES):  # whatever lies below is known already
        reached[name] = imports[name].union(*(reached.get(lower, set()) for lower in imports[name]))
    return {
        name: {lower for lower in below if not any(lower in reached.get(other, ()) for other in below)} for name, below in imports.items()
    }


def imported(folder: Path) -> set[str]:
    """The packages and small modules that the sources in a folder import."""
    return {name.split(".")[0] for source in folder.rglob("*.py") for _, name in our_imports(source)}


def our_imports(source: Path) -> Iterator[tuple[int, str]]:
    """(line, full name without the package's) of everything of ours that a source imports."""
    for line, name in all_imports(source):
        if name.startswith((f"{PACKAGE}.", ".")):
            yield line, name.removeprefix(f"{PACKAGE}.")


def all_imports(source: Path) -> Iterator[tuple[int, str]]:
    """(line, full name) of everything that a source imports, at its head or inside a function."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{'.' * node.level}{node.module or ''}.{alias.name}") for alias in node.names)


if __name__ == "__main__":
    sys.exit(main())
