"""Imports run downward and use public names only, and the first GTP commands are answered before numpy and numba are loaded."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = "gtp_engine"

# Each layer and the layers that it may import. A layer is a package, or one of its modules that may import more or less than the rest.
# A module belongs to the layer with the longest name that starts its own name.
LAYERS = {
    "jit": {"systems", "inner_code", "compile_cache"},
    "compile_cache": set(),
    "inner_code": set(),
    "files": {"systems"},
    "systems": set(),
    "charts": set(),
    "jobs": {"files", "systems"},
    "copying": set(),
    "atomic": set(),
    "parameters": set(),
    "rank_names": set(),
    "human_profile": {"rank_names"},
    "own_command": set(),
    "processors": set(),
    "go": {"jit", "copying"},
    "move_model": {"go", "jit", "copying"},
    "playout": {"parameters", "go", "jit", "copying"},
    "search": {"processors", "playout", "move_model", "go", "parameters", "atomic", "jit", "copying"},
    "network": {"files", "processors", "human_profile", "rank_names", "search", "playout", "move_model", "go", "jit", "copying"},
    "downloads": {"files", "network"},
    "config": {"files", "parameters", "search", "go"},
    "sgf": {"files", "go"},
    "player": {"processors", "human_profile", "rank_names", "network", "search", "playout", "solver", "go", "jit", "sgf"},
    "gtp": set(),
    "gtp.protocol": set(),
    "gtp.inbox": set(),
    "gtp.session": {"gtp.protocol", "gtp.inbox"},
    "gtp.arguments": {"gtp.protocol", "go"},
    "gtp.dispatcher": {"gtp.protocol", "gtp.arguments"},
    "gtp.background": set(),
    "gtp.diagram": {"go"},
    "gtp.gogui_text": {"go"},
    "gtp.stderr_reports": {"go", "search"},
    "gtp.analysis_request": {"gtp.protocol", "gtp.arguments", "go"},
    "gtp.analysis_lines": {"gtp.analysis_request", "go", "search"},
    "gtp.log": {"config", "files"},
    "gtp.engine_loader": {"gtp.protocol", "player", "jit"},
    "gtp.commands": {
        "files",
        "human_profile",
        "rank_names",
        "gtp.protocol",
        "gtp.arguments",
        "gtp.dispatcher",
        "gtp.diagram",
        "gtp.gogui_text",
        "gtp.stderr_reports",
        "gtp.analysis_request",
        "gtp.analysis_lines",
        "gtp.background",
        "gtp.inbox",
        "gtp.engine_loader",
        "network",
        "config",
        "player",
        "solver",
        "sgf",
        "search",
        "playout",
        "go",
    },
    "tools": {
        "own_command",
        "systems",
        "charts",
        "processors",
        "rank_names",
        "training",
        "player",
        "solver",
        "network",
        "search",
        "playout",
        "go",
        "jit",
        "config",
        "gtp.log",
    },
    "tuning": {"own_command", "jobs", "match", "config", "network", "search"},
    "selfplay": {
        "files",
        "charts",
        "parameters",
        "own_command",
        "jobs",
        "match",
        "training",
        "player",
        "network",
        "search",
        "playout",
        "go",
    },
    "analysis.protocol": set(),
    "analysis": {"analysis.protocol", "human_profile", "config", "player", "search", "go"},
    "library": {"config", "player", "network", "search", "sgf", "go", "jit"},
    "pages": set(),
    "person": {"files", "rank_names", "player", "sgf", "go"},
    "terminal": {"files", "person", "player", "config", "go"},
    "browser": {"pages", "person", "review", "rank_names", "player", "search", "solver", "sgf", "go"},
    "terminal.board_game": {"terminal", "textbook", "config"},
    "match.client": {"gtp.protocol", "match", "own_command", "systems"},
    "match": {"systems", "files", "jobs", "match.client", "gtp.protocol", "sgf", "go"},
    "regression": {"files", "jobs", "gtp.protocol", "match.client"},
    "review": {
        "files",
        "charts",
        "processors",
        "pages",
        "jobs",
        "rank_names",
        "network",
        "player",
        "solver",
        "sgf",
        "search",
        "playout",
        "go",
        "textbook",
        "textbook.go_game",
    },
    "training": {
        "files",
        "charts",
        "jobs",
        "parameters",
        "rank_names",
        "network",
        "search",
        "playout",
        "move_model",
        "sgf",
        "go",
        "jit",
        "copying",
    },
    "textbook": {"textbook.go_game", "textbook.go_rollouts"},
    "textbook.go_game": {"textbook", "go"},
    "textbook.go_rollouts": {"textbook", "textbook.go_game", "go"},
    "player.textbook_chooser": {"player", "search", "go", "textbook", "textbook.go_game", "textbook.go_rollouts"},
    "problems": {"files", "solver", "sgf", "go"},
    "solver": {"files", "move_model", "sgf", "go", "jit", "copying"},
    "cli": {"*"},
    "__main__": {"cli"},
}

# numpy and numba take half a second to load: these modules must work without them.
LIGHT = ("gtp", "cli", "config", "go.points", "go.rules", "go.handicap", "search.params", "player.time_control")


def layer_of(module: str) -> str:
    """The layer of a module's name without the package; "" for the package itself."""
    parts = module.split(".")
    names = [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return next((name for name in names if name in LAYERS), module)


def imports_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, full name) of every module that a source imports, at its head or inside a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def our_imports(source: Path, package_root: Path) -> Iterator[tuple[int, str]]:
    """(line, name without the package) of every module of ours, and every name in one, that a source imports."""
    for line, name in imports_of(ast.parse(source.read_text(encoding="utf-8"))):
        if name.startswith("."):
            yield line, name
        elif name.startswith(f"{PACKAGE}.") and exists(name.rpartition(".")[0], package_root):
            yield line, name.removeprefix(f"{PACKAGE}.")


def upward_imports(source: Path, module: str, package_root: Path) -> list[str]:
    """Every import of ours in `source` that LAYERS doesn't allow to `module`, as `module:line imports layer`."""
    layer = layer_of(module)
    wrong = []
    for line, name in our_imports(source, package_root):
        if name.startswith("."):
            wrong.append(f"{module}:{line} imports relatively")
            continue
        other = layer_of(name)
        is_module = exists(f"{PACKAGE}.{name}", package_root)
        if is_module and other != layer and other not in LAYERS[layer] and "*" not in LAYERS[layer]:
            wrong.append(f"{module}:{line} imports {other}")
    return wrong


def private_imports(source: Path, module: str, package_root: Path) -> list[str]:
    """Every import in `source` of something that its package doesn't name in `__all__`, as `module:line imports name`."""
    wrong = []
    for line, name in our_imports(source, package_root):
        parts = name.split(".")
        for length in range(1, len(parts)):
            package = parts[:length]
            folder = package_root.joinpath(*package)
            is_outside = module.split(".")[:length] != package
            if folder.is_dir() and is_outside and parts[length] not in public_names(folder):
                wrong.append(f"{module}:{line} imports {'.'.join(parts[: length + 1])}")
                break
    return wrong


def public_names(package: Path) -> set[str]:
    """What `__all__` of the package in this folder names. Raises ValueError when it has none."""
    source = package / "__init__.py"
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["__all__"]:
            return set(ast.literal_eval(node.value))
    raise ValueError(f"{source} has no __all__")


def exists(name: str, package_root: Path) -> bool:
    """Is `name` a module or package of ours, rather than something inside one?"""
    path = package_root.parent / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file()


def modules_of(package_root: Path) -> list[tuple[Path, str]]:
    """(file, module name without the package) of every source."""
    names = []
    for path in sorted(package_root.rglob("*.py")):
        parts = path.relative_to(package_root).with_suffix("").parts
        names.append((path, ".".join(part for part in parts if part != "__init__")))
    return names


def test_imports_go_downward(repository: Path) -> None:
    root = repository / PACKAGE
    modules = modules_of(root)
    assert len(modules) > 20
    assert [wrong for path, module in modules if module for wrong in upward_imports(path, module, root)] == []


def test_every_module_has_a_layer(repository: Path) -> None:
    layers = {layer_of(module) for _, module in modules_of(repository / PACKAGE) if module}
    assert layers <= set(LAYERS)
    assert {other for allowed in LAYERS.values() for other in allowed} - {"*"} <= set(LAYERS)


def test_other_packages_import_public_names_only(repository: Path) -> None:
    root = repository / PACKAGE
    assert [wrong for path, module in modules_of(root) if module for wrong in private_imports(path, module, root)] == []


def test_public_names_are_there(repository: Path) -> None:
    """Each name in `__all__` is a module of the package, or something that its `__init__` defines or imports."""
    packages = [path.parent for path in (repository / PACKAGE).glob("*/**/__init__.py")]
    assert len(packages) > 15
    for package in packages:
        modules = {path.stem for path in package.glob("*.py")} | {path.parent.name for path in package.glob("*/__init__.py")}
        body = ast.parse((package / "__init__.py").read_text(encoding="utf-8")).body
        defined = {node.name for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
        defined |= {node.target.id for node in body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)}
        imported = {alias.asname or alias.name for node in body if isinstance(node, ast.ImportFrom) for alias in node.names}
        assert public_names(package) <= modules | defined | imported, package


def test_an_upward_import_is_noticed(tmp_path: Path, repository: Path) -> None:
    """The walker itself works: it sees imports inside functions, of modules and of names."""
    source = tmp_path / "example.py"
    source.write_text("def late():\n    from gtp_engine.go import game\n    import gtp_engine.cli.main\n")
    assert upward_imports(source, "gtp.protocol", repository / PACKAGE) == [
        "gtp.protocol:2 imports go",
        "gtp.protocol:2 imports go",
        "gtp.protocol:3 imports cli",
    ]


def test_a_private_import_is_noticed(tmp_path: Path, repository: Path) -> None:
    source = tmp_path / "example.py"
    source.write_text(
        "from gtp_engine.player import EngineError, engine\n"
        "from gtp_engine.player.engine import Engine\n"
        "from gtp_engine.player import own_search\n"
        "def late():\n    import gtp_engine.player.levels.table\n"
    )
    assert private_imports(source, "cli.example", repository / PACKAGE) == [
        "cli.example:3 imports player.own_search",
        "cli.example:5 imports player.levels.table",
    ]
    assert private_imports(source, "player.example", repository / PACKAGE) == ["player.example:5 imports player.levels.table"]


def test_only_sgf_imports_sgfmill(repository: Path) -> None:
    importers = {
        layer_of(module)
        for path, module in modules_of(repository / PACKAGE)
        for _, name in imports_of(ast.parse(path.read_text(encoding="utf-8")))
        if name.split(".")[0] == "sgfmill"
    }
    assert importers <= {"sgf"}


def test_the_textbook_is_plain_python_and_only_its_adapters_know_go(repository: Path) -> None:
    root = repository / PACKAGE
    sources = [(path, module) for path, module in modules_of(root) if module.startswith("textbook")]
    assert len(sources) > 10
    for path, module in sources:
        names = {name for _, name in imports_of(ast.parse(path.read_text(encoding="utf-8")))}
        assert {name.split(".")[0] for name in names} - {PACKAGE} <= sys.stdlib_module_names, module
        knows_go = any(
            exists(name, root) and not name.startswith(f"{PACKAGE}.textbook") for name in names if name.startswith(f"{PACKAGE}.")
        )
        assert knows_go == (module in ("textbook.go_game", "textbook.go_rollouts")), module


@pytest.mark.parametrize("light", LIGHT)
def test_light_modules_load_neither_numpy_nor_numba(light: str, repository: Path) -> None:
    """`name` and `list_commands` must not wait for the compiler."""
    names = [name for _, name in modules_of(repository / PACKAGE) if name == light or name.startswith(f"{light}.")]
    assert names
    imports = "; ".join(f"import gtp_engine.{name}" for name in names)
    code = f"import sys; {imports}; print({{'numpy', 'numba', 'sgfmill'}} & set(sys.modules))"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=repository)
    assert process.stdout == "set()\n", process.stderr


def test_who_plays_without_a_network_of_katago_loads_nothing_for_it(repository: Path) -> None:
    """It would cost every start of the engine some hundredths of a second."""
    code = "import sys; import gtp_engine.network.loading; print([name for name in sys.modules if 'network.katago.' in name])"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=repository)
    assert process.stdout == "['gtp_engine.network.katago.file_names']\n", process.stderr


def test_only_charts_import_matplotlib(repository: Path) -> None:
    """It is an extra: everything but PNG files works without it."""
    importers = {
        module
        for path, module in modules_of(repository / PACKAGE)
        for _, name in imports_of(ast.parse(path.read_text(encoding="utf-8")))
        if name.split(".")[0] == "matplotlib"
    }
    assert importers == {"charts"}


def test_no_function_takes_more_than_eight_arguments(repository: Path) -> None:
    """A function that needs more needs a record or a dataclass. `self` and `cls` don't count."""
    found = []
    for path, module in modules_of(repository / PACKAGE):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                names = [item.arg for item in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]]
                if len([name for name in names if name not in ("self", "cls")]) > 8:
                    found.append(f"{module}.{node.name}")
    assert found == []


def test_no_two_classes_have_the_same_name(repository: Path) -> None:
    """A class's name says what it is without its module's."""
    places: dict[str, list[str]] = {}
    for path, module in modules_of(repository / PACKAGE):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(module)
    assert len(places) > 100
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}
