"""How code is compiled by numba and kept, and what numba lacks: records copied, records changed by several threads."""

__all__ = ["atomic", "compile_cache", "copying", "inner_code", "jit"]
