"""The figures of docs/how-it-works.md on Monte Carlo are what the script prints."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_the_tables_are_in_the_document(repository: Path) -> None:
    command = [sys.executable, str(repository / "docs" / "figures" / "monte_carlo_figures.py")]
    process = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(repository)})
    assert process.returncode == 0, process.stderr
    tables = [block for block in process.stdout.split("\n\n") if block.startswith("|")]
    document = (repository / "docs" / "how-it-works.md").read_text(encoding="utf-8")
    assert len(tables) == 2
    for table in tables:
        assert table.strip() in document
