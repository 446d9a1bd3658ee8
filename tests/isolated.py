"""Programs run with an empty home; every file that they change and every socket that they want is noted, see isolation/watch.py."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from gtp_engine.compiled.jit import cache_folder

PATIENCE = 600.0  # seconds: kernels may have to be compiled
WATCH = Path(__file__).parent / "isolation" / "watch.py"
UNWATCHED = 125  # its exit status when the kernel doesn't let us
NETWORK = "socket "
NO_FILES = ("/dev/", "/proc/")
SETTINGS = ("XDG_", "GTP_ENGINE_", "ORT_", "NUMBA_", "TORCH")  # torch writes its cache's place into the environment of the tests


@dataclass(frozen=True)
class Outcome:
    """What a program did."""

    status: int
    output: str
    errors: str
    network: list[str]  # each socket of the internet that it wanted, each service of this machine that it asked
    strays: list[str]  # changes of files outside of the folders that are its own, and processes that it left
    home: set[str]  # every file in the home afterwards


def run_isolated(command: list[str], folder: Path, repository: Path, text: str = "", cold: bool = False) -> Outcome:
    """Run a program in `folder`/work with `text` as its input. `cold`: nothing is compiled yet."""
    places = {name: folder / name for name in ("home", "temporary", "work")}
    for place in places.values():
        place.mkdir(exist_ok=True)
    notes = folder / "notes"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(SETTINGS)} | {
        "HOME": str(places["home"]),
        "TMPDIR": str(places["temporary"]),
        "PYTHONPATH": str(repository),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    own = (*map(str, places.values()), *NO_FILES)
    if not cold:
        environment["NUMBA_CACHE_DIR"] = str(cache_folder())
        own += (str(cache_folder()),)
    words = [sys.executable, "-I", str(WATCH), str(notes), *command]
    process = subprocess.run(words, cwd=places["work"], env=environment, input=text, capture_output=True, text=True, timeout=PATIENCE)
    assert process.returncode != UNWATCHED, f"this system can't be watched; it needs Linux 5.5 with seccomp: {process.stderr}"
    lines = notes.read_text(encoding="utf-8", errors="replace").splitlines()
    notes.unlink()
    network = [line for line in lines if line.startswith(NETWORK)]
    changes = [line for line in lines if not line.startswith(NETWORK) and not line.split(" ", 1)[1].startswith(own)]
    return Outcome(
        process.returncode,
        process.stdout,
        process.stderr,
        network,
        changes + sorted(map(str, places["temporary"].iterdir())),
        {str(path.relative_to(places["home"])) for path in places["home"].rglob("*") if path.is_file()},
    )
