"""The folders of networks: the included ones, and the user's, where `--network NAME` finds them."""

from pathlib import Path

import platformdirs

from gtp_engine.base.files import expanded
from gtp_engine.engine.network.formats import FORMATS

MODELS = Path(__file__).parent / "models"  # the included networks


def user_folder() -> Path:
    """The folder of the user's networks. It may not exist; only `gtp-engine networks get` creates it and writes to it."""
    return Path(platformdirs.user_data_dir("gtp_engine", appauthor=False)) / "networks"


def networks_in(folder: Path) -> list[Path]:
    """The network files in a folder, sorted by name, without hidden ones. Raises OSError if the folder can't be read."""
    files = (path for path in folder.iterdir() if not path.name.startswith(".") and path.is_file())
    return sorted(path for path in files if any(form.recognizes(path) for form in FORMATS))


def named_network(name: str) -> Path:
    """The file that a setting names. A name without a folder is also searched in the user's folder. Raises OSError."""
    path = expanded(name)
    if not path.exists() and path.name == name and (user_folder() / name).is_file():
        return user_folder() / name
    return path
