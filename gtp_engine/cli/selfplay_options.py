"""The options of `train selfplay`."""

import argparse
from dataclasses import fields
from pathlib import Path

from gtp_engine.cli.job_options import add_job_options
from gtp_engine.cli.options import argument, number_argument
from gtp_engine.cli.train_options import positive
from gtp_engine.selfplay.params import SelfplayParams

SIZES = range(7, 20)
OWN = ("size", "komi")  # parameters with an option of their own

EXAMPLES = """examples:
  gtp-engine train selfplay --folder run --jobs 2                         generations on 9x9 from the network that is included
  gtp-engine train selfplay --folder run --network mine-int8.onnx --from mine.onnx --records ogs-9x9.npz.xz --jobs 2
  gtp-engine train selfplay --folder run --games 5000 --games-only        play games, learn nothing; needs no extra
  gtp-engine train selfplay --folder large --size 13 --set full_visits=300 --ray auto

After Ctrl-C or a crash the same command goes on. docs/network.md tells more.
"""


def add_selfplay(parser: argparse.ArgumentParser) -> None:
    """The options of `train selfplay`."""
    parser.add_argument(
        "--folder", type=Path, default=Path("selfplay"), metavar="FOLDER", help="the folder for games and networks (default: selfplay)"
    )
    parser.add_argument("--network", type=Path, metavar="FILE", help="the network that plays first (default: the one that is included)")
    parser.add_argument("--size", type=number_argument(int), choices=SIZES, default=9, metavar="LINES", help="the board (default: 9)")
    parser.add_argument("--komi", type=number_argument(float), metavar="K", help="the mean komi (default: what is fair on this board)")
    parser.add_argument("--games", type=positive(int), default=2000, metavar="N", help="games of each generation (default: 2000)")
    parser.add_argument("--generations", type=positive(int), default=4, metavar="N", help="how many (default: 4)")
    parser.add_argument(
        "--records",
        type=Path,
        nargs="+",
        default=[],
        metavar="GAMES",
        help="record files: a part of the games begins as they do, and they are learned from beside the new games",
    )
    parser.add_argument("--games-only", action="store_true", help="play the games of generation one, and nothing else; needs no extra")
    parser.add_argument("--seed", type=number_argument(int), default=1, metavar="N", help="seed of everything (default: 1)")
    parser.add_argument(
        "--set",
        action="append",
        type=argument(read_setting),
        default=[],
        metavar="KEY=VALUE",
        help="how games are played, may be repeated; KEY is one of "
        + ", ".join(f"{item.name} ({item.default})" for item in fields(SelfplayParams) if item.name not in OWN),
    )
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="where record files are unpacked (default: the user's cache)")
    add_job_options(parser, "games at once, one processor each")


def read_setting(text: str) -> tuple[str, int | float | str]:
    """`KEY=VALUE` as the name of a parameter and its value. Raises ValueError."""
    name, equals, value = text.partition("=")
    name = name.strip().replace("-", "_")
    kinds = {item.name: type(item.default) for item in fields(SelfplayParams) if item.name not in OWN}
    if not equals or name not in kinds:
        raise ValueError(f"{text!r} is not KEY=VALUE with one of the keys {', '.join(kinds)}")
    try:
        read: int | float | str = kinds[name](value.strip())
        SelfplayParams(**{name: read})
    except ValueError as error:
        raise ValueError(f"{text!r}: {error}") from None
    return name, read
