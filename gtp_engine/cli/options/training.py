"""Options that several actions of `gtp-engine train` have, and what their texts mean."""

import argparse
import math
import re
from pathlib import Path

from gtp_engine.base.processors import processors
from gtp_engine.cli.options.shared import argument, number_argument, positive, whole_number
from gtp_engine.go.rank_names import read_rank

HELD_OUT = 4000  # games at the end of the records
DEFAULT_TIME, USUAL_MEASURE = 7200.0, 1200.0  # seconds
USUAL_SIZES = (9, 13, 19)  # of boards
MOST_SEED = 2**63 - 1
MIX = {"late": 0.1, "finished": 0.05, "fights": 0.05, "unlikely": 0.1}  # as in ChoiceParams, which a start of the program doesn't import
SOURCES = "SGF files and folders of them, record files (.npz, .npz.xz), those of self-play among them, or files that train label wrote"
UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


def add_least_rank(parser: argparse.ArgumentParser) -> None:
    """Which games count."""
    parser.add_argument(
        "--least-rank",
        type=argument(read_rank),
        metavar="RANK",
        help="only games between players of this rank or better, such as 5k or 2d, if the records have ranks (default: all)",
    )


def add_held_out(parser: argparse.ArgumentParser) -> None:
    """Add the number of held-out games."""
    parser.add_argument(
        "--held-out",
        type=positive(int),
        default=HELD_OUT,
        metavar="N",
        help="measure with the last N games, at most half of all, and learn from the others (default: %(default)s)",
    )


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Add the folder of a run."""
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("training"),
        metavar="FOLDER",
        help="the folder for checkpoints, network and log (default: training)",
    )


def add_shares(parser: argparse.ArgumentParser, sources: str) -> None:
    """Add the shares of the sources, which are called `sources` in the help."""
    parser.add_argument(
        "--shares",
        type=argument(read_shares),
        default=(),
        metavar="N,N",
        help=f"with several {sources}: how often positions come from each, such as 3,1 (default: equally often)",
    )


def add_mix(parser: argparse.ArgumentParser) -> None:
    """Add the shares of some kinds of positions for labels."""
    parser.add_argument(
        "--mix",
        type=argument(read_mix),
        default=(),
        metavar="KIND=SHARE,...",
        help="shares of positions from the last quarter of a game (late), of finished games (finished), of fights cut out of games (fights)"
        ", and of those that bring a child by an unlikely move (unlikely)"
        f" (default: {','.join(f'{kind}={share}' for kind, share in MIX.items())})",
    )


def read_mix(text: str) -> tuple[tuple[str, float], ...]:
    """`late=0.2,fights=0`, as (kind, share) pairs. Raises ValueError."""
    pairs = [part.partition("=") for part in text.split(",")]
    try:
        mix = tuple((kind, float(share)) for kind, _, share in pairs)
    except ValueError:
        mix = ()
    if not mix or not all(kind in MIX and 0.0 <= share <= 1.0 for kind, share in mix):
        raise ValueError(f"{text!r} is not a list of kinds ({', '.join(MIX)}) with shares from 0 to 1, like late=0.2,fights=0")
    whole = MIX | dict(mix)
    if whole["late"] + whole["finished"] + whole["fights"] > 1.0:
        raise ValueError(f"{text!r}: late, finished and fights are more than 1 together")
    return mix


def add_length(parser: argparse.ArgumentParser) -> None:
    """Add the length of a run."""
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--time", type=argument(read_time), default=0.0, metavar="TIME", help="how long to train, such as 90s, 30m or 2h (default: 2h)"
    )
    length.add_argument(
        "--positions", type=positive(int), default=0, metavar="N", help="how many positions to learn from, instead of a time"
    )


def add_steps(parser: argparse.ArgumentParser) -> None:
    """Add the options of the optimizer's steps."""
    parser.add_argument(
        "--rate",
        type=argument(read_share),
        default=1.0,
        metavar="SHARE",
        help="learning rate as a share of the usual one, above 0 and at most 1: 0.5 to continue with a trained network (default: 1)",
    )
    parser.add_argument("--batch", type=positive(int), default=64, metavar="N", help="positions in each step (default: 64)")
    parser.add_argument(
        "--seed",
        type=number_argument(int),
        default=1,
        metavar="N",
        help="seed of the first weights and of the order of the positions (default: 1)",
    )
    parser.add_argument(
        "--measure-every",
        type=argument(read_time),
        default=USUAL_MEASURE,
        metavar="TIME",
        help="how often to measure with held-out games and to write the network, besides at the end (default: 20m)",
    )
    parser.add_argument("--device", default="", metavar="NAME", help="cpu or cuda (default: cuda when there is one)")
    parser.add_argument(
        "--precision", choices=("f32", "bf16"), help="numbers for computing the convolutions (default: bf16 if that is faster)"
    )


def add_common(parser: argparse.ArgumentParser) -> None:
    """Options of the actions that read records of one board."""
    parser.add_argument(
        "--size",
        type=int,
        choices=range(2, 20),
        metavar="LINES",
        help="size of the board (default: that of the record file; of SGF files, 19)",
    )
    parser.add_argument("--threads", type=positive(int), default=processors(), metavar="N", help="processors to use (default: all)")
    add_cache(parser)


def add_cache(parser: "argparse._ActionsContainer") -> None:
    """Add the folder for unpacked record files."""
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="where record files are unpacked (default: the user's cache)")


def add_records_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for reading records."""
    parser.add_argument(
        "--size",
        type=argument(board_sizes),
        default=USUAL_SIZES,
        metavar="N,N",
        help="sizes of the boards to take from SGF files (default: 9,13,19; record files contain theirs)",
    )
    add_cache(parser)


def add_seed(parser: argparse.ArgumentParser) -> None:
    """The seed of what is drawn."""
    parser.add_argument(
        "--seed", type=whole_number(0, MOST_SEED), default=1, metavar="N", help="seed of the random numbers (default: %(default)s)"
    )


def read_time(text: str) -> float:
    """`90s`, `30m`, `2h`, `1.5d` or plain seconds, as seconds."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd]?)", text)
    seconds = float(match[1]) * UNITS[match[2] or "s"] if match else 0.0
    if not seconds:
        raise ValueError(f"{text!r} is not a time like 90s, 30m or 2h")
    return seconds


def read_shares(text: str) -> tuple[float, ...]:
    """`3,1` as numbers above 0. Raises ValueError."""
    try:
        shares = tuple(float(part) for part in text.split(","))
    except ValueError:
        shares = ()
    if not shares or min(shares) <= 0.0 or not all(math.isfinite(share) for share in shares):
        raise ValueError(f"{text!r} is not a list of numbers above 0, like 3,1")
    return shares


def read_share(text: str) -> float:
    """A number above 0 and at most 1."""
    share: float = number_argument(float)(text)
    if not 0.0 < share <= 1.0:
        raise ValueError(f"{text!r} is not above 0 and at most 1")
    return share


def board_sizes(text: str) -> tuple[int, ...]:
    """`5,9,13` as sizes of boards. Raises ValueError."""
    sizes = tuple(int(part) if part.isdecimal() else 0 for part in text.split(","))
    if not all(2 <= size <= 19 for size in sizes):
        raise ValueError(f"{text!r} is not a list of sizes from 2 to 19, like 9,13,19")
    return sizes


def add_reading(parser: argparse.ArgumentParser) -> None:
    """The options for reading sources."""
    add_records_options(parser)
    parser.add_argument("--threads", type=positive(int), default=processors(), metavar="N", help="processors to use (default: all)")
