"""label_search.py NETWORK RECORDS: how near two kinds of labels are to those of searches ten times as long: own answers and short searches.

Prints for each kind: evaluations, likeliest move the same, cross entropy above the entropy of the long search (nats), and errors of win and
lead (root mean square).
"""

import argparse
from pathlib import Path

import numpy as np
import platformdirs

from gtp_engine.engine.network.folder import named_network
from gtp_engine.engine.network.formats import format_of
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.learning.training.katago.choice import ChoiceParams, PositionChooser
from gtp_engine.learning.training.katago.position_search import PositionSearch
from gtp_engine.learning.training.katago.position_sources import read_positions
from gtp_engine.learning.training.katago.positions import NetworkAnswer, NetworkJudge

LEAST = 0.001  # probability of a move without visits
LONGER = 10  # times as many visits


def main() -> None:
    """A line for each kind of label."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network")
    parser.add_argument("records", type=Path)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--visits", type=int, default=8)
    parser.add_argument("--precision", default="f32")
    args = parser.parse_args()
    path = named_network(args.network)
    network = format_of(path).load(path, SearchParams(threads=1, precision=args.precision))
    cache = Path(platformdirs.user_cache_dir("gtp_engine", appauthor=False)) / "records"
    chooser = PositionChooser(read_positions([args.records], (9,), cache, lambda _count: None), (), ChoiceParams())
    random, judge = np.random.default_rng(1), NetworkJudge(network)
    positions = [chooser.draw(random).position for _ in range(args.positions)]
    raw = judge(positions)
    short, long = (
        [search.deepened(position, answer, 1 + number) for number, (position, answer) in enumerate(zip(positions, raw, strict=True))]
        for search in (PositionSearch(network, args.visits), PositionSearch(network, LONGER * args.visits))
    )
    for name, evaluations, answers in (("own answer", 1, raw), (f"{args.visits} visits", args.visits + 1, short)):
        print(f"{name}: {evaluations} evaluations, {compared(answers, long)}")


def compared(answers: list[NetworkAnswer], targets: list[NetworkAnswer]) -> str:
    """The figures of one kind of label."""
    pairs = list(zip(answers, targets, strict=True))
    top = np.mean([one.policy.argmax() == other.policy.argmax() for one, other in pairs])
    nats = np.mean([divergence(other.policy, np.maximum(one.policy, LEAST)) for one, other in pairs])
    win, lead = (np.sqrt(np.mean([(getattr(one, name) - getattr(other, name)) ** 2 for one, other in pairs])) for name in ("win", "lead"))
    return f"likeliest move {top:.1%}, {nats:.3f} nats, win {win:.3f}, lead {lead:.2f}"


def divergence(target: np.ndarray, policy: np.ndarray) -> float:
    """The cross entropy of `policy`, made to sum to 1, above the entropy of `target`."""
    tried = target > 0.0
    return float((target[tried] * np.log(target[tried] * policy.sum() / policy[tried])).sum())


if __name__ == "__main__":
    main()
