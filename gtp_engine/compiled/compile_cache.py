"""The compile cache of a kernel, which tolerates damaged files and full disks.

numba reads its files without a check: if a byte is missing, the kernel can never be loaded; if a byte is wrong, the process may crash in
machine code. Here every file ends with a digest of its content, and a file that doesn't match is compiled again.

numba finds the files of a kernel by the path of its source, and considers them old if the time of the source has changed. Our kernels are
found by the name of their module, and are old if the digest of all our sources has changed. So all installations of the same sources share
them.
"""

import functools
import hashlib
import io
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numba import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator

DIGEST_BYTES = hashlib.sha256().digest_size
LOADING_ROOM = 32_000_000  # bytes that loading a kernel may take: several times those of the largest
COMPILING_ROOM = 192_000_000  # bytes that compiling one may take


COMPILING = "compiling, once for this version; it takes half a minute to a minute"


class Damaged(Exception):
    """A damaged file of the cache."""


class CheckedFiles(IndexDataCacheFile):  # type: ignore[misc]  # numba has no types
    """The index and the machine code of one kernel, each followed by its digest, which pickle ignores."""

    def _dump(self, obj: Any) -> bytes:
        """Like numba's, with the digest."""
        content: bytes = super()._dump(obj)
        return content + hashlib.sha256(content).digest()

    def _load_index(self) -> Any:
        """Like numba's; raises Damaged. The index begins with numba's version, which has no digest."""
        path = Path(self._index_path)
        if path.exists():
            stream = io.BytesIO(path.read_bytes())
            pickle.load(stream)
            check(stream.read())
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        """Like numba's; raises Damaged."""
        check(Path(self._data_path(name)).read_bytes())
        return super()._load_data(name)


def check(data: bytes) -> None:
    """Raise Damaged unless `data` ends with the digest of all before it."""
    if hashlib.sha256(data[:-DIGEST_BYTES]).digest() != data[-DIGEST_BYTES:]:
        raise Damaged


class ModuleLocator(_CacheLocator):  # type: ignore[misc]  # numba has no types
    """Where a kernel of ours is kept, and the stamp that shows whether it is up to date."""

    stamp: ClassVar[str] = ""  # a digest of our sources; jit sets it

    def __init__(self, function: Any) -> None:
        self._folder = Path(config.CACHE_DIR) / function.__module__
        self._line = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        """The folder of its module."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """The stamp, which must not have changed."""
        return self.stamp

    def get_disambiguator(self) -> str:
        """What distinguishes functions of the same name in one module."""
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "ModuleLocator | None":
        """A locator for functions of our package; numba's own locators serve all others."""
        return cls(py_func) if py_func.__module__.partition(".")[0] == __name__.partition(".")[0] else None


class ModuleCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]  # numba has no types
    """Like numba's, with our locator first."""

    _locator_classes: ClassVar[list[Any]] = [ModuleLocator, *CompileResultCacheImpl._locator_classes]


class CheckedCache(FunctionCache):  # type: ignore[misc]  # numba has no types
    """Replaces numba's cache: damaged files and a full disk raise nothing. Says when it must compile."""

    _impl_class = ModuleCacheImpl
    is_incomplete: ClassVar[bool] = False  # True once a kernel of this process could not be kept
    compiled: ClassVar[int] = 0  # kernels that were not in the cache
    on_compiling: ClassVar[Callable[[], None]] = staticmethod(lambda: None)  # called before each is compiled

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file: Any = CheckedFiles(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The compiled kernel, or None if it must be compiled. Deletes damaged files.

        Raises MemoryError if the system has too little memory for either, because LLVM would end the process.
        """
        ask_for_room(LOADING_ROOM)
        kernel = self._load_sound(signature, context)
        if kernel is None:
            ask_for_room(COMPILING_ROOM)
            CheckedCache.compiled += 1
            CheckedCache.on_compiling()
        return kernel

    def _load_sound(self, signature: Any, context: Any) -> Any:
        """The compiled kernel; None if there is none or it is damaged, which deletes it."""
        try:
            return super().load_overload(signature, context)
        except MemoryError:
            raise
        except Exception:  # unpickling damaged bytes raises anything
            tell(f"the compile cache {Path(self._cache_path).parent} is damaged; compiling anew what is")
            self._throw_away()
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep a compiled kernel if the disk has space."""
        try:
            super().save_overload(signature, data)
        except (OSError, Damaged) as error:
            CheckedCache.is_incomplete = True
            reason = getattr(error, "strerror", None) or "its index is damaged"
            tell(f"compiled code cannot be kept in {Path(self._cache_path).parent}: {reason}; the next start compiles it again")
            self._throw_away()

    def _throw_away(self) -> None:
        """Delete the index: without it the machine code is ignored and later overwritten."""
        try:
            Path(self._cache_file._index_path).unlink(missing_ok=True)
        except OSError:
            self.disable()


def say_compiling() -> None:
    """Say it, once in this process."""
    tell(COMPILING)


def ask_for_room(size: int) -> None:
    """Raise MemoryError unless the system gives `size` bytes, which are freed again."""
    np.empty(size, np.uint8)


@functools.cache
def tell(text: str) -> None:
    """Say this on stderr, once in this process."""
    print(f"gtp_engine: {text}", file=sys.stderr, flush=True)
