"""How many visits a second does a search with this network make, from an empty tree on an empty board?

.venv/bin/python tests/tools/visits_per_second.py FILE --size 9 --precision int8 --threads 2

The searches go by the clock, so nothing else should run. KataGo's own figure comes from `katago benchmark`.
"""

import argparse

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import NETWORK, SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.points import BLACK

SEARCHES = 3


def main() -> None:
    """Search and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network")
    parser.add_argument("--size", type=int, default=19)
    parser.add_argument("--backend", default="onnxruntime")
    parser.add_argument("--precision", default="f32")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each of three searches (default: %(default)s)")
    args = parser.parse_args()
    params = SearchParams(
        evaluator=NETWORK, network=args.network, threads=args.threads, seed=1, backend=args.backend, precision=args.precision
    )
    engine = Engine(params, size=args.size)
    engine.examine(BLACK, Limits(20))  # what is to be compiled or opened
    visits, seconds = 0, 0.0
    for number in range(SEARCHES):
        engine.seed = number + 2  # forgets the tree and the answers
        result = engine.examine(BLACK, Limits(seconds=args.seconds, early_stop=False))
        visits, seconds = visits + result.new_simulations, seconds + result.seconds
    print(f"{args.size}x{args.size}, {args.backend}, {args.precision}, {args.threads} threads: {visits / seconds:.0f} visits a second")


if __name__ == "__main__":
    main()
