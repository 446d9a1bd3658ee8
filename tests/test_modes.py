"""The kernels in numba's other modes: with every index checked, and interpreted.

Compiled code doesn't check indices: an index out of bounds reads or destroys what lies beside the array. And compiled code that wraps,
rounds or promotes otherwise than the interpreter does what its source doesn't say.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Tests whose work goes through the search, the playouts and the rules on all sizes; few kernels called from Python, since each costs
# ten seconds of compiling with checks.
CHECKED_TESTS = [
    "test_position.py::test_invariants_hold_through_playouts",
    "test_tree.py::test_a_search_fits_every_board",
    "test_tree.py::test_two_threads_lose_no_visits",
    "test_room.py",
]

OUT_OF_BOUNDS = """
import numpy as np
from kernels import draw_uniform_moves
from gtp_engine.go.position import new_positions
try:
    draw_uniform_moves(new_positions(1, 5), 10, np.zeros(3, np.int64))
except IndexError:
    print("checked")
"""


def run(arguments: list[str], tests: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A Python process that finds the helpers of the tests; it must end well."""
    path = os.pathsep.join([str(tests), str(tests.parent)])
    process = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=tests, env=os.environ | {"PYTHONPATH": path} | environment
    )
    assert process.returncode == 0, process.stdout[-3000:] + process.stderr[-3000:]
    return process


@pytest.fixture
def tests(repository: Path) -> Path:
    """The folder of the tests."""
    return repository / "tests"


@pytest.mark.slow  # compiles everything anew; .ci/run has it
def test_no_index_is_out_of_bounds(tests: Path, tmp_path: Path) -> None:
    """A folder of its own for the compiled code: numba would not tell checked code from unchecked."""
    mode = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    assert run(["-c", OUT_OF_BOUNDS], tests, **mode).stdout == "checked\n", "the mode is not on"
    run(["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *CHECKED_TESTS], tests, **mode)


def test_interpreted_kernels_do_what_compiled_ones_do(tests: Path) -> None:
    """The same seeds, to the last digit: moves, visits, win rates, scores, hashes, with light and heavy playouts."""
    compiled = run(["interpreted.py"], tests, NUMBA_DISABLE_JIT="0").stdout
    interpreted = run(["interpreted.py"], tests, NUMBA_DISABLE_JIT="1").stdout
    assert compiled.count('"searches"') == 3
    assert interpreted == compiled


def test_the_rules_hold_interpreted(tests: Path) -> None:
    """Counting legal positions and random games with the invariants checked, without any compiled code."""
    program = """
import numpy as np
from interpreted import new_records
from kernels import count_legal_positions, first_fault_in_random_games
np.seterr(over="ignore")
print(count_legal_positions(new_records(1, 2), 2), first_fault_in_random_games(new_records(1, 4), 4, 7, 3))
"""
    assert run(["-c", program], tests, NUMBA_DISABLE_JIT="1").stdout == "57 0\n"
