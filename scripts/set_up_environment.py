"""Makes or mends the checkout's private environment, .venv: `python set_up_environment.py run|test|dev|release|docs`.

Standard library only, and our module of it: it runs in whatever Python the machine has. Called by the scripts beside it when the stamp of
the environment differs from the checkout. Everything it prints goes to stderr. When it fails it exits with 1 and says why in one sentence;
the next start begins anew.

Installing takes one processor, and so do most steps of compiling. So what compiling needs is installed first, and the engine's kernels
are compiled in a process of their own while the rest is installed. That process is not waited for: the engine waits for it by a lock.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from gtp_engine.base import systems  # noqa: E402  # of the standard library only

VENV = ROOT / ".venv"
IS_WINDOWS = os.name == "nt"
PYTHON = VENV / ("Scripts/python.exe" if IS_WINDOWS else "bin/python")
# what an installation serves, besides itself
INCLUDED = {"run": ["run"], "test": ["run", "test"], "dev": ["run", "test", "dev"], "release": ["run", "release"], "docs": ["run", "docs"]}
FIRST, BESIDE = ("numpy", "numba"), ("platformdirs", "onnxruntime", "sgfmill")  # what compiling needs, installed side by side
OWN_NAME = "gtp-engine["  # how an extra names another one
COMPILE = "from gtp_engine.engine.player.compiling import compile_in_advance; compile_in_advance()"
INTERRUPTED = 130  # exit status after Ctrl-C, as shells have it


class SetUpError(Exception):
    """Why there is no environment: one sentence."""


def main() -> None:
    """Bring the environment up to date for the extra on the command line."""
    extra = sys.argv[1]
    with open(ROOT / ".venv.lock", "w") as lock:
        wait_for(lock.fileno())  # a second first start waits here, and then finds the work done
        if is_up_to_date(extra):
            return
        tell(f"setting up {VENV} ({extra}); this happens once and takes about half a minute")
        wanted = requirements(extra)
        if is_usable():
            point_to_checkout()
            finish(start_pip(wanted))
        else:
            make_environment(wanted)
        for served in INCLUDED[extra]:
            stamp_path(served).write_text(stamp())
        tell("set up")


def wait_for(lock: int) -> None:
    """Take the lock of the checkout, and say so when another start has it."""
    if not systems.lock_at_once(lock):
        tell("another start sets up the environment: waiting for it")
        systems.wait_for_lock(lock)


# ---------------------------------------------------------------- what there is


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
        return subprocess.run([PYTHON, "-m", "pip", "--version"], capture_output=True).returncode == 0
    except OSError:
        return False


# ---------------------------------------------------------------- what is wanted


def requirements(extra: str) -> list[str]:
    """What pyproject.toml asks for with `extra`, as pip takes it. Raises SetUpError."""
    try:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        return [*project["dependencies"], *(extra_requirements(project["optional-dependencies"], extra) if extra != "run" else [])]
    except (ValueError, KeyError) as error:
        raise SetUpError(f"pyproject.toml cannot be used: {error}") from error


def extra_requirements(extras: dict[str, list[str]], extra: str) -> list[str]:
    """The packages of an extra, and of those that it names."""
    found = []
    for requirement in extras[extra]:
        own = requirement.startswith(OWN_NAME)
        found += extra_requirements(extras, requirement.removeprefix(OWN_NAME).rstrip("]")) if own else [requirement]
    return found


def chosen(wanted: Iterable[str], names: Sequence[str]) -> list[str]:
    """The requirements of these packages."""
    return [requirement for requirement in wanted if re.split(r"[^\w-]", requirement)[0] in names]


# ---------------------------------------------------------------- the work


def make_environment(wanted: list[str]) -> None:
    """A new environment in place of whatever is there, with these packages. Raises SetUpError."""
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    elif VENV.exists():
        shutil.rmtree(VENV)
    wheel = bundled_pip()
    venv.create(VENV, with_pip=wheel is None)
    point_to_checkout()
    tell(f"installing {', '.join((*FIRST, *BESIDE))} (1 of 2)")
    first = start_pip(chosen(wanted, FIRST), wheel)
    try:
        finish(start_pip(["--no-deps", *chosen(wanted, BESIDE), *([str(wheel)] if wheel else [])], wheel))
        finish(first)
    except BaseException:
        first.kill()
        first.communicate()
        raise
    tell("installing the other packages (2 of 2), and compiling meanwhile")
    compiler = subprocess.Popen([PYTHON, "-P", "-c", COMPILE], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environment())
    try:
        finish(start_pip(wanted))  # also what those before depend on
    except BaseException:
        compiler.kill()
        raise


def bundled_pip() -> Path | None:
    """The wheel from which Python makes pip. To unpack it takes a third of the time that Python takes for it. None: it isn't to be found.

    Raises SetUpError when this Python has none at all.
    """
    found = importlib.util.find_spec("ensurepip")
    if found is None or found.origin is None:
        raise SetUpError("this Python has no pip for new environments; on Debian and Ubuntu the package python3-venv brings it")
    folders = [sysconfig.get_config_var("WHEEL_PKG_DIR"), Path(found.origin).parent / "_bundled"]
    return next((wheel for folder in folders if folder for wheel in sorted(Path(folder).glob("pip-*.whl"))), None)


def point_to_checkout() -> None:
    """Let the environment's Python find the checkout's package: what an editable installation does, without building anything."""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    usual = VENV / "Lib" / "site-packages" if IS_WINDOWS else VENV / "lib" / version / "site-packages"
    folder = next(VENV.glob("lib/python*/site-packages"), usual)
    (folder / "gtp_engine_checkout.pth").write_text(f"{ROOT}\n")


def start_pip(words: list[str], wheel: Path | None = None) -> "subprocess.Popen[str]":
    """Begin `pip install` with these words; `wheel`: pip itself, where it isn't installed yet.

    It is started by `-m` in any case: on Windows pip replaces pip only so. The packages' byte code is not made in advance: most of it is
    never used. Python keeps what it makes of the rest.
    """
    command = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-compile", *words]
    values = environment() | ({"PYTHONPATH": str(wheel)} if wheel else {})
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=values)


def environment() -> dict[str, str]:
    """Ours, but byte code is kept: this environment is only used by us."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def finish(pip: "subprocess.Popen[str]") -> None:
    """Wait for a pip. Raises SetUpError with its last complaint."""
    try:
        _, complaints = pip.communicate()
    except BaseException:
        pip.kill()
        raise
    if pip.returncode:
        errors = re.findall(r"^ERROR: (.*)", complaints, re.MULTILINE) or complaints.strip().splitlines() or ["it did not say why"]
        raise SetUpError(f"pip failed: {errors[-1]} (is there a network?)")


def tell(text: str) -> None:
    """A line for the person who waits."""
    print(f"gtp_engine: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main()
    except (OSError, SetUpError, subprocess.CalledProcessError) as error:
        tell(f"the environment could not be set up: {error}; the next start tries again")
        sys.exit(1)
    except KeyboardInterrupt:
        tell("interrupted while the environment was set up; the next start does it")
        sys.exit(INTERRUPTED)
