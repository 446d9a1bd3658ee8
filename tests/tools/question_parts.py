"""What one question to the network costs in a search: the network itself, the playouts that it is shown, its planes, and all the rest.

.venv/bin/python tests/tools/question_parts.py [GAME.sgf ...] [--every MOVES] [--visits N]

Every so many moves of the records the position is searched from an empty tree by one thread. Printed are milliseconds of one question, and
the share of planes, tree and Python. Processor time; still, nothing else should run: other programs empty the processor's caches, too.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gtp_engine.go.game import Game
from gtp_engine.go.rules import CHINESE
from gtp_engine.network.features import take_surveys, write_planes
from gtp_engine.network.formats import OpenNetwork, format_of
from gtp_engine.network.loading import shipped_network
from gtp_engine.network.network_evaluator import NetworkEvaluator
from gtp_engine.review.records import find_files, read_record, read_sources
from gtp_engine.search.arrays import SearchArrays
from gtp_engine.search.params import MIXED, SearchParams
from gtp_engine.search.search import Limits, Search
from gtp_engine.sgf.reader import DEFAULT_KOMI

REPOSITORY = Path(__file__).parents[2]
NETWORK, PLAYOUTS, PLANES = "network", "playouts", "planes"


class Clock:
    """Seconds of processor time by name."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Begin at 0."""
        self.seconds: dict[str, float] = dict.fromkeys((NETWORK, PLAYOUTS, PLANES), 0.0)

    def time(self, name: str, call: Callable[[], Any]) -> None:
        """Call, and add what it takes."""
        start = time.process_time()
        call()
        self.seconds[name] += time.process_time() - start


class TimedNetwork:
    """The features and the backend of a network of ours, with a clock."""

    leaves = 1

    def __init__(self, network: OpenNetwork, clock: Clock) -> None:
        self.network, self.clock = network, clock

    def new_question(self, size: int, leaves: int = 1) -> Any:
        """See AnyBackend."""
        question = self.network.backend.new_question(size, leaves)
        ask = question.ask
        question.ask = lambda: self.clock.time(NETWORK, ask)
        return question

    def see(self, arrays: SearchArrays, slot: int, question: Any, row: int) -> None:
        """See Features: as own_kernels.see_leaf does, in two calls, and without turning the board."""
        shared, workspaces, komi = arrays.shared, arrays.workspaces, float(arrays.shared[0]["komi"])
        self.clock.time(PLAYOUTS, lambda: take_surveys(workspaces, slot, shared["playout_policy"], komi))
        self.clock.time(PLANES, lambda: write_planes(workspaces, slot, shared["model"], komi, question.planes[row]))

    def read(self, arrays: SearchArrays, slot: int, question: Any, row: int) -> None:
        """See Features."""
        self.network.features.read(arrays, slot, question, row)


def main() -> None:
    """Search and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path, nargs="*", default=[REPOSITORY / "docs" / "game.sgf"])
    parser.add_argument("--every", type=int, default=8, metavar="MOVES")
    parser.add_argument("--visits", type=int, default=200)
    args = parser.parse_args()
    found = list(positions(args.games, args.every))
    if not found:
        parser.error(f"the records have no position after {args.every} moves")
    size = found[0].size
    path = shipped_network(size)
    assert path is not None
    params = SearchParams(threads=1, seed=1, evaluator=MIXED, memory=128)
    network = format_of(path).load(path, params)
    clock = Clock()
    timed = TimedNetwork(network, clock)
    whole, asked = searched(params, OpenNetwork(timed, timed), found, args.visits, clock)
    parts = {name: 1000.0 * seconds / asked for name, seconds in clock.seconds.items()}
    rest = whole - sum(parts.values())
    print(f"{len(found)} positions on {size}x{size}, {asked} questions; {path.name}: {whole:.3f} ms each")
    print(", ".join(f"{name} {each:.3f}" for name, each in parts.items()) + f", tree and Python {rest:.3f}")
    print(f"planes, tree and Python: {(parts[PLANES] + rest) / whole:.1%}")


def searched(params: SearchParams, network: OpenNetwork, games: list[Game], visits: int, clock: Clock) -> tuple[float, int]:
    """(milliseconds of processor time for one question, questions) in searches of these positions; `clock` is set to 0 before the first."""
    evaluator = NetworkEvaluator(network, params, params.playout_share)
    search = Search(params, evaluator)
    search.prepare(games[0], games[0].to_play, DEFAULT_KOMI)
    search.run(Limits(simulations=visits))  # what is opened or compiled
    search.clear()
    clock.clear()
    before, start = evaluator.asked(), time.process_time()
    for game in games:
        search.forget_tree()
        search.prepare(game, game.to_play, DEFAULT_KOMI)
        search.run(Limits(simulations=visits))
    asked = evaluator.asked() - before
    return 1000.0 * (time.process_time() - start) / asked, asked


def positions(paths: list[Path], every: int) -> Iterator[Game]:
    """The positions of the records."""
    for path in find_files(paths):
        for source in read_sources(path):
            record = read_record(source, CHINESE, DEFAULT_KOMI)
            for number in range(every, len(record.moves), every):
                yield record.position(number)


if __name__ == "__main__":
    main()
