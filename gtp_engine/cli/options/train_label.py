"""Options of `gtp-engine train label`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.jobs import add_job_options
from gtp_engine.cli.options.shared import number_argument, positive, whole_number
from gtp_engine.cli.options.training import add_mix, add_records_options, add_seed, add_shares

MOST_VISITS = 1_000_000

HELP = "evaluate positions with a strong network; needs no extra"
EXAMPLES = """examples:
  gtp-engine train label games/ --network strong.bin.gz --output labels.npz     a strong network evaluates positions of these games
  gtp-engine train label games/ --network strong.bin.gz --output labels.npz --positions 100000 --jobs 4   add more, on four processors
  gtp-engine train label games/ --network strong.bin.gz --student mine.bin.gz     also of positions in the search trees of mine.bin.gz
  gtp-engine train label suite.jsonl --network strong.bin.gz --family-share 1 --output children.npz    positions of a suite, and children
  gtp-engine train label a.npz.xz b.npz.xz --shares 3,1 --network strong.bin.gz --backend openvino --precision bf16
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `train label`."""
    parser.add_argument(
        "records", type=Path, nargs="+", metavar="RECORDS", help="SGF files and folders of them, or record files; and suites (.jsonl)"
    )
    add_teacher(parser)
    parser.add_argument(
        "--teacher-visits",
        type=whole_number(0, MOST_VISITS),
        default=0,
        metavar="N",
        help="search each position with N visits of the teacher: the label has the shares of the visits, and win and lead of the search"
        " (default: 0, the network's own answer)",
    )
    parser.add_argument("--output", type=Path, default=Path("labels.npz"), metavar="FILE", help="file to write (default: %(default)s)")
    parser.add_argument(
        "--positions",
        type=positive(int),
        default=1024,
        metavar="N",
        help="positions to choose; children are added, so the file has more labels; a larger number extends a finished run"
        " (default: %(default)s)",
    )
    add_shares(parser, "record files or suites")
    parser.add_argument(
        "--children",
        type=whole_number(0, 400),
        default=8,
        metavar="N",
        help="children of a position that comes with them; positions of a tree that is searched (default: %(default)s)",
    )
    parser.add_argument(
        "--family-share",
        type=number_argument(float),
        default=0.3,
        metavar="SHARE",
        help="share of the positions that come with their children, 0 to 1 (default: %(default)s)",
    )
    add_mix(parser)
    add_student(parser)
    add_seed(parser)
    add_records_options(parser)
    add_job_options(parser, "processors to use")


def add_student(parser: argparse.ArgumentParser) -> None:
    """The options of the student, whose searches choose positions."""
    parser.add_argument(
        "--student",
        type=Path,
        metavar="FILE",
        help="also label positions inside the search trees of this network, of any form, because it must know what its own searches ask",
    )
    parser.add_argument(
        "--student-visits", type=positive(int), default=50, metavar="N", help="visits of each search of the student (default: %(default)s)"
    )
    parser.add_argument(
        "--tree-share",
        type=number_argument(float),
        default=0.3,
        metavar="SHARE",
        help="share of the positions that the student searches, 0 to 1 (default: %(default)s)",
    )


def add_teacher(parser: argparse.ArgumentParser) -> None:
    """The options of the teacher."""
    parser.add_argument("--network", type=Path, required=True, metavar="FILE", help="the teacher, a KataGo file .bin.gz")
    parser.add_argument(
        "--backend",
        choices=("onnxruntime", "openvino", "cuda"),
        default="onnxruntime",
        help="what computes the network; cuda needs onnxruntime-gpu, openvino needs openvino, both by pip install (default: %(default)s)",
    )
    parser.add_argument(
        "--precision",
        choices=("f32", "f16", "bf16", "int8"),
        default="f32",
        help="numbers to compute with: int8 needs onnxruntime, f16 and bf16 openvino (default: %(default)s)",
    )
    parser.add_argument(
        "--batch",
        type=positive(int),
        default=16,
        metavar="N",
        help="positions evaluated together; more on a graphics card (default: %(default)s)",
    )
