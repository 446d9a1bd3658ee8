"""What a new user waits for and what it takes: `python tests/tools/fresh_install.py PACKAGE` prints a line of JSON.

PACKAGE is a wheel, an sdist or the checkout. It is installed into a new environment, in a folder of its own with an empty cache, and
plays its first move. Ends with 1 when that fails, or when it waits for a compiler without a word. Standard library only, on every system.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

COMMANDS = "name\nboardsize 9\ngenmove black\nquit\n"
COMPILING = "gtp_engine: compiling"
MOST_SILENCE = 20.0  # seconds without a word after which a start counts as silent


def main(package: str) -> int:
    """Install, play twice, report."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        venv.create(folder / "env", with_pip=True)
        binaries = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        empty = size_of(folder)
        began = time.monotonic()
        subprocess.run([binaries / "python", "-m", "pip", "install", "--quiet", os.path.abspath(package)], check=True)
        installed = time.monotonic()
        megabytes = (size_of(folder) - empty) / 1e6
        first, first_words = first_move(binaries, folder)
        second, second_words = first_move(binaries, folder)
    report = {
        "install_s": round(installed - began, 1),
        "first_move_s": round(first, 1),
        "second_start_s": round(second, 1),
        "megabytes": round(megabytes),
        "python": sys.version.split()[0],
        "system": sys.platform,
    }
    print(json.dumps(report))
    if COMPILING not in first_words and first > MOST_SILENCE:
        print("the first start said nothing of what it was waiting for", file=sys.stderr)
        return 1
    if COMPILING in second_words:
        print("the second start says that it compiles", file=sys.stderr)
        return 1
    return 0


def size_of(folder: Path) -> int:
    """Bytes of all files below."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def first_move(binaries: Path, folder: Path) -> tuple[float, str]:
    """Seconds until a new process has played, and what it wrote on stderr. Raises RuntimeError for a wrong answer."""
    cache = str(folder / "cache")
    home = {"NUMBA_CACHE_DIR": cache, "XDG_CACHE_HOME": cache, "XDG_CONFIG_HOME": cache, "HOME": str(folder)}
    began = time.monotonic()
    command = [str(binaries / "gtp-engine"), "--playouts", "50"]
    process = subprocess.run(command, input=COMMANDS, capture_output=True, text=True, env=os.environ | home, cwd=folder)
    seconds = time.monotonic() - began
    answers = process.stdout.split("\n\n")
    if process.returncode or answers[0] != "= gtp_engine" or not answers[2].startswith("= "):
        raise RuntimeError(f"{process.stdout}{process.stderr}")
    return seconds, process.stderr


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
