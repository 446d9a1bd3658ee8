"""Makes or mends the checkout's private environment, .venv: `python set_up_environment.py run|test|dev`.

Standard library only: it runs in whatever Python the machine has. Called by the shell scripts beside it when the stamp of the
environment differs from the checkout. Everything it prints goes to stderr; it exits with 1 and the reason when it fails.
"""

import fcntl
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
INCLUDED = {"run": ["run"], "test": ["run", "test"], "dev": ["run", "test", "dev"]}  # what an installation serves, besides itself


def main() -> None:
    """Bring the environment up to date for the extra on the command line."""
    extra = sys.argv[1]
    with open(ROOT / ".venv.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # a second first start waits here, and then finds the work done
        if is_up_to_date(extra):
            return
        tell(f"setting up {VENV} ({extra}); this happens once and takes about a minute")
        if not is_usable():
            make_environment()
        install(extra)
        for served in INCLUDED[extra]:
            stamp_path(served).write_text(stamp())
        tell("done")


def stamp() -> str:
    """What the environment depends on: it can't be moved, and pyproject.toml says what is in it."""
    return f"{ROOT}\n{(ROOT / 'pyproject.toml').read_text()}"


def stamp_path(extra: str) -> Path:
    """Where the stamp for `extra` lies."""
    return VENV / f"stamp-{extra}"


def is_up_to_date(extra: str) -> bool:
    """Was the environment finished for `extra` with this pyproject.toml, and does its Python start?"""
    path = stamp_path(extra)
    return path.exists() and path.read_text() == stamp() and is_usable()


def is_usable() -> bool:
    """Is there an environment of this checkout that was finished once, whose Python and pip start? Its packages may be old."""
    stamps = [path.read_text() for path in VENV.glob("stamp-*")]
    if not stamps or not stamps[0].startswith(f"{ROOT}\n"):
        return False
    try:
        return subprocess.run([VENV / "bin" / "python", "-m", "pip", "--version"], capture_output=True).returncode == 0
    except OSError:
        return False


def make_environment() -> None:
    """An empty environment in place of whatever is there."""
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    elif VENV.exists():
        shutil.rmtree(VENV)
    venv.create(VENV, with_pip=True)


def install(extra: str) -> None:
    """Install the checkout itself, editable, with the extra's packages. Raises CalledProcessError, pip having said why."""
    target = str(ROOT) if extra == "run" else f"{ROOT}[{extra}]"
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--editable", target], check=True, stdout=sys.stderr)


def tell(text: str) -> None:
    """A line for the person who waits."""
    print(f"gtp_engine: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main()
    except (OSError, subprocess.CalledProcessError) as error:
        tell(f"the environment could not be set up: {error}")
        sys.exit(1)
