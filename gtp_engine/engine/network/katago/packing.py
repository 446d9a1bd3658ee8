"""The gzip around KataGo's network files, with bounds on the unpacked size, since a small file can unpack to any size."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gtp_engine.base.files import read_file, read_start
from gtp_engine.engine.network.errors import NetworkFileError

LARGEST = 2_000_000_000  # bytes, unpacked
MOST_PACKING = 20  # largest ratio of sizes: weights hardly compress, as text to a third
USUAL_SIZE = 20_000_000  # unpacked bytes that are always allowed
HEADER_BYTES = 4096  # a network's header is shorter
PACKED_START = 2 * HEADER_BYTES  # bytes of the file that hold so many: incompressible data takes a little more room
GZIP = 31  # zlib's number for its form


def unpack(path: Path) -> bytes:
    """The unpacked content. Raises NetworkFileError, also for a file that isn't regular or unpacks to more than its size allows."""
    with packing_errors(path):
        packed = read_file(path, LARGEST)
        bound = min(LARGEST, max(USUAL_SIZE, MOST_PACKING * len(packed)))
        with gzip.open(io.BytesIO(packed)) as file:
            content = file.read(bound + 1)
    if len(content) > bound:
        raise NetworkFileError(f"{path}: expected a network of at most {bound:,} bytes, unpacked")
    return content


def unpack_start(path: Path) -> bytes:
    """The first HEADER_BYTES of the content, fewer if it ends before or is damaged. Raises NetworkFileError like unpack."""
    with packing_errors(path):
        return zlib.decompressobj(GZIP).decompress(read_start(path, PACKED_START), HEADER_BYTES)


@contextmanager
def packing_errors(path: Path) -> Iterator[None]:
    """Turn errors of reading and unpacking into NetworkFileError, one sentence."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise NetworkFileError(f"{path}: expected a network packed by gzip, but the file is damaged or truncated") from error
    except OSError as error:
        raise NetworkFileError(f"{path}: {error.strerror or error}; expected a network of KataGo") from error
