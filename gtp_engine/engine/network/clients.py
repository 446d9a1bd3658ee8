"""Networks that came with other programs, KaTrain, KataGo, Sabaki and Lizzie, in the default folders of these."""

import contextlib
import importlib.util
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from gtp_engine.base.files import read_file
from gtp_engine.engine.network.folder import MODELS, networks_in, user_folder

# Below the home. KaTrain downloads to `.katrain`, KataGo to `.katago`.
HOME_FOLDERS = (".katrain", ".katrain/katago_contribute/kata1/models", ".katago")
SHARED_FOLDERS = ("/opt/homebrew/share/katago", "/usr/local/share/katago", "/usr/share/katago", "/home/linuxbrew/.linuxbrew/share/katago")
LIZZIE_FOLDERS = ("Lizzie", "lizzie", "LizzieYzy", "lizzieyzy", "Applications/Lizzie")  # people unpack it where they like
IN_LIZZIE = (".", "weights", "katago", "katago_nets")
SETTINGS = (".config/Sabaki/settings.json", "Library/Application Support/Sabaki/settings.json")  # Sabaki's: its engines' command lines
LARGEST_SETTINGS = 10_000_000  # bytes
NAMED = re.compile(r"""(?:[A-Za-z]:)?[/\\~][^"'\s]*?\.(?:bin|txt)\.gz""")  # the path of a network in a command line


def known_networks() -> list[Path]:
    """All networks on this machine: those in the user's folder, of other programs, and the included ones. Raises OSError."""
    own = networks_in(user_folder()) if user_folder().is_dir() else []
    return [*own, *client_networks(), *networks_in(MODELS)]


def client_networks() -> list[Path]:
    """The files, each once, in the order of the programs above. Unreadable ones are left out."""
    networks: dict[Path, Path] = {}
    for folder in client_folders():
        with contextlib.suppress(OSError):
            for path in networks_in(folder):
                networks.setdefault(path.resolve(), path)
    for path in named_in_settings():
        with contextlib.suppress(OSError):
            if path.is_file():
                networks.setdefault(path.resolve(), path)
    return list(networks.values())


def client_folders() -> Iterator[Path]:
    """The folders where those programs keep networks. They may not exist."""
    with contextlib.suppress(ImportError, ValueError):
        package = importlib.util.find_spec("katrain")  # in the same Python environment
        for place in (package.submodule_search_locations or []) if package else []:
            yield Path(place) / "models"
    home = Path.home()
    yield from (home / name for name in HOME_FOLDERS)
    program = shutil.which("katago")
    if program:
        yield Path(os.path.realpath(program)).parent
    yield from map(Path, SHARED_FOLDERS)
    yield from (home / name / inside for name in LIZZIE_FOLDERS for inside in IN_LIZZIE)


def named_in_settings() -> Iterator[Path]:
    """The networks in the command lines of Sabaki's engines."""
    for name in SETTINGS:
        with contextlib.suppress(OSError):
            text = read_file(Path.home() / name, LARGEST_SETTINGS).decode("utf-8", "replace")
            for match in NAMED.finditer(text.replace("\\\\", "\\")):
                yield Path(match[0]).expanduser()
