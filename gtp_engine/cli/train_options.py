"""Options of `gtp-engine train`, and what their texts mean."""

import argparse
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING

from gtp_engine.base.processors import processors
from gtp_engine.cli.options import argument, number_argument, positive
from gtp_engine.go.rank_names import read_rank

if TYPE_CHECKING:
    from gtp_engine.learning.training.model import Size

HELD_OUT = 4000  # games at the end of the records
UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


def add_imitation(parser: argparse.ArgumentParser) -> None:
    """The options of `train imitation`."""
    add_records(parser)
    add_length(parser)
    add_shape(parser)
    add_steps(parser)
    add_common(parser)


def add_evaluate(parser: argparse.ArgumentParser) -> None:
    """The options of `train evaluate`."""
    parser.add_argument("records", type=Path, metavar="RECORDS", help="a folder of SGF files, or a record file (.npz, .npz.xz)")
    parser.add_argument("--network", type=Path, metavar="FILE", help="ONNX file (default: the network that is included)")
    parser.add_argument(
        "--games", type=positive(int), default=HELD_OUT, metavar="N", help=f"measure with the last N games (default: {HELD_OUT})"
    )
    add_least_rank(parser)
    parser.add_argument("--counted", action="store_true", help="only games that were counted at the end")
    parser.add_argument(
        "--positions", type=positive(int), default=16_384, metavar="N", help="how many random positions of them (default: 16384)"
    )
    add_common(parser)


def add_least_rank(parser: argparse.ArgumentParser) -> None:
    """Which games count."""
    parser.add_argument(
        "--least-rank",
        type=argument(read_rank),
        metavar="RANK",
        help="only games between players of this rank or better, as 5k or 2d, from record files that tell ranks (default: all)",
    )


def add_records(parser: argparse.ArgumentParser) -> None:
    """What is learned from, what it is measured with, and where the run is kept."""
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="SGF files and folders of them, or record files")
    add_folder(parser)
    add_shares(parser, "record files")
    add_least_rank(parser)
    parser.add_argument(
        "--held-out",
        type=positive(int),
        default=HELD_OUT,
        metavar="N",
        help=f"the last N games, at most half of all, of further record files a tenth, are not learned from but measured with"
        f" (default: {HELD_OUT})",
    )


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Where a run is kept."""
    parser.add_argument(
        "--folder",
        type=Path,
        default=Path("training"),
        metavar="FOLDER",
        help="the folder for checkpoints, network and log (default: training)",
    )


def add_shares(parser: argparse.ArgumentParser, sources: str) -> None:
    """How often positions come from each of the sources, which are called `sources` in the help."""
    parser.add_argument(
        "--shares",
        type=argument(read_shares),
        default=(),
        metavar="N,N",
        help=f"with several {sources}: how often positions come from each, as 3,1 (default: alike)",
    )


def add_length(parser: argparse.ArgumentParser) -> None:
    """How long a run is."""
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--time", type=argument(read_time), default=0.0, metavar="TIME", help="how long to train, as 90s, 30m or 2h (default: 2h)"
    )
    length.add_argument(
        "--positions", type=positive(int), default=0, metavar="N", help="how many positions to learn from, instead of a time"
    )


def add_shape(parser: argparse.ArgumentParser) -> None:
    """The network's size, or the network to begin with."""
    parser.add_argument("--blocks", type=positive(int), default=6, metavar="N", help="residual blocks of the network (default: 6)")
    parser.add_argument("--channels", type=positive(int), default=64, metavar="N", help="channels of each block (default: 64)")
    parser.add_argument(
        "--from",
        type=Path,
        dest="start",
        metavar="FILE",
        help="begin with this network (ONNX), made larger if it is smaller than --blocks and --channels",
    )
    parser.add_argument(
        "--teacher",
        metavar="SIZE|FILE",
        help="a larger network, as 10x128, learns beside it and teaches it; it begins with the network of --from or with this FILE",
    )
    parser.add_argument(
        "--ranks",
        action="store_true",
        help="tell the network the rank of the player to move, from record files that tell ranks: it learns how each rank plays",
    )


def add_steps(parser: argparse.ArgumentParser) -> None:
    """How the steps of learning are made."""
    parser.add_argument(
        "--rate",
        type=argument(read_share),
        default=1.0,
        metavar="SHARE",
        help="learning rate as a share of the usual one, above 0 and at most 1: 0.5 to go on with a trained network (default: 1)",
    )
    parser.add_argument("--batch", type=positive(int), default=64, metavar="N", help="positions in each step (default: 64)")
    parser.add_argument(
        "--seed",
        type=number_argument(int),
        default=1,
        metavar="N",
        help="seed of the first weights and of the order of the positions (default: 1)",
    )
    parser.add_argument("--device", default="", metavar="NAME", help="cpu or cuda (default: cuda when there is one)")
    parser.add_argument(
        "--precision", choices=("f32", "bf16"), help="numbers for computing the convolutions (default: bf16 where that is faster)"
    )


def add_ranks(parser: argparse.ArgumentParser) -> None:
    """The options of `train ranks`."""
    parser.add_argument("records", type=Path, metavar="RECORDS", help="a record file that tells ranks")
    parser.add_argument("--network", type=Path, metavar="FILE", help="ONNX file (default: the network that is included)")
    parser.add_argument(
        "--games", type=positive(int), default=HELD_OUT, metavar="N", help="measure with the last N games (default: %(default)s)"
    )
    parser.add_argument(
        "--positions", type=positive(int), default=16_384, metavar="N", help="how many random positions of them (default: %(default)s)"
    )
    parser.add_argument(
        "--told", type=positive(int), default=200, metavar="N", help="tell the ranks of the players of so many (default: %(default)s)"
    )
    add_common(parser)


def add_average(parser: argparse.ArgumentParser) -> None:
    """The options of `train average`."""
    parser.add_argument("networks", type=Path, nargs="+", metavar="NETWORK", help="ONNX files that train imitation or train export wrote")
    parser.add_argument("records", type=Path, metavar="RECORDS", help="games to measure them with")
    parser.add_argument("averaged", type=Path, metavar="AVERAGED", help="ONNX file to write")
    parser.add_argument("--positions", type=positive(int), default=4096, metavar="N", help="positions to measure with (default: 4096)")
    parser.add_argument(
        "--held-out",
        type=positive(int),
        default=HELD_OUT,
        metavar="N",
        help="measure with the last N games, at most half of all (default: %(default)s)",
    )
    add_common(parser)


def add_quantize(parser: argparse.ArgumentParser) -> None:
    """The options of `train quantize`."""
    parser.add_argument("network", type=Path, metavar="NETWORK", help="ONNX file that train imitation or train export wrote")
    parser.add_argument("records", type=Path, metavar="RECORDS", help="games to find the ranges of its numbers with, and to measure it")
    parser.add_argument("quantized", type=Path, metavar="QUANTIZED", help="ONNX file to write")
    parser.add_argument("--samples", type=positive(int), default=512, metavar="N", help="positions to find the ranges with (default: 512)")
    parser.add_argument("--positions", type=positive(int), default=4096, metavar="N", help="positions to measure with (default: 4096)")
    parser.add_argument(
        "--held-out",
        type=positive(int),
        default=HELD_OUT,
        metavar="N",
        help="measure with the last N games, at most half of all (default: %(default)s)",
    )
    add_common(parser)


def add_calibration(parser: argparse.ArgumentParser) -> None:
    """The options of `train calibration`."""
    parser.add_argument("records", type=Path, metavar="RECORDS", help="a folder of SGF files, or a record file (.npz, .npz.xz)")
    parser.add_argument("--positions", type=positive(int), default=1000, metavar="N", help="to measure with, one a game (default: 1000)")
    parser.add_argument("--learned", type=positive(int), default=500, metavar="N", help="to fit the multiplier with (default: 500)")
    parser.add_argument("--visits", type=positive(int), default=50, metavar="N", help="simulations for each position (default: 50)")
    parser.add_argument(
        "--held-out",
        type=positive(int),
        default=HELD_OUT,
        metavar="N",
        help=f"measure with the last N games, at most half of all, and fit with the others (default: {HELD_OUT})",
    )
    parser.add_argument("--diagram", type=Path, metavar="FILE", help="write the reliability diagram (SVG)")
    add_common(parser)


def add_common(parser: argparse.ArgumentParser) -> None:
    """Options of every action that reads records."""
    parser.add_argument(
        "--size",
        type=int,
        choices=range(2, 20),
        metavar="LINES",
        help="size of the board (default: that of the record file; of SGF files, 19)",
    )
    parser.add_argument("--threads", type=positive(int), default=processors(), metavar="N", help="processors to use (default: all)")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="where record files are unpacked (default: the user's cache)")


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


def read_size(text: str) -> tuple[int, int] | None:
    """`10x128` as blocks and channels; None for anything else."""
    match = re.fullmatch(r"([1-9]\d?)x([1-9]\d{0,3})", text)
    return (int(match[1]), int(match[2])) if match else None


def teacher_of(args: argparse.Namespace) -> "Size | None":
    """The size of the teacher asked for. Raises TrainingError when it is neither a size nor a network's file."""
    from gtp_engine.learning.training.export import load_network
    from gtp_engine.learning.training.model import Size

    if args.teacher is None:
        return None
    size = read_size(args.teacher)
    return Size(*size, args.ranks) if size else load_network(Path(args.teacher))[0].size


def read_share(text: str) -> float:
    """A number above 0 and at most 1."""
    share: float = number_argument(float)(text)
    if not 0.0 < share <= 1.0:
        raise ValueError(f"{text!r} is not above 0 and at most 1")
    return share
