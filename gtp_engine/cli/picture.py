"""`gtp-engine picture`: a search of the textbook as an SVG picture."""

import argparse
from pathlib import Path

from gtp_engine.base.files import write_file
from gtp_engine.engine.config.sources import ConfigError
from gtp_engine.textbook.picture import draw
from gtp_engine.textbook.positions import NOTATIONS, read_position
from gtp_engine.textbook.recordings import SEARCHES as RECORDINGS
from gtp_engine.textbook.recordings import Request
from gtp_engine.textbook.search_tree import describe


def run(args: argparse.Namespace) -> int:
    """Search, draw and write; 0. Raises ConfigError for a position, depth or tree that can't be drawn and a file that can't be written."""
    notation = NOTATIONS[args.game]
    depth = notation.depth if args.depth is None else args.depth
    try:
        position = read_position(args.game, notation.start if args.position is None else args.position)
        tree = RECORDINGS[args.search](Request(position, depth, notation.evaluate, args.rounds, args.seed, notation.rollout))
        text = draw(tree, f"{args.search}, {args.game}", describe(tree))
    except ValueError as error:
        raise ConfigError(str(error)) from error
    write(text, args.output)
    return 0


def write(text: str, file: Path | None) -> None:
    """Write to the file, or else to standard output. Raises ConfigError when the file can't be written, OSError for standard output."""
    if file is None:
        print(text, end="", flush=True)
        return
    try:
        write_file(file, text.encode())
    except OSError as error:
        raise ConfigError(f"cannot write {file}: {error.strerror}") from error
