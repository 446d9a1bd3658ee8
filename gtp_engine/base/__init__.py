"""Helpers for all other packages, without Go: files, operating systems, parameters, charts, GTP's lines, jobs."""

__all__ = [
    "charts",
    "files",
    "gtp_protocol",
    "jobs",
    "own_command",
    "pages",
    "parameters",
    "processors",
    "progress",
    "record_files",
    "systems",
    "wilson",
]
