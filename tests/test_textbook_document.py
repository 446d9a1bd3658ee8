"""docs/how-it-works.md: what it names exists, and its tables are what docs/figures/textbook_figures.py prints."""

import importlib
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from conftest import load_script

TABLES = ("players", "tictactoe", "order", "horizon", "go", "dice", "coins")
QUICK = ("order", "dice", "coins")


@pytest.fixture
def document(repository: Path) -> str:
    return (repository / "docs" / "how-it-works.md").read_text(encoding="utf-8")


@pytest.fixture
def figures(repository: Path) -> ModuleType:
    """The script as a module."""
    return load_script(repository / "docs" / "figures" / "textbook_figures.py")


def test_every_name_of_the_textbook_exists(document: str, repository: Path) -> None:
    """`file.name` and `file.Class.name` in backquotes, for files of the textbook."""
    modules = {path.stem for path in (repository / "gtp_engine" / "textbook").glob("*.py")}
    names = [name for name in re.findall(r"`(\w+(?:\.\w+){1,2})`", document) if name.split(".")[0] in modules and not name.endswith(".py")]
    assert len(names) >= 15
    for name in names:
        module, *rest = name.split(".")
        found: object = importlib.import_module(f"gtp_engine.textbook.{module}")
        for part in rest:
            assert hasattr(found, part), name
            found = getattr(found, part)


def test_every_path_exists(document: str, repository: Path) -> None:
    paths = re.findall(r"`(?:python )?((?:gtp_engine|scripts|docs|tests)/[\w./-]*)", document)
    assert len(paths) >= 3
    for path in paths:
        assert (repository / path).exists(), path


def test_every_table_is_tested(figures: ModuleType) -> None:
    assert tuple(figures.TABLES) == TABLES


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in TABLES if name not in QUICK)])
def test_the_tables_are_what_the_script_prints(name: str, document: str, figures: ModuleType) -> None:
    assert f"\n\n{figures.TABLES[name]()}\n\n" in document


def test_the_script_says_which_tables_there_are(repository: Path) -> None:
    command, environment = (
        [sys.executable, str(repository / "docs" / "figures" / "textbook_figures.py")],
        os.environ | {"PYTHONPATH": str(repository)},
    )
    process = subprocess.run([*command, "nothing"], capture_output=True, text=True, env=environment)
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr == f"textbook_figures.py: no table nothing; choose from {', '.join(TABLES)}\n"
    process = subprocess.run([*command, "coins"], capture_output=True, text=True, env=environment)
    assert process.returncode == 0 and process.stdout.startswith("coins\n\n| First player takes |")
