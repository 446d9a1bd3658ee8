"""Options of `gtp-engine train agreement`."""

import argparse
from pathlib import Path

HELP = "measure how well networks agree with a strong one"
EXAMPLES = """examples:
  gtp-engine train suite games/ --network strong.bin.gz --output suite.jsonl    positions and their children, judged by a strong network
  gtp-engine train agreement suite.jsonl --network run/network.bin.gz           how well a network tells these children apart
  gtp-engine train evaluate labels.npz --network run/network.bin.gz             how well it agrees with held-out labels
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `train agreement`."""
    parser.add_argument("suite", type=Path, metavar="SUITE", help="a file that train suite wrote")
    parser.add_argument("--network", type=Path, nargs="+", required=True, metavar="FILE", help="the networks to measure")
