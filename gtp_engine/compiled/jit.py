"""The two decorators of compiled code, and the compile cache named by a digest of our sources.

numba checks only the file of the function that it loads from its cache: after a change in an imported kernel or constant, stale machine
code would run. So the cache is in a folder named by a digest of all sources of kernels and numba's version. Folders of other digests are
deleted when they are old: none that a living process uses, none of the last day, and not the last few, so that switching between checkouts
does not compile each time.

Set NUMBA_CACHE_DIR to choose the folder; then nothing is named or deleted here.
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

LAST_RESORT = "gtp_engine-once-"  # the beginning of the name of a folder that is deleted with its process
KEPT_DIGESTS = 3  # folders to keep regardless of their age
KEPT_SECONDS = 86_400  # how long an unused folder is kept: a bot on a server has no process between games
DIGEST_LENGTH = 16  # hex digits in their names
NEEDED_SPACE = 64_000_000  # free bytes that are required: all kernels take 15 MB
COMPILES = (b"gtp_engine.compiled.jit import entry", b"gtp_engine.compiled.jit import inner")  # text in the sources of modules with kernels
IMPORT, WORD = re.compile(rb"^ *from (gtp_engine[\w.]*) import (\([^)]*\)|.*)", re.MULTILINE), re.compile(rb"\w+")
LOCK = "lock"  # a file in the folder, locked by the process that compiles
IN_USE = "in-use"  # a file in the folder, with a shared lock of all processes that use the folder
COMPLETE = "complete-"  # followed by the name of a part of the kernels: an empty file that marks them as compiled


def source_digest() -> str:
    """A digest of the kernels' sources, numba's version and Python's version: 16 hex digits."""
    digest = hashlib.sha256(f"numba {numba.__version__} python {sys.version_info[:2]}".encode())
    for name, source in sorted(kernel_sources(Path(__file__).parents[1]).items()):
        digest.update(name.encode())
        digest.update(source)
    return digest.hexdigest()[:DIGEST_LENGTH]


def kernel_sources(package: Path) -> dict[str, bytes]:
    """{module: source} of every module with kernels and all modules that these import, from which compiled code is made."""
    sources = {module_name(path, package): path.read_bytes() for path in package.rglob("*.py")}
    waiting = [name for name, source in sources.items() if any(words in source for words in COMPILES)]
    reached: dict[str, bytes] = {}
    while waiting:
        name = waiting.pop()
        if name in sources and name not in reached:
            reached[name] = sources[name]
            for module, names in IMPORT.findall(sources[name]):
                waiting += [module.decode(), *(f"{module.decode()}.{word.decode()}" for word in WORD.findall(names))]
    return reached


def module_name(path: Path, package: Path) -> str:
    """The name of a module's file, such as `gtp_engine.go.game`; a package has its own name."""
    return ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")


def choose_cache_folder(digest: str = "") -> Path:
    """The folder for the compiled code of the sources with this digest, by default the current one. Created if missing.

    No other process deletes it while this one runs. If the user's cache can't be written or is full, it is a temporary folder; if that
    can't be used either, one that is deleted with the process.
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
            hold_folder(folder, IN_USE)  # the descriptor is never closed
            os.utime(folder)
        except OSError:
            continue
        if os.access(folder, os.W_OK) and has_room(folder):
            delete_old_digests(parent, folder)
            return folder
    atexit.register(remove_last_resort)
    return Path(tempfile.mkdtemp(prefix=LAST_RESORT))


def remove_last_resort() -> None:
    """Delete the folder of compiled code if it belongs to this process alone. Must be called before os._exit."""
    if cache_folder().name.startswith(LAST_RESORT):
        shutil.rmtree(cache_folder(), ignore_errors=True)


def has_room(folder: Path) -> bool:
    """True if the disk has space for the compiled code, or has it already."""
    is_compiled = any(folder.glob(COMPLETE + "*"))
    return is_compiled or shutil.disk_usage(folder).free >= NEEDED_SPACE


def belongs_to_us(folder: Path) -> bool:
    """True if nobody else can write to `folder`. The cache holds pickles, so anybody who can write there can run code as this user."""
    if not hasattr(os, "getuid"):
        return True  # Windows: the temporary folder is the user's own
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def user_id() -> str:
    """An id that distinguishes users of one machine in a shared temporary folder."""
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


def delete_old_digests(parent: Path, current: Path) -> None:
    """Delete folders of other digests, except the most recently used ones, those used within KEPT_SECONDS, and those in use.

    Other contents of the cache stay (training unpacks records there).
    """
    others = [folder for folder in parent.iterdir() if is_digest(folder.name) and folder != current]
    others.sort(key=modification_time, reverse=True)
    for folder in others[KEPT_DIGESTS - 1 :]:
        if time.time() - modification_time(folder) > KEPT_SECONDS:
            delete_unless_held(folder, IN_USE)


def is_digest(name: str) -> bool:
    """True if this name has the form of a digest."""
    return len(name) == DIGEST_LENGTH and set(name) <= set(string.hexdigits)


def modification_time(path: Path) -> float:
    """The time of the last change of `path`; 0 if it no longer exists."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def cache_folder() -> Path:
    """The folder of this process's compiled code."""
    return Path(numba.config.CACHE_DIR)


@contextlib.contextmanager
def compiling_alone(say_waiting: Callable[[], None]) -> Iterator[None]:
    """Within the block no other process compiles for this cache folder. `say_waiting` is called before waiting for another one.

    The lock is the system's and ends with its process in any case. Where there are no such locks, nobody waits.
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
    """The open file to lock; None in a folder that can't be written."""
    try:
        return os.open(cache_folder() / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None


def cache_is_cold(part: str) -> bool:
    """True if the kernels of this part were never compiled for these sources."""
    return not numba.config.DISABLE_JIT and not (cache_folder() / (COMPLETE + part)).exists()


def kernels_compiled() -> int:
    """The number of kernels that this process had to compile."""
    return CheckedCache.compiled


def tell_when_compiling() -> None:
    """From now on, say on stderr, once in this process, when a kernel must be compiled."""
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
    """Record that every kernel of this part is compiled; a folder that can't be written stays cold."""
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
    """Decorator for functions called from Python, with arrays and plain numbers. Compiled once for each version and kept in the cache."""
    compiled = _entry(function)
    if compiled is not function:  # the same with NUMBA_DISABLE_JIT
        compiled._cache = CheckedCache(function)
    return compiled


def inner(function):
    """Decorator for functions called only by compiled functions: without wrappers for Python and without their own machine code."""
    INNER_NAMES.add(function.__qualname__)
    return _inner(function)
