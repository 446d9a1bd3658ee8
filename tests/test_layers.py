"""The house plan holds: every import goes downward, and the handshake needs neither numpy nor numba."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = "gtp_engine"

# Each room and the rooms that it may import. A module belongs to the room with the longest name that starts its own name.
ROOMS = {
    "jit": {"inner_code"},
    "inner_code": set(),
    "files": set(),
    "copying": set(),
    "go": {"jit", "copying"},
    "move_model": {"go", "jit", "copying"},
    "playout": {"go", "jit", "copying"},
    "search": {"playout", "move_model", "go", "jit", "copying"},
    "network": {"files", "search", "playout", "move_model", "go", "jit", "copying"},
    "config": {"files", "search", "go"},
    "sgf": {"go"},
    "player": {"network", "search", "playout", "go", "jit", "sgf"},
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
    "gtp.log": {"config"},
    "gtp.engine_loader": {"gtp.protocol", "player", "jit"},
    "gtp.commands": {
        "files",
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
        "config",
        "player",
        "solver",
        "sgf",
        "search",
        "playout",
        "go",
    },
    "tools": {"player", "match", "network", "search", "playout", "go", "jit", "config", "gtp.log"},
    "terminal": {"files", "player", "config", "sgf", "go"},
    "terminal.board_game": {"terminal", "textbook", "config"},
    "match.client": {"gtp.protocol", "match"},
    "match": {"files", "match.client", "gtp.protocol", "sgf", "go"},
    "regression": {"files", "gtp.protocol", "match.client"},
    "review": {"files", "player", "sgf", "search", "playout", "go", "textbook", "textbook.go_game"},
    "training": {"network", "search", "playout", "move_model", "sgf", "go", "jit"},
    "textbook": {"textbook.go_game", "textbook.go_rollouts"},
    "textbook.go_game": {"textbook", "go"},
    "textbook.go_rollouts": {"textbook", "textbook.go_game", "go"},
    "player.textbook_chooser": {"player", "search", "go", "textbook", "textbook.go_game", "textbook.go_rollouts"},
    "solver": {"sgf", "go", "jit"},
    "cli": {"*"},
    "__main__": {"cli"},
}

# numpy and numba cost half a second: these modules answer before that.
LIGHT = ("gtp", "cli", "config", "go.points", "go.rules", "go.handicap", "search.params", "player.time_control")


def room_of(module: str) -> str:
    """The room of a module's name without the package; "" for the package itself."""
    parts = module.split(".")
    names = [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
    return next((name for name in names if name in ROOMS), module)


def imports_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, full name) of every module that a source imports, at its head or inside a function."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def upward_imports(source: Path, module: str, package_root: Path) -> list[str]:
    """Every import of ours in `source` that the plan doesn't allow to `module`, as `file:line imports room`."""
    room = room_of(module)
    wrong = []
    for line, name in imports_of(ast.parse(source.read_text(encoding="utf-8"))):
        if name.startswith("."):
            wrong.append(f"{module}:{line} imports relatively")
        if not name.startswith(f"{PACKAGE}.") or not exists(name, package_root):
            continue
        other = room_of(name.removeprefix(f"{PACKAGE}."))
        if other != room and other not in ROOMS[room] and "*" not in ROOMS[room]:
            wrong.append(f"{module}:{line} imports {other}")
    return wrong


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


def test_every_module_has_a_room(repository: Path) -> None:
    rooms = {room_of(module) for _, module in modules_of(repository / PACKAGE) if module}
    assert rooms <= set(ROOMS)


def test_an_upward_import_is_noticed(tmp_path: Path, repository: Path) -> None:
    """The walker itself works: it sees imports inside functions, of modules and of names."""
    source = tmp_path / "example.py"
    source.write_text("def late():\n    from gtp_engine.go import game\n    import gtp_engine.cli.main\n")
    assert upward_imports(source, "gtp.protocol", repository / PACKAGE) == [
        "gtp.protocol:2 imports go",
        "gtp.protocol:2 imports go",
        "gtp.protocol:3 imports cli",
    ]


def test_only_sgf_imports_sgfmill(repository: Path) -> None:
    importers = {
        room_of(module)
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
    """Pitfall 16: name and list_commands must not wait for the compiler."""
    names = [name for _, name in modules_of(repository / PACKAGE) if name == light or name.startswith(f"{light}.")]
    assert names
    imports = "; ".join(f"import gtp_engine.{name}" for name in names)
    code = f"import sys; {imports}; print({{'numpy', 'numba', 'sgfmill'}} & set(sys.modules))"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=repository)
    assert process.stdout == "set()\n", process.stderr
