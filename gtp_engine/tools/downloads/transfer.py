"""Downloads a file into a folder: an interrupted download continues, and the file gets its name only when it is complete.

Proxies are those of the environment (HTTPS_PROXY and similar), as usual with urllib.
"""

import contextlib
import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from gtp_engine.tools.downloads.known import GetError

CHUNK = 1 << 18  # bytes
PATIENCE = 60.0  # seconds without a byte
LARGEST = 2_000_000_000  # bytes; the largest network has a sixth of this
TAG_SUFFIX = ".tag"  # of the file beside an unfinished one with the version of the server's file
PARTIAL, NOT_THERE = 206, 416  # HTTP's

Progress = Callable[[int, int | None], None]  # bytes so far, bytes in all if known


def fetch(url: str, unfinished: Path, progress: Progress) -> None:
    """Download the file at `url` to `unfinished`, which may have its beginning. Raises GetError, and keeps the part so far."""
    try:
        fetch_rest(url, unfinished, progress)
    except urllib.error.HTTPError as error:
        raise GetError(f"the server answers {error.code} {error.reason} to {url}") from error
    except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
        reason = getattr(error, "reason", None) or error or type(error).__name__
        raise GetError(f"{url}: {reason}; the same command continues the download") from error
    except OSError as error:
        raise GetError(f"{unfinished}: {error.strerror}") from error
    except ValueError as error:  # an invalid address
        raise GetError(f"{url[:200]}: this is not a URL") from error


def fetch_rest(url: str, unfinished: Path, progress: Progress) -> None:
    """Download the missing part, or all of it if the server's file has changed. Raises various errors."""
    tag_file = unfinished.with_name(unfinished.name + TAG_SUFFIX)
    present = unfinished.stat().st_size if unfinished.exists() and tag_file.exists() else 0
    with contextlib.closing(opened(url, present, tag_file)) as answer:
        if answer.status != PARTIAL:
            present = 0
        tag_file.write_text(answer.headers.get("ETag") or answer.headers.get("Last-Modified") or "", encoding="utf-8")
        length = answer.headers.get("Content-Length", "")
        total = present + int(length) if length.isdecimal() else None
        with open(unfinished, "ab" if present else "wb") as file:
            while chunk := answer.read(CHUNK):
                file.write(chunk)
                present += len(chunk)
                if present > LARGEST:
                    raise GetError(f"{url} is larger than {LARGEST // 1_000_000} MB, too large for a network")
                progress(present, total)
            os.fsync(file.fileno())
        if total is not None and present < total:
            raise ConnectionError("the server closed the connection")
    tag_file.unlink()


def opened(url: str, present: int, tag_file: Path) -> http.client.HTTPResponse:
    """The server's answer: from byte `present` on if it still has the file of that tag, otherwise from the start."""
    headers = {"User-Agent": "gtp_engine"}
    tag = tag_file.read_text(encoding="utf-8") if present else ""
    ranged = {"Range": f"bytes={present}-", "If-Range": tag} if tag else {}
    opener = urllib.request.build_opener()  # a new one, for the current proxies of the environment
    try:
        answer: http.client.HTTPResponse = opener.open(urllib.request.Request(url, headers=headers | ranged), timeout=PATIENCE)
    except urllib.error.HTTPError as error:
        if error.code != NOT_THERE:
            raise
        answer = opener.open(urllib.request.Request(url, headers=headers), timeout=PATIENCE)
    return answer
