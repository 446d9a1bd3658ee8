"""Downloads a file into a folder: an interrupted download continues, and the file gets its name only when it is complete.

Proxies are those of the environment (HTTPS_PROXY and its like), as for every program that uses urllib.
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
LARGEST = 2_000_000_000  # bytes; the largest network has a sixth of that
TAG_SUFFIX = ".tag"  # of the file beside an unfinished one: which version of the server's file it is
PARTIAL, NOT_THERE = 206, 416  # HTTP's

Progress = Callable[[int, int | None], None]  # bytes that are there, bytes in all if they are known


def fetch(url: str, unfinished: Path, progress: Progress) -> None:
    """Bring all of the file at `url` into `unfinished`, which may hold its beginning. Raises GetError, and leaves what has come so far."""
    try:
        fetch_rest(url, unfinished, progress)
    except urllib.error.HTTPError as error:
        raise GetError(f"the server answers {error.code} {error.reason} to {url}") from error
    except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
        reason = getattr(error, "reason", None) or error or type(error).__name__
        raise GetError(f"{url}: {reason}; the same command continues the download") from error
    except OSError as error:
        raise GetError(f"{unfinished}: {error.strerror}") from error
    except ValueError as error:  # no address at all
        raise GetError(f"{url[:200]}: this is not a URL") from error


def fetch_rest(url: str, unfinished: Path, progress: Progress) -> None:
    """What is missing, or all of it where the server's file is another one by now. Raises what can go wrong."""
    tag_file = unfinished.with_name(unfinished.name + TAG_SUFFIX)
    there = unfinished.stat().st_size if unfinished.exists() and tag_file.exists() else 0
    with contextlib.closing(opened(url, there, tag_file)) as answer:
        if answer.status != PARTIAL:
            there = 0
        tag_file.write_text(answer.headers.get("ETag") or answer.headers.get("Last-Modified") or "", encoding="utf-8")
        length = answer.headers.get("Content-Length", "")
        total = there + int(length) if length.isdecimal() else None
        with open(unfinished, "ab" if there else "wb") as file:
            while chunk := answer.read(CHUNK):
                file.write(chunk)
                there += len(chunk)
                if there > LARGEST:
                    raise GetError(f"{url} is larger than {LARGEST // 1_000_000} MB, too large for a network")
                progress(there, total)
            os.fsync(file.fileno())
        if total is not None and there < total:
            raise ConnectionError("the server closed the connection")
    tag_file.unlink()


def opened(url: str, there: int, tag_file: Path) -> http.client.HTTPResponse:
    """The server's answer: from byte `there` on if it still has the file of that tag, else from the start."""
    headers = {"User-Agent": "gtp_engine"}
    tag = tag_file.read_text(encoding="utf-8") if there else ""
    ranged = {"Range": f"bytes={there}-", "If-Range": tag} if tag else {}
    opener = urllib.request.build_opener()  # of its own, for the proxies that the environment names now
    try:
        answer: http.client.HTTPResponse = opener.open(urllib.request.Request(url, headers=headers | ranged), timeout=PATIENCE)
    except urllib.error.HTTPError as error:
        if error.code != NOT_THERE:
            raise
        answer = opener.open(urllib.request.Request(url, headers=headers), timeout=PATIENCE)
    return answer
