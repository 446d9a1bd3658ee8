"""What one batch to the network costs in a search with `mixed`: the network itself, the playouts, its planes, and all the rest.

.venv/bin/python tests/tools/question_parts.py [GAME.sgf ...] [--every MOVES] [--visits N] [--rounds N]

Every so many moves of the records the position is searched from an empty tree by one thread, in each round twice: with a clock around each
part, and without, as a clock takes time itself. Of each position the fastest round counts. Printed are milliseconds of one batch, and
the share of planes, tree and Python. Processor time; still, nothing else should run: other programs empty the processor's caches, too.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.engine.network.formats import OpenNetwork
from gtp_engine.engine.network.loading import load_network, shipped_network
from gtp_engine.engine.network.network_evaluator import NetworkEvaluator
from gtp_engine.engine.network.surveyor import Surveyor
from gtp_engine.engine.search.params import MIXED, SearchParams
from gtp_engine.engine.search.search import Limits, Search
from gtp_engine.go.game import Game
from gtp_engine.go.rules import CHINESE
from gtp_engine.sgf.reader import DEFAULT_KOMI
from gtp_engine.tools.review.records import find_files, read_record, read_sources

REPOSITORY = Path(__file__).parents[2]
NETWORK, PLAYOUTS, PLANES = "network", "playouts", "planes"
CLOCK_TRIALS = 10_000


class Clock:
    """Seconds of processor time by name, and how often each was timed."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin at 0."""
        self.seconds: dict[str, float] = dict.fromkeys((NETWORK, PLAYOUTS, PLANES), 0.0)
        self.calls: dict[str, int] = dict.fromkeys((NETWORK, PLAYOUTS, PLANES), 0)

    def time(self, name: str, call: Callable[[], Any]) -> None:
        """Call, and add what it takes."""
        start = time.process_time()
        call()
        self.seconds[name] += time.process_time() - start
        self.calls[name] += 1

    def parts(self) -> np.ndarray:
        """[3] milliseconds of network, playouts and planes in one call, with what the clock sees of itself."""
        return np.array([1000.0 * self.seconds[name] / max(self.calls[name], 1) for name in self.seconds])


def clock_itself() -> float:
    """Milliseconds that a clock sees of itself in one call."""
    clock = Clock()
    for _ in range(CLOCK_TRIALS):
        clock.time(NETWORK, lambda: None)
    return float(clock.parts()[0])


class TimedNetwork:
    """The features and the backend of a network, with a clock."""

    leaves = 1

    def __init__(self, network: OpenNetwork, clock: Clock) -> None:
        self.network, self.clock = network, clock

    def new_batch(self, size: int, leaves: int = 1) -> Any:
        """See AnyBackend."""
        batch = self.network.backend.new_batch(size, leaves)
        run = batch.run
        batch.run = lambda: self.clock.time(NETWORK, run)
        return batch

    def encode(self, leaf: np.ndarray, batch: Any, row: int) -> None:
        """See Features."""
        self.clock.time(PLANES, lambda: self.network.features.encode(leaf, batch, row))

    def decode(self, leaf: np.ndarray, batch: Any, row: int, answer: np.ndarray) -> None:
        """See Features."""
        self.network.features.decode(leaf, batch, row, answer)


class TimedSurveyor(Surveyor):
    """Plays the playouts from leaves, with a clock."""

    def __init__(self, params: SearchParams, clock: Clock) -> None:
        super().__init__(params)
        self.clock = clock

    def survey(self, leaf: np.ndarray) -> None:
        """See Surveyor."""
        self.clock.time(PLAYOUTS, lambda: Surveyor.survey(self, leaf))


def main() -> None:
    """Search and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path, nargs="*", default=[REPOSITORY / "docs" / "game.sgf"])
    parser.add_argument("--every", type=int, default=8, metavar="MOVES")
    parser.add_argument("--visits", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    found = list(positions(args.games, args.every))
    if not found:
        parser.error(f"the records have no position after {args.every} moves")
    params = SearchParams(threads=1, seed=1, evaluator=MIXED, memory=128)
    path = shipped_network(found[0].size)
    if path is None:
        parser.error("no network comes with this version")
    network, clock = load_network(path, params), Clock()
    timed = TimedNetwork(network, clock)
    with_clock, without = (Searches(params, each, found[0], args.visits) for each in (OpenNetwork(timed, timed), network))
    with_clock.evaluator._surveyor = TimedSurveyor(params, clock)
    whole, parts = np.full(len(found), np.inf), np.full((len(found), 3), np.inf)
    for _ in range(args.rounds):
        for k, game in enumerate(found):
            clock.clear()
            with_clock.search(game)
            parts[k] = np.minimum(parts[k], clock.parts())
            whole[k] = min(whole[k], without.search(game))
    report(f"{len(found)} positions on {found[0].size}x{found[0].size}, {path.name}", float(whole.mean()), parts.mean(0) - clock_itself())


def report(what: str, whole: float, parts: np.ndarray) -> None:
    """Print milliseconds of one batch, and of its network, playouts and planes."""
    rest = whole - float(parts.sum())
    print(f"{what}: {whole:.3f} ms a question")
    named = zip((NETWORK, PLAYOUTS, PLANES, "tree and Python"), (*parts, rest), strict=True)
    print(", ".join(f"{name} {each:.3f}" for name, each in named))
    print(f"planes, tree and Python: {(parts[2] + rest) / whole:.1%}")


class Searches:
    """Searches with one network, each from an empty tree."""

    def __init__(self, params: SearchParams, network: OpenNetwork, first: Game, visits: int) -> None:
        """Searches `first`, which opens and compiles what is needed."""
        self.evaluator = NetworkEvaluator(network, params, params.playout_share)
        self.engine = Search(params, self.evaluator)
        self.visits = visits
        self.search(first)

    def search(self, game: Game) -> float:
        """Search this position; gives back the milliseconds of processor time for one batch."""
        self.engine.clear()
        asked = self.evaluator.asked()
        start = time.process_time()
        self.engine.prepare(game, game.to_play, DEFAULT_KOMI)
        self.engine.run(Limits(simulations=self.visits))
        return 1000.0 * (time.process_time() - start) / (self.evaluator.asked() - asked)


def positions(paths: list[Path], every: int) -> Iterator[Game]:
    """The positions of the records."""
    for path in find_files(paths):
        for source in read_sources(path):
            record = read_record(source, CHINESE, DEFAULT_KOMI)
            for number in range(every, len(record.moves), every):
                yield record.position(number)


if __name__ == "__main__":
    main()
