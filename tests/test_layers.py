"""Imports run downward and use public names only, and the first GTP commands are answered before numpy and numba are loaded."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from conftest import load_script

PACKAGE = "gtp_engine"

# Modules that may import less of ours than their package: the protocols know no Go, and whoever needs only them gets nothing else.
MODEST = {
    "base.gtp_protocol": set[str](),
    "interfaces.gtp.inbox": set[str](),
    "interfaces.gtp.session": {"base.gtp_protocol", "interfaces.gtp.inbox"},
    "interfaces.gtp.dispatcher": {"base.gtp_protocol", "interfaces.gtp.arguments"},
    "interfaces.analysis.protocol": set[str](),
    "tools.match": {"tools.match", "sgf", "go", "base"},
    "tools.regression": {"tools.regression", "tools.match.client", "base"},
}

# numpy and numba take half a second to load: these modules must work without them.
LIGHT = (
    *("cli.main", "cli.gtp", "cli.options", "interfaces.gtp", "engine.config", "engine.search.params", "engine.player.time_control"),
    *("go.points", "go.rules", "go.handicap"),
)


def upward_imports(structure: ModuleType, source: Path, module: str) -> list[str]:
    """Every import of ours in `source` that leads upward, or that MODEST forbids, as `module:line imports name`."""
    own = structure.package_of(module)
    below = structure.ORDER[structure.ORDER.index(own) :]
    modest = next((name for name in MODEST if f"{module}.".startswith(f"{name}.")), None)
    wrong = []
    for line, name in structure.our_imports(source):
        is_low = structure.package_of(name) in below or name == "__version__"
        is_modest = modest is None or any(f"{name}.".startswith(f"{allowed}.") for allowed in MODEST[modest])
        if not is_low or not is_modest:
            wrong.append(f"{module}:{line} imports {name}")
    return wrong


def private_imports(structure: ModuleType, source: Path, module: str, package_root: Path) -> list[str]:
    """Every import in `source` of something that its package doesn't name in `__all__`, as `module:line imports name`."""
    wrong = []
    for line, name in structure.our_imports(source):
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


@pytest.fixture(scope="module")
def structure() -> ModuleType:
    """docs/figures/architecture.py, which declares the packages."""
    return load_script(Path(__file__).resolve().parent.parent / "docs" / "figures" / "architecture.py")


def test_every_package_is_declared(structure: ModuleType) -> None:
    """What lies in a group that is no package by itself holds packages only."""
    outside = {module for _, module in structure.modules() if not structure.package_of(module)}
    assert outside == {"", "__main__", *structure.GROUPS}
    assert {structure.package_of(module) for _, module in structure.modules()} - {""} == set(structure.PACKAGES)


def test_imports_go_downward(structure: ModuleType) -> None:
    modules = [(path, module) for path, module in structure.modules() if structure.package_of(module)]
    assert len(modules) > 200
    assert [wrong for path, module in modules for wrong in upward_imports(structure, path, module)] == []


def test_the_page_shows_the_packages_and_their_imports(structure: ModuleType) -> None:
    """After a change: `.venv/bin/python docs/figures/architecture.py --write`. A new arrow should have a reason."""
    page = structure.PAGE.read_text(encoding="utf-8")
    assert structure.page(page) == page
    assert len(re.findall(r"^ +\w+ --> \w+$", page, re.MULTILINE)) > 20


def test_other_packages_import_public_names_only(structure: ModuleType, repository: Path) -> None:
    root = repository / PACKAGE
    assert [wrong for path, module in structure.modules() if module for wrong in private_imports(structure, path, module, root)] == []


def test_mypy_leaves_out_compiled_modules_only(structure: ModuleType, repository: Path) -> None:
    """numba's decorators have no types: what mypy passes over uses them. `kernels*` are those of the tests."""
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))
    listed = {name for name in project["tool"]["mypy"]["overrides"][0]["module"] if not name.startswith("kernels")}
    compiled = {
        f"{PACKAGE}.{module}"
        for path, module in structure.modules()
        if re.search(r"^@(entry|inner|intrinsic|numba\.)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert len(listed) > 30 and listed <= compiled | {f"{PACKAGE}.compiled.jit"}


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


def test_packages_name_only_modules_that_others_import(structure: ModuleType, repository: Path) -> None:
    root = repository / PACKAGE
    imports = [(f"{module}.", f"{name}.") for path, module in structure.modules() for _, name in structure.our_imports(path)]
    unused = []
    for package in (path.parent for path in root.glob("*/**/__init__.py")):
        own = ".".join(package.relative_to(root).parts)
        outside = {name for module, name in imports if not module.startswith(f"{own}.")}
        modules = [name for name in public_names(package) if package.joinpath(name).is_dir() or package.joinpath(f"{name}.py").is_file()]
        unused += [f"{own}.{name}" for name in modules if not any(other.startswith(f"{own}.{name}.") for other in outside)]
    assert unused == []


def test_an_upward_import_is_noticed(structure: ModuleType, tmp_path: Path) -> None:
    """The walker itself works: it sees imports inside functions, of modules and of names."""
    source = tmp_path / "example.py"
    source.write_text("def late():\n    from gtp_engine.go import game\n    import gtp_engine.cli.main\n    from . import inbox\n")
    assert upward_imports(structure, source, "interfaces.gtp.example") == [
        "interfaces.gtp.example:3 imports cli.main",
        "interfaces.gtp.example:4 imports ..inbox",
    ]
    assert upward_imports(structure, source, "base.gtp_protocol")[0] == "base.gtp_protocol:2 imports go.game"


def test_a_private_import_is_noticed(structure: ModuleType, tmp_path: Path, repository: Path) -> None:
    source = tmp_path / "example.py"
    source.write_text(
        "from gtp_engine.engine.player import EngineError, engine\n"
        "from gtp_engine.engine.player.engine import Engine\n"
        "from gtp_engine.engine.player import own_search\n"
        "def late():\n    import gtp_engine.engine.player.levels.table\n"
    )
    root = repository / PACKAGE
    assert private_imports(structure, source, "cli.example", root) == [
        "cli.example:3 imports engine.player.own_search",
        "cli.example:5 imports engine.player.levels.table",
    ]
    assert private_imports(structure, source, "engine.player.example", root) == [
        "engine.player.example:5 imports engine.player.levels.table"
    ]


def test_only_sgf_imports_sgfmill(structure: ModuleType) -> None:
    importers = {
        module.split(".")[0]
        for path, module in structure.modules()
        for _, name in structure.all_imports(path)
        if name.split(".")[0] == "sgfmill"
    }
    assert importers <= {"sgf"}


def test_the_textbook_is_plain_python_and_only_its_adapters_know_go(structure: ModuleType) -> None:
    sources = [(path, module) for path, module in structure.modules() if module.startswith("textbook")]
    assert len(sources) > 10
    for path, module in sources:
        names = {name for _, name in structure.all_imports(path)}
        assert {name.split(".")[0] for name in names} - {PACKAGE} <= sys.stdlib_module_names, module
        knows_go = any(name.startswith(f"{PACKAGE}.") and not name.startswith(f"{PACKAGE}.textbook") for name in names)
        assert knows_go == (module in ("textbook.go_game", "textbook.go_rollouts")), module


@pytest.mark.parametrize("light", LIGHT)
def test_light_modules_load_neither_numpy_nor_numba(structure: ModuleType, light: str, repository: Path) -> None:
    """`name` and `list_commands` must not wait for the compiler."""
    names = [name for _, name in structure.modules() if name == light or name.startswith(f"{light}.")]
    assert names
    imports = "; ".join(f"import gtp_engine.{name}" for name in names)
    code = f"import sys; {imports}; print({{'numpy', 'numba', 'sgfmill'}} & set(sys.modules))"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=repository)
    assert process.stdout == "set()\n", process.stderr


def test_who_plays_without_a_network_of_katago_loads_nothing_for_it(repository: Path) -> None:
    """It would cost every start of the engine some hundredths of a second."""
    code = "import sys; import gtp_engine.engine.network.loading; print([name for name in sys.modules if 'network.katago.' in name])"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=repository)
    assert process.stdout == "['gtp_engine.engine.network.katago.file_names']\n", process.stderr


def test_only_charts_and_sheets_import_matplotlib(structure: ModuleType) -> None:
    """It is an extra: everything but PNG files and printed problems works without it."""
    importers = {
        module for path, module in structure.modules() for _, name in structure.all_imports(path) if name.split(".")[0] == "matplotlib"
    }
    assert importers == {"base.charts", "tools.problems.sheet"}


def test_no_function_takes_more_than_eight_arguments(structure: ModuleType) -> None:
    """A function that needs more needs a record or a dataclass. `self` and `cls` don't count."""
    found = []
    for path, module in structure.modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                names = [item.arg for item in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]]
                if len([name for name in names if name not in ("self", "cls")]) > 8:
                    found.append(f"{module}.{node.name}")
    assert found == []


def test_no_two_classes_have_the_same_name(structure: ModuleType) -> None:
    """A class's name says what it is without its module's."""
    places: dict[str, list[str]] = {}
    for path, module in structure.modules():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(module)
    assert len(places) > 100
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}
