"""Every subcommand, with an empty home and no network: no name is asked, no packet sent, no file written but those in docs/files.md."""

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from isolated import has_namespaces, run_isolated

from gtp_engine.cli.main import SUBCOMMANDS

OURS = [sys.executable, "-P", "-m", "gtp_engine"]
OUR_TEXT = f"{sys.executable} -P -m gtp_engine --evaluator playouts --playouts 1"
LOG, RECORDS = ".local/state/gtp_engine/log", ".cache/gtp_engine/records"
FONTS = ".cache/matplotlib"  # where it is installed, `review` and `train` draw with it
QUERY = '{"id":"a","moves":[["B","E5"]],"rules":"chinese","komi":7.5,"boardXSize":9,"boardYSize":9,"maxVisits":4}\n'
SLOW = {"bench"}  # it compiles everything anew, to measure that
QUIET = ["--size", "5", "--games", "1", "--openings", "random:0", "--output", "out"]

# the words of each subcommand, what it reads on stdin, the names that it leaves in the current folder, and the folders of the home
# that hold all its files
CASES: list[tuple[list[str], str, set[str], set[str]]] = [
    (["gtp", "--playouts", "4", "--evaluator", "mixed", "--log", "auto"], "boardsize 9\ngenmove b\ngenmove w\nquit\n", set(), {LOG}),
    (["play", "--playouts", "2", "--size", "9", "--evaluator", "mixed"], "D4\nsave game.sgf\nquit\n", {"game.sgf"}, set()),
    (["analysis", "--positions", "1"], QUERY, set(), set()),
    (["match", OUR_TEXT, OUR_TEXT, *QUIET], "", {"out"}, set()),
    (["tune", "exploration", "0.1", "0.2", "--playouts", "1", *QUIET], "", {"out"}, set()),
    (["bench", "--seconds", "1", "--threads", "1"], "", set(), set()),
    (["picture"], "", set(), set()),
    (["regress", "suite.tst", "--playouts", "2"], "", set(), set()),
    (["review", "game.sgf", "--playouts", "2", "--output", "out"], "", {"out"}, set()),
    (["problems", "--count", "1", "--size", "9", "--output", "out"], "", {"out"}, set()),
    (["solve", "corner.sgf"], "", set(), set()),
    (["train", "move-model", "games.npz", "model.npz", "--held-out", "2"], "", {"model.npz"}, {RECORDS}),
    (["config", "show"], "", set(), set()),
    (["doctor"], "", set(), set()),
    (["version"], "", set(), set()),
]


def lay_out(work: Path, repository: Path) -> set[str]:
    """Put what the subcommands read into `work`; its names."""
    work.mkdir()
    (work / "game.sgf").write_text("(;SZ[9]KM[7.5];B[ee];W[cc];B[gg])")
    (work / "suite.tst").write_text("boardsize 9\n1 genmove b\n#? [[A-J][1-9]]\n")
    shutil.copy(repository / "sgf" / "life_and_death" / "bent_three_corner.sgf", work / "corner.sgf")
    dice = np.random.default_rng(2)
    moves = np.concatenate([dice.choice(361, 20, replace=False) for _ in range(8)]).astype(np.uint16)
    winner, margin = np.ones(8, np.int8), np.full(8, -1.0, np.float16)
    np.savez(work / "games.npz", moves=moves, lengths=np.full(8, 20, np.uint16), winner=winner, margin=margin)
    return {path.name for path in work.iterdir()}


def test_every_subcommand_is_tried() -> None:
    assert [words[0] for words, *_ in CASES] == list(SUBCOMMANDS)


PARAMETERS = [pytest.param(*case, id=case[0][0], marks=pytest.mark.slow if case[0][0] in SLOW else ()) for case in CASES]


@pytest.mark.parametrize(("words", "text", "outputs", "kept"), PARAMETERS)
def test_nothing_leaves_the_machine(
    words: list[str], text: str, outputs: set[str], kept: set[str], tmp_path: Path, repository: Path
) -> None:
    given = lay_out(tmp_path / "work", repository)
    outcome = run_isolated([*OURS, *words], tmp_path, repository, text)
    assert outcome.status == 0, outcome.errors
    assert "Traceback" not in outcome.errors
    assert outcome.network == []
    assert outcome.strays == []
    assert {folder for folder in kept if any(name.startswith(folder + "/") for name in outcome.home)} == kept
    assert [name for name in outcome.home if not name.startswith(tuple(folder + "/" for folder in (*kept, FONTS)))] == []
    assert {path.name for path in (tmp_path / "work").iterdir()} == given | outputs


ASKING = "import socket\ntry: socket.gethostbyname('example.org')\nexcept OSError: pass"
SENDING = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 9))"


@pytest.mark.parametrize("program", [ASKING, SENDING])
def test_what_is_asked_or_sent_is_noticed(program: str, tmp_path: Path, repository: Path) -> None:
    """The test above can fail: by the hook in Python, and by the namespace where the system has one."""
    outcome = run_isolated([sys.executable, "-c", program], tmp_path, repository)
    assert any(line.startswith("socket.") for line in outcome.network)
    if has_namespaces():
        assert any(line.startswith("NETWORK") for line in outcome.network)


def test_a_file_elsewhere_is_noticed(tmp_path: Path, repository: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    program = f"import os, pathlib; pathlib.Path({str(elsewhere)!r}).write_text('x'); open(os.environ['TMPDIR'] + '/left', 'w')"
    outcome = run_isolated([sys.executable, "-c", program], tmp_path, repository)
    assert outcome.strays == [f"open {elsewhere}", str(tmp_path / "temporary" / "left")]
