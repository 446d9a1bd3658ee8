"""Game records in SGF: one tokenizer, a tolerant reader, and a strict writer over sgfmill, which nothing else imports."""

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
    "library",
    "load",
    "nodes",
    "parse",
    "text",
    "tree",
    "values",
    "variations",
]
