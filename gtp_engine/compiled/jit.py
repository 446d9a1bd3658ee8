"""The two decorators of compiled code, and the compile cache named by a digest of our sources.

numba looks only at the file of the function it loads from its cache: a change in an imported kernel or constant would go unseen and
stale machine code would run. So the cache lives in a folder named by a digest of every source that kernels come from, and numba's version.
Folders of other digests are deleted when they are old: none that a living process uses, none of the last day, and not the last few, so that
switching between checkouts does not compile each time.

Set NUMBA_CACHE_DIR to choose the folder yourself (nothing is then named or deleted by us).
"""

import atexit
import contextlib
import hashlib
import os
import re
import shutil
import string
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numba
import platformdirs

from gtp_engine.base.files import delete_unless_held, hold_folder
from gtp_engine.base.systems import lock_at_once, wait_for_lock
from gtp_engine.compiled.compile_cache import CheckedCache, ModuleLocator, say_compiling
from gtp_engine.compiled.inner_code import INNER_NAMES, defer_inner_functions

LAST_RESORT = "gtp_engine-once-"  # how the name of a folder begins that goes with its process
KEPT_DIGESTS = 3  # folders to keep however old they are
KEPT_SECONDS = 86_400  # since the last use of a folder to keep: a bot on a server has no process between two games
DIGEST_LENGTH = 16  # hex digits in their names
NEEDED_SPACE = 64_000_000  # bytes that must be free: all kernels take 15 MB
COMPILES = (b"gtp_engine.compiled.jit import entry", b"gtp_engine.compiled.jit import inner")  # in a source: this module has kernels
IMPORT, WORD = re.compile(rb"^ *from (gtp_engine[\w.]*) import (\([^)]*\)|.*)", re.MULTILINE), re.compile(rb"\w+")
LOCK = "lock"  # a file in the folder, locked by who compiles
IN_USE = "in-use"  # a file in the folder, locked together by all processes that use it
COMPLETE = "complete-"  # and a part of the kernels: name of the empty file that says that they are in the folder


def source_digest() -> str:
    """A name for the kernels' sources, numba and the Python version as they are now: 16 hex digits."""
    digest = hashlib.sha256(f"numba {numba.__version__} python {sys.version_info[:2]}".encode())
    for name, source in sorted(kernel_sources(Path(__file__).parents[1]).items()):
        digest.update(name.encode())
        digest.update(source)
    return digest.hexdigest()[:DIGEST_LENGTH]


def kernel_sources(package: Path) -> dict[str, bytes]:
    """{module: source} of every module with kernels, and of all modules that these import: compiled code is made of them."""
    sources = {module_name(path, package): path.read_bytes() for path in package.rglob("*.py")}
    waiting = [name for name, source in sources.items() if any(words in source for words in COMPILES)]
    found: dict[str, bytes] = {}
    while waiting:
        name = waiting.pop()
        if name in sources and name not in found:
            found[name] = sources[name]
            for module, names in IMPORT.findall(sources[name]):
                waiting += [module.decode(), *(f"{module.decode()}.{word.decode()}" for word in WORD.findall(names))]
    return found


def module_name(path: Path, package: Path) -> str:
    """`gtp_engine.go.game` for its file; a package goes by its own name."""
    return ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")


def choose_cache_folder(digest: str = "") -> Path:
    """The folder for the compiled code of the sources with this digest (default: of those that are there now), made if missing.

    No other process deletes it while this one lives. It is a temporary one when the user's cache can't be written or is full; where that
    can't be used either, one that goes with the process.
    """
    name = digest or source_digest()
    for parent in (
        Path(platformdirs.user_cache_dir("gtp_engine", appauthor=False)),
        Path(tempfile.gettempdir()) / f"gtp_engine-{user_id()}",
    ):
        folder = parent / name
        try:
            parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not belongs_to_us(parent):
                continue
            hold_folder(folder, IN_USE)  # for good: the descriptor is never closed
            os.utime(folder)
        except OSError:
            continue
        if os.access(folder, os.W_OK) and has_room(folder):
            delete_old_digests(parent, folder)
            return folder
    atexit.register(remove_last_resort)
    return Path(tempfile.mkdtemp(prefix=LAST_RESORT))


def remove_last_resort() -> None:
    """Delete the folder of compiled code if it is one that goes with the process. Who ends that by os._exit calls this before."""
    if cache_folder().name.startswith(LAST_RESORT):
        shutil.rmtree(cache_folder(), ignore_errors=True)


def has_room(folder: Path) -> bool:
    """Does the disk take what is compiled, or hold it already?"""
    is_compiled = any(folder.glob(COMPLETE + "*"))
    return is_compiled or shutil.disk_usage(folder).free >= NEEDED_SPACE


def belongs_to_us(folder: Path) -> bool:
    """Is nobody else able to put code into `folder`? The cache holds pickles: whoever writes there decides what we run."""
    if not hasattr(os, "getuid"):
        return True  # Windows: its temporary folder is the user's own
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def user_id() -> str:
    """Something that tells users of one machine apart in a shared temporary folder."""
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


def delete_old_digests(parent: Path, current: Path) -> None:
    """Keep `current`, the most recently used others, those used within KEPT_SECONDS, and those in use.

    What else lies in the cache (training unpacks records there) stays.
    """
    others = [folder for folder in parent.iterdir() if is_digest(folder.name) and folder != current]
    others.sort(key=modification_time, reverse=True)
    for folder in others[KEPT_DIGESTS - 1 :]:
        if time.time() - modification_time(folder) > KEPT_SECONDS:
            delete_unless_held(folder, IN_USE)


def is_digest(name: str) -> bool:
    """Could source_digest have made this name?"""
    return len(name) == DIGEST_LENGTH and set(name) <= set(string.hexdigits)


def modification_time(path: Path) -> float:
    """When `path` was last changed; 0 when it has gone meanwhile."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def cache_folder() -> Path:
    """Where compiled code is kept in this process."""
    return Path(numba.config.CACHE_DIR)


@contextlib.contextmanager
def compiling_alone(say_waiting: Callable[[], None]) -> Iterator[None]:
    """Compile as the only process that does so for this cache folder. `say_waiting` is called before waiting for another one.

    The lock is the system's and goes with its process, however that ends. Where there are no such locks nobody waits.
    """
    descriptor = open_lock()
    if descriptor is None:
        yield
        return
    try:
        if not lock_at_once(descriptor):
            say_waiting()
            wait_for_lock(descriptor)
        yield
    finally:
        os.close(descriptor)


def open_lock() -> int | None:
    """The open file to lock; None in a folder that can't be written, where nothing is shared."""
    try:
        return os.open(cache_folder() / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None


def cache_is_cold(part: str) -> bool:
    """Must the kernels of this part be compiled, because those of this source never were before?"""
    return not numba.config.DISABLE_JIT and not (cache_folder() / (COMPLETE + part)).exists()


def kernels_compiled() -> int:
    """How many kernels this process has found in no cache."""
    return CheckedCache.compiled


def tell_when_compiling() -> None:
    """Say on stderr, once in this process, that a kernel must be compiled, when one must."""
    CheckedCache.on_compiling = say_compiling


@contextlib.contextmanager
def when_compiling(tell: Callable[[], None]) -> Iterator[None]:
    """Within the block `tell` is called before each kernel that must be compiled."""
    before = CheckedCache.on_compiling
    CheckedCache.on_compiling = tell
    try:
        yield
    finally:
        CheckedCache.on_compiling = before


def mark_cache_complete(part: str) -> None:
    """Remember that every kernel of this part has been compiled; a folder that can't be written merely stays cold."""
    if CheckedCache.is_incomplete:
        return
    try:
        (cache_folder() / (COMPLETE + part)).touch()
    except OSError as error:
        print(f"gtp_engine: cannot write to the cache folder {cache_folder()}: {error}", file=sys.stderr)


ModuleLocator.stamp = source_digest()
if not os.environ.get("NUMBA_CACHE_DIR"):
    numba.config.CACHE_DIR = str(choose_cache_folder(ModuleLocator.stamp))  # before the first decorator below is used

defer_inner_functions()

_entry = numba.njit(cache=True, nogil=True, error_model="numpy")
_inner = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, error_model="numpy")


def entry(function):
    """Called from Python, with arrays and plain numbers. Compiled once for each version: kept in the cache."""
    compiled = _entry(function)
    if compiled is not function:  # which it is where NUMBA_DISABLE_JIT is set
        compiled._cache = CheckedCache(function)
    return compiled


def inner(function):
    """Called by other compiled functions only: without wrappers for Python, and without machine code of its own."""
    INNER_NAMES.add(function.__qualname__)
    return _inner(function)
