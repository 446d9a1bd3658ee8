"""Compiling by numba, the cache of compiled code, and what numba lacks: copying records, and atomic updates of records."""

__all__ = ["atomic", "copying", "jit"]
