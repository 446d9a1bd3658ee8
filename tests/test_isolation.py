"""Every subcommand, with an empty home and no network: no name is asked, no packet sent, no file written but those in docs/files.md."""

import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from isolated import run_isolated
from kata_blocks import Residual
from kata_twin import Twin

from gtp_engine.cli.main import SUBCOMMANDS
from gtp_engine.cli.options.train import ACTIONS, ALIASES
from gtp_engine.engine.network.folder import MODELS

OURS = [sys.executable, "-P", "-m", "gtp_engine"]
OUR_TEXT = f"{sys.executable} -P -m gtp_engine --evaluator playouts --playouts 1"
LOG, RECORDS = ".local/state/gtp_engine/log", ".cache/gtp_engine/records"
NETWORKS = ".cache/gtp_engine/networks"  # what was timed
FONTS = ".cache/matplotlib"  # where it is installed, `review` and `train` draw with it
QUERY = '{"id":"a","moves":[["B","E5"]],"rules":"chinese","komi":7.5,"boardXSize":9,"boardYSize":9,"maxVisits":4}\n'
QUIET = ["--size", "5", "--games", "1", "--openings", "random:0", "--output", "out"]

# the words of each subcommand, what it reads on stdin, the names that it leaves in the current folder, and the folders of the home
# that hold all its files
CASES: list[tuple[list[str], str, set[str], set[str]]] = [
    (["gtp", "--playouts", "4", "--evaluator", "mixed", "--log", "auto"], "boardsize 9\ngenmove b\ngenmove w\nquit\n", set(), {LOG}),
    (["play", "--playouts", "2", "--size", "9", "--evaluator", "mixed"], "D4\nsave game.sgf\nquit\n", {"game.sgf"}, set()),
    (["analysis", "--positions", "1"], QUERY, set(), set()),
    (["match", OUR_TEXT, OUR_TEXT, *QUIET], "", {"out"}, set()),
    (["tune", "exploration", "0.1", "0.2", "--playouts", "1", *QUIET], "", {"out"}, set()),
    (["bench", "--seconds", "0.1", "--threads", "1", "--network", "strong.bin.gz"], "", set(), {NETWORKS}),
    (["picture"], "", set(), set()),
    (["regress", "suite.tst", "--playouts", "2"], "", set(), set()),
    (["review", "game.sgf", "--playouts", "2", "--output", "out"], "", {"out"}, set()),
    (["rank", "game.sgf"], "", set(), set()),
    (["networks", "--time", str(MODELS / "b7c96-ranks-int8.kata.onnx")], "", set(), {NETWORKS}),
    (["problems", "--count", "1", "--size", "9", "--output", "out"], "", {"out"}, set()),
    (["frame", "open.sgf", "--output", "out"], "", {"out"}, set()),
    (["solve", "corner.sgf"], "", set(), set()),
    (["train", "move-model", "games.npz", "model.npz", "--held-out", "2"], "", {"model.npz"}, {RECORDS}),
    (["train", "records", "won.sgf", "won.npz.xz", "--size", "9"], "", {"won.npz.xz"}, set()),
    (["config", "show"], "", set(), set()),
    (["doctor"], "", set(), {NETWORKS}),
    (["version"], "", set(), set()),
]
SLOW = {"tune", "bench", "networks", "train", "doctor", "match", "review"}  # the longest; CI runs them, too


def lay_out(work: Path, repository: Path) -> set[str]:
    """Put what the subcommands read into `work`; its names."""
    work.mkdir()
    (work / "game.sgf").write_text("(;SZ[9]KM[7.5];B[ee];W[cc];B[gg])")
    (work / "won.sgf").write_text("(;SZ[9]KM[7.5]RE[B+R]BR[5k]WR[4k];B[ee];W[cc];B[gg])")
    (work / "suite.tst").write_text("boardsize 9\n1 genmove b\n#? [[A-J][1-9]]\n")
    (work / "open.sgf").write_text("(;SZ[13]AB[al][bl][cl][cm]AW[ak][bk][ck][dk][dl][dm];B[bm]C[Correct])")
    shutil.copy(repository / "sgf" / "life_and_death" / "bent_three_corner.sgf", work / "corner.sgf")
    dice = np.random.default_rng(2)
    moves = np.concatenate([dice.choice(361, 20, replace=False) for _ in range(8)]).astype(np.uint16)
    winner, margin = np.ones(8, np.int8), np.full(8, -1.0, np.float16)
    results: dict[str, np.ndarray] = {"lengths": np.full(8, 20, np.uint16), "winner": winner, "margin": margin}
    np.savez(work / "games.npz", moves=moves, **results)  # type: ignore[arg-type]  # the stub takes keywords for its own
    small = np.concatenate([dice.choice(81, 20, replace=False) for _ in range(8)]).astype(np.uint8)
    np.savez(work / "ranked.npz", moves=small, black_rank=np.full(8, 18, np.int8), white_rank=np.full(8, 20, np.int8), **results)  # type: ignore[arg-type]
    np.savez(work / "many.npz", moves=np.tile(small, 2), **{name: np.tile(array, 2) for name, array in results.items()})  # type: ignore[arg-type]
    Twin(8, (Residual,)).save(work / "strong")
    return {path.name for path in work.iterdir()}


def test_every_subcommand_is_tried() -> None:
    assert list(dict.fromkeys(words[0] for words, *_ in CASES)) == list(SUBCOMMANDS)


@pytest.mark.parametrize(
    ("words", "text", "outputs", "kept"),
    [pytest.param(*case, id=case[0][0], marks=[pytest.mark.slow] if case[0][0] in SLOW else []) for case in CASES],
)
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


TINY = ["--positions", "16", "--batch", "8", "--threads", "1", "--device", "cpu"]
GENERATION = ["--generations", "1", "--games", "4", "--positions", "8", "--gate-games", "2", "--gate-visits", "2", "--threads", "1"]
GENERATION += ["--batch", "8", "--device", "cpu", "--set", "full_visits=4", "--set", "fast_visits=2", "--set", "most_moves=10"]
TRAINING: dict[str, list[str]] = {
    "imitation": ["games.npz", "--new", "1x8", "--folder", "run", *TINY],
    "evaluate": ["many.npz", "--network", "run/network.bin.gz", "--positions", "8", "--threads", "1"],
    "ranks": ["ranked.npz", "--positions", "8", "--told", "1", "--threads", "1"],
    "calibration": ["ranked.npz", "--learned", "2", "--positions", "2", "--threads", "1"],
    "label": ["ranked.npz", "--network", "strong.bin.gz", "--positions", "32", "--output", "labels.npz"],
    "distill": ["labels.npz", "--new", "1x8", "--folder", "taught", *TINY],
    "suite": ["many.npz", "--network", "strong.bin.gz", "--positions", "1", "--output", "suite.jsonl"],
    "mean": ["taught/start.bin.gz", "taught/network.bin.gz", "--output", "mean.bin.gz"],
    "agreement": ["suite.jsonl", "--network", "taught/network.bin.gz"],
    "selfplay": ["--folder", "self", "--network", "run/network.bin.gz", "--size", "7", *GENERATION],
}


@pytest.mark.train
def test_training_leaves_the_machine_alone(tmp_path: Path, repository: Path) -> None:
    """The actions of `train` that need torch, one after another."""
    given = lay_out(tmp_path / "work", repository)
    for action, words in TRAINING.items():
        outcome = run_isolated([*OURS, "train", action, *words], tmp_path, repository)
        assert outcome.status == 0, outcome.errors
        assert (outcome.network, outcome.strays) == ([], []), action
        assert all(name.startswith((RECORDS + "/", FONTS + "/", NETWORKS + "/")) for name in outcome.home), action
    made = {"run", "self", "labels.npz", "labels.npz.jobs", "taught", "suite.jsonl", "mean.bin.gz"}
    assert {path.name for path in (tmp_path / "work").iterdir()} == given | made


def test_every_action_of_train_is_tried() -> None:
    assert {*TRAINING, "move-model", "records"} == {*ACTIONS, *(alias for aliases in ALIASES.values() for alias in aliases)}


@pytest.mark.slow  # it compiles
def test_a_first_start_keeps_its_code_in_the_cache(tmp_path: Path, repository: Path) -> None:
    outcome = run_isolated([*OURS, "--evaluator", "playouts", "--playouts", "4"], tmp_path, repository, "genmove b\nquit\n", cold=True)
    assert (outcome.status, outcome.network, outcome.strays) == (0, [], [])
    assert outcome.home and all(re.fullmatch(r"\.cache/gtp_engine/[0-9a-f]{16}/.+", name) for name in outcome.home)


PYTHON_ASKS = "import socket\ntry: socket.gethostbyname('example.org')\nexcept OSError: pass"
LIBRARY_ASKS = "import ctypes; ctypes.CDLL(None).getaddrinfo(b'example.org', b'80', None, ctypes.byref(ctypes.c_void_p()))"
SENDS = "import ctypes, socket; ctypes.CDLL(None).socket(socket.AF_INET, socket.SOCK_DGRAM, 0)"
SENDS_6 = "import socket\ntry: socket.socket(socket.AF_INET6, socket.SOCK_STREAM)\nexcept OSError: pass"
CHILD_SENDS = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {SENDS!r}])"


@pytest.mark.parametrize("program", [PYTHON_ASKS, LIBRARY_ASKS, SENDS, SENDS_6, CHILD_SENDS])
def test_what_is_asked_or_sent_is_noticed(program: str, tmp_path: Path, repository: Path) -> None:
    """The tests above can fail. No rights are needed for it, so they are never skipped."""
    outcome = run_isolated([sys.executable, "-c", program], tmp_path, repository)
    assert any(line.startswith("socket AF_INET") for line in outcome.network)


NATIVE = "import ctypes, os; ctypes.CDLL(None).open({0!r}.encode(), os.O_WRONLY | os.O_CREAT, 0o600)"
CHANGES = {
    "openat": "open({0!r}, 'w')",
    "mkdir": "import os; os.mkdir({0!r})",
    "rename": "import os; open('a', 'w'); os.rename('a', {0!r})",
    "link": "import os; open('a', 'w'); os.link('a', {0!r})",
    "symlink": "import os; os.symlink('a', {0!r})",
}


@pytest.mark.parametrize("call", [*CHANGES, "native"])
def test_a_file_elsewhere_is_noticed(call: str, tmp_path: Path, repository: Path) -> None:
    elsewhere = str(tmp_path / "elsewhere")
    outcome = run_isolated([sys.executable, "-c", CHANGES.get(call, NATIVE).format(elsewhere)], tmp_path, repository)
    (line,) = outcome.strays
    assert line.startswith("open" if call == "native" else call) and line.endswith(f" {elsewhere}")


def test_what_stays_behind_is_noticed(tmp_path: Path, repository: Path) -> None:
    program = "import os, time; open(os.environ['TMPDIR'] + '/left', 'w'); os.fork() or (os.closerange(0, 3), time.sleep(30))"
    outcome = run_isolated([sys.executable, "-c", program], tmp_path, repository)
    assert outcome.strays == ["alive: a process that it started", str(tmp_path / "temporary" / "left")]
