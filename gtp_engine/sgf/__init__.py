"""Game records in SGF: a tokenizer, a tolerant reader, and a strict writer based on sgfmill, which only this package imports."""

from gtp_engine.sgf.reader import Record, load, parse
from gtp_engine.sgf.text import SgfError, SgfMoveError
from gtp_engine.sgf.writer import dump, dump_problem

__all__ = [
    "Record",
    "SgfError",
    "SgfMoveError",
    "charsets",
    "dump",
    "dump_problem",
    "load",
    "nodes",
    "parse",
    "text",
    "tree",
    "values",
    "variations",
]
