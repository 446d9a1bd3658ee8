"""Programs run with an empty home and, where the system lets a user have one, a network of their own; what they touch is noted."""

import functools
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from gtp_engine.jit import cache_folder

PATIENCE = 600.0  # seconds: kernels may have to be compiled
ISOLATION = Path(__file__).parent / "isolation"
NAMESPACE = ["unshare", "--user", "--map-root-user", "--net", sys.executable, str(ISOLATION / "network.py")]
NETWORK = "NETWORK "  # how a line on stderr begins that network.py wrote
NO_FILES = ("/dev/", "/proc/")


@dataclass(frozen=True)
class Outcome:
    """What a program did."""

    status: int
    output: str
    errors: str
    network: list[str]  # each question and packet
    strays: list[str]  # changes of files outside of the folders that are its own
    home: set[str]  # every file in the home afterwards


@functools.cache
def has_namespaces() -> bool:
    """May this user have a network of their own?"""
    try:
        return subprocess.run([*NAMESPACE, "true"], capture_output=True, timeout=PATIENCE).returncode == 0
    except FileNotFoundError:
        return False


def run_isolated(command: list[str], folder: Path, repository: Path, text: str = "") -> Outcome:
    """Run a program in `folder`/work with `text` as its input. The notes of tests/isolation/sitecustomize.py are taken in any case."""
    places = {name: folder / name for name in ("home", "temporary", "work")}
    for place in places.values():
        place.mkdir(exist_ok=True)
    notes = folder / "notes"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "GTP_ENGINE_", "ORT_"))} | {
        "HOME": str(places["home"]),
        "TMPDIR": str(places["temporary"]),
        "ISOLATION_NOTES": str(notes),
        "PYTHONPATH": os.pathsep.join([str(ISOLATION), str(repository)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": str(cache_folder()),
        "RES_OPTIONS": "timeout:1 attempts:1",
    }
    words = [*NAMESPACE, *command] if has_namespaces() else command
    process = subprocess.run(words, cwd=places["work"], env=environment, input=text, capture_output=True, text=True, timeout=PATIENCE)
    lines = notes.read_text(encoding="utf-8", errors="replace").splitlines() if notes.exists() else []
    notes.unlink(missing_ok=True)
    own = (*map(str, places.values()), str(cache_folder()), *NO_FILES)
    changes = [line for line in lines if not line.startswith("socket.")]
    return Outcome(
        process.returncode,
        process.stdout,
        "\n".join(line for line in process.stderr.splitlines() if not line.startswith(NETWORK)),
        [line for line in lines if line.startswith("socket.")] + [line for line in process.stderr.splitlines() if line.startswith(NETWORK)],
        [line for line in changes if not line.split(" ", 1)[1].startswith(own)] + sorted(map(str, places["temporary"].iterdir())),
        {str(path.relative_to(places["home"])) for path in places["home"].rglob("*") if path.is_file()},
    )
