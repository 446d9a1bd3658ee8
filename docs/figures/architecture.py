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

# The groups of packages, from the top down. A name that is a package, too, is a group of its own.
GROUPS = {
    "interfaces": "the interfaces to people and programs",
    "learning": "training of networks and the move model, from game records and self-play",
    "tools": "programs that use engines and games",
    "engine": "the engine: player, search, evaluation",
}
# Every package, from the top down: each imports only packages below itself.
PACKAGES = {
    "cli": "the subcommands of `gtp-engine`: a module each, and one in `options` with what it takes",
    "interfaces.gtp": "the front end: session (threads, stdin, stdout), dispatcher, commands",
    "interfaces.analysis": "KataGo's JSON analysis engine: protocol, queries, a pool of searches, results",
    "interfaces.library": "`gtp_engine.Engine`, the engine for Python programs, with their own evaluators: docs/api.md",
    "interfaces.browser": "the board in the browser: playing, browsing, analysis and review on one tree of a game; its server and page",
    "interfaces.terminal": "games in a terminal",
    "interfaces.person": "a game between a person and the engine, independent of its display, and the unfinished game",
    "learning.selfplay": "games of a network against itself, and generations of networks that learn from them",
    "learning.training": "training of networks and the move model, calibration; the only package that imports torch",
    "tools.tuning": "parameters of our own engine, tuned by games: `tune`",
    "tools.regression": "suites of test positions, run against any GTP engine",
    "tools.match": "matches between GTP engines: processes, referee, results, ratings. Imports nothing of our engine",
    "tools.review": "game records judged move by move: annotated records, tables, plots, a page",
    "tools.practice": "practice: a person's rating, problems, own mistakes, and when each is repeated; imports fsrs",
    "tools.problems": "positions made from a seed, proved by the solver and framed so that they decide a game",
    "tools.setup": "this installation: its speed, its checks, the lines with which clients start it: `bench`, `doctor`",
    "tools.downloads": "downloads of public networks, on request: `networks get`",
    "engine.player": "Engine and a player's decisions: clock, verdict, passing, resignation, levels, ranks, the textbook's players",
    "engine.config": "settings: defaults, files, environment variables, command line",
    "engine.network": "networks: their files, encoding of positions, decoding of outputs",
    "engine.solver": "life and death proved by search",
    "engine.search": "the tree, the one walk through it, evaluators, parameters",
    "engine.move_model": "learned probabilities of strong players' next move, from shapes and tactics",
    "engine.playout": "playout policies (light, heavy) and playouts to the end of the game",
    "textbook": "the classic searches in plain Python, for readers; only its `go_*.py` import `go`",
    "sgf": "game records; the only package that imports sgfmill",
    "go": "points, rules, position, game, counting, patterns, tactics, the needs of chains, names of ranks",
    "compiled": "compiling by numba, the cache of compiled code, and what numba lacks: copies and atomic updates of records",
    "base.jobs": "independent jobs on several processes or a Ray cluster (docs/cluster.md), and the store of their results",
    "base.pages": "the common parts of our web pages: board, graph, style",
    "base": "parameters, files, operating systems, processors, progress, charts, GTP's lines: everything without Go",
}
ORDER = tuple(PACKAGES)


def main() -> int:
    """Print or write."""
    parser = argparse.ArgumentParser(description="Make the diagram and the table of docs/architecture.md.")
    parser.add_argument("--write", action="store_true", help="write the page instead of printing them")
    if parser.parse_args().write:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(diagram(), table(), sep="\n")
    return 0


def page(text: str) -> str:
    """The page with a new diagram and a new table, which are between comments."""
    for name, made in (("diagram", diagram()), ("packages", table())):
        start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
        before, _, rest = text.partition(start)
        text = before + start + made + end + rest.partition(end)[2]
    return text


def table() -> str:
    """The table of groups and packages."""
    lines = ["| name | what it is |", "|---|---|"]
    for group in groups():
        lines += [f"| **`{group}/`** | **{GROUPS[group]}** |"] if group in GROUPS else []
        lines += [f"| `{name.replace('.', '/')}` | {text} |" for name, text in PACKAGES.items() if group_of(name) == group]
    return "\n".join(lines) + "\n"


def diagram() -> str:
    """A box for each group, an arrow for each import between groups and within one, but for those that other arrows lead to."""
    imports = all_package_imports()
    lines = []
    for group in (name for name in groups() if name in GROUPS):
        within = {name: {below for below in imports[name] if group_of(below) == group} for name in PACKAGES if group_of(name) == group}
        lines += [f"    subgraph {group}", *(f"        {name.split('.')[1]}" for name in within)]
        lines += [f"        {upper.split('.')[1]} --> {lower.split('.')[1]}" for upper, lower in arrows(within)]
        lines.append("    end")
    between = {group: {group_of(below) for name in PACKAGES if group_of(name) == group for below in imports[name]} for group in groups()}
    lines += [f"    {upper} --> {lower}" for upper, lower in arrows(between)]
    return "\n".join(["```mermaid", "flowchart TD", *lines, "```", ""])


def arrows(imports: dict[str, set[str]]) -> list[tuple[str, str]]:
    """(importer, imported) for all that is imported and reached no other way. The importers stand from the top down."""
    reached: dict[str, set[str]] = {}
    for name in reversed(imports):  # whatever lies below is known already
        reached[name] = imports[name].union(*(reached.get(lower, set()) for lower in imports[name])) - {name}
    order = list(imports)
    return [
        (upper, lower)
        for upper, below in imports.items()
        for lower in sorted(below - {upper}, key=order.index)
        if not any(lower in reached[other] for other in below - {upper})
    ]


def groups() -> list[str]:
    """The groups, and the packages that are in none, from the top down."""
    return list(dict.fromkeys(map(group_of, PACKAGES)))


def group_of(package: str) -> str:
    """The group that a package is in; its own name, where it is in none."""
    return package.split(".")[0]


def package_of(module: str) -> str:
    """The package of a module: the longest beginning of its name that is declared; "" when none is."""
    parts = module.split(".")
    return next((name for length in range(len(parts), 0, -1) if (name := ".".join(parts[:length])) in PACKAGES), "")


def all_package_imports() -> dict[str, set[str]]:
    """For each package the others that its sources import."""
    imports: dict[str, set[str]] = {name: set() for name in PACKAGES}
    for path, module in modules():
        if own := package_of(module):
            imports[own] |= {package_of(name) for _, name in our_imports(path)} - {own, ""}
    return imports


def modules() -> list[tuple[Path, str]]:
    """(file, module name without the program's) of every source."""
    root = ROOT / PACKAGE
    names = []
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        names.append((path, ".".join(part for part in parts if part != "__init__")))
    return names


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
