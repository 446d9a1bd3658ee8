"""KataGo's files as ONNX, converted once and kept in the cache folder under a digest of the file."""

import hashlib
import sys
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from gtp_engine.base.files import read_file, write_file
from gtp_engine.engine.network.errors import NetworkFileError
from gtp_engine.engine.network.katago.calibration import observe
from gtp_engine.engine.network.katago.graph import build, build_watched
from gtp_engine.engine.network.katago.model import Header
from gtp_engine.engine.network.katago.onnx_metadata import Outline, metadata_of, outline_of
from gtp_engine.engine.network.katago.packing import LARGEST
from gtp_engine.engine.network.katago.reader import read_header, read_model
from gtp_engine.engine.network.onnx_check import check_onnx

CONVERSION = "8"  # change this with graph.py, so that files from older conversions aren't used
CHECK_BYTES = 4  # the CRC-32 at the end of a kept file
KEPT = 6  # converted files in the cache; the least recently used ones are deleted


@dataclass(frozen=True)
class Converted:
    """A network of KataGo as ONNX."""

    header: Header
    content: bytes  # of the ONNX file


def cache_folder() -> Path:
    """Where converted networks are kept."""
    return Path(platformdirs.user_cache_dir("gtp_engine", appauthor=False)) / "networks"


def convert(path: Path, in_int8: bool = False) -> Converted:
    """The converted network of `path`, from the cache if possible. Raises NetworkFileError, one sentence.

    in_int8 -- its blocks compute in int8; the first time, some games are played to find the ranges of values
    """
    header = read_header(path)
    stored = cache_folder() / f"{digest_of(path)}{'-int8' if in_int8 else ''}.onnx"
    content = recall(stored)
    if content is not None:
        return Converted(header, content)
    content = convert_now(path, in_int8)
    keep(stored, content)
    return Converted(header, content)


def convert_now(path: Path, in_int8: bool) -> bytes:
    """The network in `path` as an ONNX file, see convert. Raises NetworkFileError."""
    model = read_model(path)
    metadata = metadata_of(model)
    if not in_int8:
        return build(model).file(metadata)
    print(
        f"gtp_engine: {path.name} plays a few moves to measure the ranges of its activations for int8; this is done once", file=sys.stderr
    )
    return build(model, observe(build_watched(model).file(metadata), model.header)).file(metadata)


def read_converted(path: Path) -> tuple[Outline, bytes]:
    """The outline and the content of an ONNX file that convert_now made. Raises NetworkFileError."""
    try:
        content = read_file(path, LARGEST)
    except OSError as error:
        raise NetworkFileError(f"{path}: {error.strerror}; expected a network in ONNX form") from error
    return outline_of(path, check_onnx(path, content)), content


def digest_of(path: Path) -> str:
    """A digest of the file's content and the way of converting it."""
    try:
        packed = read_file(path, LARGEST)
    except OSError as error:
        raise NetworkFileError(f"{path}: {error.strerror}; expected a network of KataGo") from error
    return hashlib.sha256(CONVERSION.encode() + packed).hexdigest()[:32]


def check_of(content: bytes) -> bytes:
    """The checksum of the content."""
    return zlib.crc32(content).to_bytes(CHECK_BYTES, "little")


def recall(path: Path) -> bytes | None:
    """The kept content; None if there is none or the file is damaged."""
    try:
        data = read_file(path, LARGEST)
    except OSError:
        return None
    with suppress(OSError):
        path.touch()  # marks it as used
    content = data[:-CHECK_BYTES]
    return content if data[-CHECK_BYTES:] == check_of(content) else None


def keep(path: Path, content: bytes) -> None:
    """Put a converted network into the cache. If that fails, it is converted again next time."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_file(path, content + check_of(content))
        others = sorted(path.parent.glob("*.onnx"), key=lambda other: other.stat().st_mtime)
        for other in others[:-KEPT]:
            other.unlink(missing_ok=True)
    except OSError as error:
        print(f"gtp_engine: cannot keep the converted network in {path.parent}: {error.strerror}", file=sys.stderr)
