"""A network that has learned nothing, for a run that begins anew."""

from pathlib import Path

from gtp_engine.engine.network.katago.reader import read_header
from gtp_engine.engine.network.katago.writer import write_model
from gtp_engine.engine.network.model_file import NetworkFileError
from gtp_engine.learning.selfplay import SelfplayError
from gtp_engine.learning.training.katago.new_model import Shape, new_model


def new_network(shape: Shape, seed: int, path: Path) -> None:
    """Write one of this shape to `path`; the same seed gives the same weights. One that is there already stays.

    Raises SelfplayError when that is of another shape, or something else, OSError when `path` can't be written.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_model(path, new_model(shape, str(shape), seed))
        return
    try:
        found = read_header(path).name
    except NetworkFileError as error:
        raise SelfplayError(str(error)) from error
    if found != str(shape):
        raise SelfplayError(f"{path} is a network of {found}, not {shape}: choose another folder")
