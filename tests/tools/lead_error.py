"""How far off are the leads that the engine finds, by the judgement of a strong network?

.venv/bin/python tests/tools/lead_error.py GAMES --network g170-b6c96.bin.gz --every 12

GAMES is a folder of records. Every so many moves, the position is searched by --visits simulations of the engine, and by
--judge simulations with the network. Printed, by how large the lead is that was found: the number of positions; the mean lead found
and the judge's, both for the side that seems to lead; and how far the one is from the other.
"""

import argparse
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.search.params import NETWORK, SearchParams
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK
from gtp_engine.go.rules import CHINESE
from gtp_engine.sgf.reader import DEFAULT_KOMI
from gtp_engine.tools.review.records import find_files, read_record, read_sources

BOUNDS = (0, 5, 10, 20, 40, 80, 1_000)  # points of lead
REPORT_EVERY = 20  # positions


def main() -> None:
    """Search the positions with both and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path)
    parser.add_argument("--network", required=True, help="the judge's file")
    parser.add_argument("--precision", default="f32", help="the judge's: f32 or int8")
    parser.add_argument("--first", type=int, default=20, metavar="MOVES", help="of a game before the first position (default: 20)")
    parser.add_argument("--every", type=int, default=12, metavar="MOVES", help="from one position to the next (default: 12)")
    parser.add_argument("--visits", type=int, default=150)
    parser.add_argument("--judge", type=int, default=100)
    args = parser.parse_args()
    plain = SearchParams(threads=1, seed=1, reading_share=0.0)
    engine = Engine(plain)
    judge = Engine(SearchParams(threads=1, seed=1, network=args.network, evaluator=NETWORK, precision=args.precision))
    rows: list[tuple[float, float]] = []
    for game, komi in positions(args.games, args.first, args.every):
        found = black_lead(engine, game, komi, args.visits)
        rows.append((found, black_lead(judge, game, komi, args.judge)))
        if len(rows) % REPORT_EVERY == 0:
            print(f"{len(rows)} positions", flush=True)
    report(np.array(rows))


def positions(folder: Path, first: int, every: int) -> Iterator[tuple[Game, float]]:
    """(position, komi) of all records in a folder."""
    for path in find_files([folder]):
        for source in read_sources(path):
            record = read_record(source, CHINESE, DEFAULT_KOMI)
            for number, game in enumerate(record.positions()):
                if number >= first and (number - first) % every == 0:
                    yield game.copy(), record.komi


def black_lead(engine: Engine, game: Game, komi: float, visits: int) -> float:
    """Black's lead in points, by a search from nothing."""
    engine.seed = 1  # forgets the tree and the answers
    engine.state.set_game(game)
    engine.state.komi = komi
    score = engine.examine(game.to_play, Limits(visits, early_stop=False)).score
    return score if game.to_play == BLACK else -score


def report(rows: np.ndarray) -> None:
    """Print the table."""
    found, judged = rows.T
    print("lead found | positions | found | judge | error")
    for low, high in [*pairwise(BOUNDS), (0, BOUNDS[-1])]:
        part = (abs(found) >= low) & (abs(found) < high)
        if part.any():
            side = np.sign(found[part])
            means = [float((side * each[part]).mean()) for each in (found, judged)]
            error = float(abs(found[part] - judged[part]).mean())
            print(f"{low}-{high} | {part.sum()} | " + " | ".join(f"{each:.1f}" for each in (*means, error)))


if __name__ == "__main__":
    main()
