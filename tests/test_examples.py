"""The notebooks of docs/examples and the examples of docs/api.md run, and what they say of themselves is so."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "docs" / "examples"


@pytest.fixture(autouse=True)
def no_windows() -> Iterator[None]:
    """Plots are drawn, and shown nowhere."""
    before = matplotlib.get_backend()
    matplotlib.use("Agg")
    yield
    import matplotlib.pyplot as plt

    plt.close("all")
    matplotlib.use(before)


def run_notebook(name: str) -> dict[str, Any]:
    """Run all cells, one after the other; the names that they have made."""
    notebook = json.loads((EXAMPLES / f"{name}.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": name}
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [], "the notebooks are kept without results"
            exec(compile("".join(cell["source"]), f"{name}, cell {number}", "exec"), names)
    return names


def test_there_are_no_other_notebooks() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.ipynb")} == {"play_and_analyze", "own_evaluator", "train_a_network"}


def test_play_and_analyze(capsys: pytest.CaptureFixture[str]) -> None:
    names = run_notebook("play_and_analyze")
    assert len(names["engine"].moves) == len(names["win_rates"]) == names["MOVES"]
    assert all(0 <= win_rate <= 1 for win_rate in names["win_rates"])
    assert np.abs(names["found"].ownership).max() > 0.5
    assert "(;" in capsys.readouterr().out


def test_an_evaluator_of_ones_own() -> None:
    names = run_notebook("own_evaluator")
    assert names["best"].vertex == "C5", "it captures the stone"
    assert names["game"].score() > 0, "it wins against moves at random"


def test_train_a_network() -> None:
    names = run_notebook("train_a_network")
    assert names["losses"][-1] < 0.8 * names["losses"][0]
    assert names["seen"].shape[1] == 22 * names["SIZE"] ** 2
    assert len(names["player"].analyze().moves) > 1


def test_the_examples_of_the_page(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (repository / "docs" / "api.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        exec(compile(block, "docs/api.md", "exec"), {})
    assert capsys.readouterr().out
