"""Options of `gtp-engine train selfplay`."""

import argparse
from dataclasses import fields
from pathlib import Path
from typing import Any

from gtp_engine.base.processors import processors
from gtp_engine.cli.options.jobs import add_job_options
from gtp_engine.cli.options.shared import argument, number_argument, positive, several, whole_number
from gtp_engine.cli.options.training import add_cache, read_share, read_shares
from gtp_engine.engine.config.values import read_value
from gtp_engine.go.rank_names import read_rank
from gtp_engine.learning.selfplay.params import SelfplayParams

SIZES = range(7, 20)
MOST_SEED = 2**31 - 1
OWN = ("size", "komi")  # parameters with their own option

HELP = "let a network play against itself and learn from the games"
EXAMPLES = """examples:
  gtp-engine train selfplay --folder run --jobs 2                         generations on 9x9 from the included network
  gtp-engine train selfplay --folder anew --new 4x32 --games 1000 --jobs 2  from an untrained network
  gtp-engine train selfplay --folder run --network mine-int8.kata.onnx --from mine.bin.gz --records ogs-9x9.npz.xz --jobs 2
  gtp-engine train selfplay --folder run --games 5000 --games-only        only play games; needs no extra
  gtp-engine train selfplay --folder large --size 13 --set full_visits=300 --ray auto
  gtp-engine train selfplay --folder all --size 9,13,19 --games 2000,300,50 --jobs 2  one network from games on three boards

After Ctrl-C or a crash the same command continues. See docs/network.md.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `train selfplay`."""
    parser.add_argument(
        "--folder", type=Path, default=Path("selfplay"), metavar="FOLDER", help="the folder for games and networks (default: selfplay)"
    )
    parser.add_argument("--generations", type=positive(int), default=4, metavar="N", help="how many generations (default: 4)")
    parser.add_argument("--seed", type=whole_number(0, MOST_SEED), default=1, metavar="N", help="seed of everything (default: 1)")
    parser.add_argument("--games-only", action="store_true", help="only play the games of generation one; needs no extra")
    add_job_options(parser, "games at once, one processor each")
    add_games(parser.add_argument_group("games"))
    add_learning(parser.add_argument_group("learning"))
    add_gate(parser.add_argument_group("gate"))


def add_games(group: "argparse._ArgumentGroup") -> None:
    """Add the options of games."""
    group.add_argument("--network", type=Path, metavar="FILE", help="the network that plays first (default: the included one)")
    group.add_argument(
        "--new",
        metavar="SHAPE",
        help="begin with an untrained network, start.bin.gz in the folder: 4x32 are 4 residual blocks of 32 channels, 3x64t 3"
        " layers of a transformer; train imitation --help has other kinds",
    )
    group.add_argument(
        "--size",
        type=argument(read_sizes),
        default=(9,),
        metavar="LINES[,LINES...]",
        help="the board, or several, as 9,13,19; the gate is played on the first (default: 9)",
    )
    group.add_argument(
        "--komi", type=several(number_argument(float)), metavar="K[,K...]", help="the mean komi on each board (default: what is fair on it)"
    )
    group.add_argument(
        "--games",
        type=several(positive(int)),
        default=(2000,),
        metavar="N[,N...]",
        help="games of each generation on each board (default: 2000)",
    )
    group.add_argument(
        "--records",
        type=Path,
        nargs="+",
        default=[],
        metavar="GAMES",
        help="record files: some games begin with their moves on this board, and the network also learns from all of them",
    )
    add_cache(group)
    group.add_argument(
        "--set",
        action="append",
        type=argument(read_setting),
        default=[],
        metavar="KEY=VALUE",
        help="how games are played, may be repeated; KEY is one of "
        + ", ".join(f"{item.name} ({item.default})" for item in fields(SelfplayParams) if item.name not in OWN),
    )


def add_learning(group: "argparse._ArgumentGroup") -> None:
    """Add the options of learning."""
    group.add_argument(
        "--from",
        type=Path,
        dest="start",
        metavar="FILE",
        help="the .bin.gz file that --network was made from, to train from (default: the file beside it)",
    )
    group.add_argument(
        "--positions", type=positive(int), default=200_000, metavar="N", help="positions that each generation learns from (default: 200000)"
    )
    group.add_argument(
        "--shares",
        type=argument(read_shares),
        default=(),
        metavar="N,N",
        help="how often positions come from self-play and from each of --records, as 2,1 (default: half from self-play)",
    )
    group.add_argument(
        "--reanalyze",
        type=argument(read_share),
        default=0.0,
        metavar="SHARE",
        help="search the positions of this share of the older games again with the newest network (default: none)",
    )
    group.add_argument(
        "--least-rank", type=argument(read_rank), metavar="RANK", help="only records of players of this rank or better (default: all)"
    )
    group.add_argument(
        "--rate",
        type=argument(read_share),
        metavar="SHARE",
        help="learning rate, a share of the usual one (default: 0.3; with --new, 1)",
    )
    group.add_argument("--batch", type=positive(int), default=64, metavar="N", help="positions in each step (default: 64)")
    group.add_argument("--threads", type=positive(int), default=processors(), metavar="N", help="processors to learn with (default: all)")
    group.add_argument("--device", default="", metavar="NAME", help="cpu or cuda (default: cuda when there is one)")
    group.add_argument("--precision", choices=("f32", "bf16"), help="numbers for computing (default: bf16 if that is faster)")


def add_gate(group: "argparse._ArgumentGroup") -> None:
    """The match that a new network must win to be accepted."""
    group.add_argument(
        "--gate-games", type=argument(read_games), default=400, metavar="N", help="the largest number of games (default: 400)"
    )
    group.add_argument("--gate-visits", type=positive(int), default=100, metavar="N", help="visits for each move (default: 100)")
    group.add_argument(
        "--sprt",
        type=argument(read_sprt),
        default=(0.0, 50.0),
        metavar="ELO0,ELO1",
        help="the match ends when it decides whether the new network is ELO0 or ELO1 stronger (default: 0,50)",
    )


def read_sizes(text: str) -> tuple[int, ...]:
    """`9,13` as boards, all different. Raises ValueError."""
    sizes: tuple[int, ...] = several(number_argument(int))(text)
    if not set(sizes) <= set(SIZES) or len(set(sizes)) < len(sizes):
        raise ValueError(f"{text!r} is not a board of {SIZES[0]} to {SIZES[-1]} lines, or several different ones, as 9,13,19")
    return sizes


def read_games(text: str) -> int:
    """Games of a match: an even number. Raises ValueError."""
    value: int = number_argument(int)(text)
    if value < 2 or value % 2:
        raise ValueError(f"{text!r} is not an even number of at least 2")
    return value


def read_sprt(text: str) -> tuple[float, float]:
    """`0,50` as two numbers, the first one smaller. Raises ValueError."""
    words = text.split(",")
    try:
        low, high = (float(word) for word in words)
    except ValueError:
        raise ValueError(f"{text!r} is not two numbers like 0,50") from None
    if not -2000 <= low < high <= 2000:
        raise ValueError(f"{text!r} is not two numbers like 0,50, the first one smaller, within 2000")
    return low, high


def read_setting(text: str) -> tuple[str, Any]:
    """`KEY=VALUE` as the name of a parameter and its value. Raises ValueError."""
    name, equals, value = text.partition("=")
    name = name.strip().replace("-", "_")
    items = {item.name: item for item in fields(SelfplayParams) if item.name not in OWN}
    if not equals or name not in items:
        raise ValueError(f"{text!r} is not KEY=VALUE with one of the keys {', '.join(items)}")
    return name, read_value(items[name], value.strip())
