"""Game records in SGF: a tolerant reader and a strict writer over sgfmill, which nothing else imports."""

from gtp_engine.sgf.reader import Record, load, parse
from gtp_engine.sgf.text import SgfError
from gtp_engine.sgf.writer import dump

__all__ = ["Record", "SgfError", "dump", "load", "parse", "text"]
