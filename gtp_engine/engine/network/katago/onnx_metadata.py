"""The metadata of an ONNX file made from a KataGo network: all that is needed to play with it without the original file."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from gtp_engine.engine.network.errors import NetworkFileError
from gtp_engine.engine.network.katago.model import NEWEST, OLDEST, Header, Model, Scales

FORM, FORM_VERSION = "katago_form", "1"
MOST = 1_000_000  # blocks, or channels


@dataclass(frozen=True)
class Outline:
    """A network without its weights."""

    header: Header
    blocks: int
    channels: int


def metadata_of(model: Model) -> dict[str, str]:
    """The outline of a network, as strings."""
    header = model.header
    return {
        FORM: FORM_VERSION,
        "name": header.name,
        "version": str(header.version),
        "blocks": str(len(model.trunk.blocks)),
        "channels": str(model.trunk.conv.outputs),
        "has_metadata": str(int(header.has_metadata)),
        "safe_with_suicide": str(int(header.safe_with_suicide)),
        **{name: repr(float(value)) for name, value in asdict(header.scales).items()},
    }


def outline_of(path: Path, metadata: Mapping[str, str]) -> Outline:
    """The outline in a file's metadata. Raises NetworkFileError, also for other kinds of ONNX files."""
    if metadata.get(FORM) != FORM_VERSION:
        raise NetworkFileError(f"{path}: expected a network that `gtp-engine networks --convert` made, found another kind of ONNX file")
    try:
        scales = Scales(**{item.name: float(metadata[item.name]) for item in fields(Scales)})
        version, blocks, channels = (int(metadata[name]) for name in ("version", "blocks", "channels"))
        flags = [{"0": False, "1": True}[metadata[name]] for name in ("has_metadata", "safe_with_suicide")]
        name = metadata["name"]
    except (KeyError, ValueError) as error:
        raise NetworkFileError(f"{path}: the metadata of this network are damaged") from error
    if not (OLDEST <= version <= NEWEST and 0 < blocks <= MOST and 0 < channels <= MOST and all(map(is_usable, asdict(scales).values()))):
        raise NetworkFileError(f"{path}: the metadata of this network are damaged")
    return Outline(Header(name, version, scales, *flags), blocks, channels)


def is_usable(scale: float) -> bool:
    """True if this is a valid factor of an output."""
    return 0.0 < abs(scale) < 1e6  # False for NaN
