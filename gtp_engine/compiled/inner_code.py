"""Compiles inner functions to machine code only inside the entries that call them.

numba makes machine code of every function separately, with all functions that it calls, and again for each caller: two thirds of the
compile time are spent on code that is never run. Here an inner function stays in LLVM's own form until an entry is finished. Then
everything that the entry reaches is linked and optimized once. The machine code is equally fast.

This replaces the class of numba's code libraries (numba/core/codegen.py, the same since numba 0.57), for the functions named in
INNER_NAMES only. With a numba whose classes are different, `defer_inner_functions` changes nothing.
"""

from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen

INNER_NAMES: set[str] = set()  # qualified names of our functions that only compiled code calls
WRAPPERS = ("_ZN7cpython", "cfunc.")  # the beginning of the names of functions through which Python or C calls compiled code
NEEDED = (
    "_unserialize",
    "add_ir_module",
    "add_linking_library",
    "_get_module_for_linking",
    "_ensure_finalized",
    "finalize",
    "get_pointer_to_function",
)
plain_set_env: Any = getattr(codegen.JITCPUCodegen, "set_env", None)


class DeferringLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """The code of one function. That of an inner function is never finished by itself, but linked into its callers."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._is_called_from_outside = self.name not in INNER_NAMES
        self._lent: Any = None

    @property
    def is_deferred(self) -> bool:
        """True if this is an inner function."""
        return not self._is_called_from_outside

    def add_ir_module(self, ir_module: Any) -> None:
        """Like numba's; detects a wrapper, which a function of the same name elsewhere may have."""
        names = [function.name for function in ir_module.functions if not function.is_declaration]
        self._is_called_from_outside |= any(name.startswith(WRAPPERS) for name in names)
        super().add_ir_module(ir_module)

    def add_linking_library(self, library: Any) -> None:
        """Add a library that this one calls; numba would finish it now."""
        self._linking_libraries.append(library)

    @classmethod
    def _unserialize(cls, generator: Any, state: Any) -> Any:
        """A library from the compile cache, which has only entries; an inner function elsewhere may have the same name."""
        library = super()._unserialize(generator, state)
        library._is_called_from_outside = True
        return library

    def called(self, libraries: dict[Any, None]) -> dict[Any, None]:
        """Add every library that must be linked with this one to `libraries`, which keeps their order."""
        for library in self._linking_libraries:
            if library not in libraries:
                libraries[library] = None
                if getattr(library, "is_deferred", False):
                    library.called(libraries)
        return libraries

    def finalize(self) -> None:
        """Link, optimize and make machine code, unless this is an inner function."""
        if self.is_deferred:
            return
        self._linking_libraries = list(self.called({}))
        for library in self._linking_libraries:
            library._ensure_finalized()
        super().finalize()

    def _get_module_for_linking(self) -> Any:
        """The code to link with a caller's, for an inner function as it is."""
        if not self.is_deferred:
            return super()._get_module_for_linking()
        if self._lent is None:
            self._lent = self._final_module.clone()
            for function in self._lent.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"  # several callers may contain it
        return self._lent

    def get_pointer_to_function(self, name: str) -> int:
        """Like numba's; 0, for none, for an inner function."""
        return 0 if self.is_deferred else int(super().get_pointer_to_function(name))


def set_env(generator: Any, name: str, environment: Any) -> None:
    """JITCPUCodegen.set_env, for functions that have machine code. What it sets serves code with Python objects, as inner code is not."""
    if generator._engine.get_global_value_address(name):
        plain_set_env(generator, name, environment)


def defer_inner_functions() -> bool:
    """Compile inner functions in this way from now on; False, with nothing changed, if numba's classes aren't the expected ones."""
    generator = codegen.JITCPUCodegen
    is_known = getattr(generator, "_library_class", None) is codegen.JITCodeLibrary and plain_set_env is not None
    if not is_known or not all(hasattr(codegen.JITCodeLibrary, name) for name in NEEDED):
        return False
    generator._library_class = DeferringLibrary
    generator.set_env = set_env
    return True
