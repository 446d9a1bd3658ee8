"""The first network of a run: the included one, one of the user's, or a new untrained one."""

from pathlib import Path

from gtp_engine.engine.network.errors import NetworkError, NetworkFileError
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.network.katago.file_names import is_converted, original_of
from gtp_engine.engine.network.katago.reader import read_header
from gtp_engine.engine.network.katago.writer import write_model
from gtp_engine.engine.network.loading import shipped_network
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.learning.selfplay import SelfplayError
from gtp_engine.learning.training.katago.new_model import Shape, new_model


def included_network(size: int) -> Path:
    """The included network for boards of `size` lines. Raises SelfplayError if there is none."""
    path = shipped_network(size)
    if path is None:
        raise SelfplayError("no network comes with this version: name one with --network FILE, or begin with --new SHAPE")
    return path


def check_network(path: Path) -> None:
    """Raise SelfplayError unless the network can play."""
    try:
        format_of(path).load(path, SearchParams(threads=1))
    except NetworkError as error:
        raise SelfplayError(str(error)) from error


def network_to_train(network: Path) -> Path:
    """The KataGo file, in the same folder, from which a converted network was made; other networks are returned unchanged.

    Raises SelfplayError if that file is missing.
    """
    original = original_of(network) if is_converted(network) else network
    if original is None:
        raise SelfplayError(f"the network that {network} was made from does not lie beside it: name it with --from")
    return original


def new_network(shape: Shape, seed: int, path: Path) -> None:
    """Write a network of this shape to `path`, unless it exists. The same seed gives the same weights.

    Raises SelfplayError if the existing file has another shape or isn't a network, OSError if `path` can't be written.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_model(path, new_model(shape, str(shape), seed))
        return
    try:
        actual = read_header(path).name
    except NetworkFileError as error:
        raise SelfplayError(str(error)) from error
    if actual != str(shape):
        raise SelfplayError(f"{path} is a network of {actual}, not {shape}: choose another folder")
