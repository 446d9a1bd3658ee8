"""Options of `gtp-engine train imitation`, or `distill`."""

import argparse
from pathlib import Path

from gtp_engine.cli.options.shared import positive
from gtp_engine.cli.options.training import SOURCES, add_folder, add_least_rank, add_length, add_reading, add_shares, add_steps

HELP = "let a network learn from games, self-play or a stronger network"
EXAMPLES = """examples:
  gtp-engine train imitation games/ --new 6x96 --folder run --time 2h      a new network of 6 residual blocks learns from SGF files
  gtp-engine train imitation games/ --folder run --time 2h                 continue after Ctrl-C or a crash
  gtp-engine train distill labels.npz --new 7x96t --folder run             a new transformer of 7 layers learns from a strong network
  gtp-engine train distill labels.npz --new 6x128Rt --folder mixed         nested bottlenecks of residual blocks, and attention between them
  gtp-engine train imitation ogs-9x9.npz.xz labels.npz --shares 1,3 --least-rank 5k --from run/network.bin.gz --folder more --rate 0.3
  gtp-engine train distill labels.npz --from run/network.bin.gz --layers 9 --folder deep   add layers, which have no effect at first
  gtp-engine train distill labels.npz --from run/network.bin.gz --channels 128 --folder wide   add channels in the same way
  gtp-engine train evaluate games/ --network run/network.bin.gz            how often it predicts the moves and winners of held-out games
  gtp-engine networks run/network.bin.gz --convert mine-int8.kata.onnx     in 8 bits, to play with
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `train imitation`."""
    parser.add_argument("sources", type=Path, nargs="+", metavar="SOURCE", help=SOURCES)
    add_folder(parser)
    start = parser.add_mutually_exclusive_group()
    start.add_argument("--from", type=Path, dest="start", metavar="FILE", help="begin with this network, .bin.gz of KataGo's form")
    start.add_argument(
        "--new",
        metavar="SHAPE",
        help="begin with an untrained network: 6x96 are 6 residual blocks of 96 channels, 7x96t 7 layers of a transformer; letters are the"
        " kinds of layers in turn: r residual, t transformer, R and T a nested bottleneck with two of these, as 9x96rrt",
    )
    parser.add_argument(
        "--layers",
        type=positive(int),
        metavar="N",
        help="first make the network of --from this deep: new layers have no effect until they learn",
    )
    parser.add_argument(
        "--channels",
        type=positive(int),
        metavar="N",
        help="first make the network of --from this wide, with more heads in proportion: new channels have no effect until they learn",
    )
    parser.add_argument(
        "--ranks",
        action="store_true",
        help="learn how people of each rank play, from records with ranks; the network takes the form of KataGo's human networks",
    )
    add_shares(parser, "sources")
    add_least_rank(parser)
    add_length(parser)
    add_steps(parser)
    add_reading(parser)
