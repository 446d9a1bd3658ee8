"""Where reading changes what a search thinks, is it nearer to the truth? Positions of games, judged by another network.

.venv/bin/python tests/tools/reading_gain.py games/*.sgf --judge g170-b6c96.bin.gz

In every second position of each record the engine reads, remembering what it read before in the game. Where that tells the search of a
fight, it searches with and without reading, by --visits simulations. The judge, a network of KataGo's without reading, searches the
positions after both moves by --judge-visits simulations. Printed is each position where the two win rates differ by more than --gap, with
the judge's, that of its better move; and in how many of them reading was nearer. The last line is the judge's gain of the moves with
reading over the others where they differ, with its standard error.
"""

import argparse
import math
from dataclasses import dataclass, replace
from pathlib import Path

from gtp_engine.engine.player.engine import Engine
from gtp_engine.engine.player.reading import ReadingLimits
from gtp_engine.engine.search.params import NETWORK, SearchParams
from gtp_engine.engine.search.result import Candidate
from gtp_engine.engine.search.search import Limits
from gtp_engine.go.game import Game
from gtp_engine.go.points import to_color_name, to_vertex
from gtp_engine.sgf import load

FIRST_MOVE = 8  # before it nothing is closed in
NODES = 15_000  # positions for a reading: those of a search of half a second
PARAMS = SearchParams(threads=1, memory=256, seed=1)


@dataclass(frozen=True)
class Compared:
    """One position, searched with and without reading; win rates are those of the player to move."""

    where: str
    moves: tuple[Candidate, Candidate]  # with and without reading
    judged: tuple[float, float]  # the judge's win rate of each

    def is_better(self, gap: float) -> bool | None:
        """Is reading's win rate nearer to the judge's? None: the two don't differ by more than the gap."""
        read, plain = (move.win_rate for move in self.moves)
        truth = max(self.judged)
        return None if abs(read - plain) <= gap else abs(read - truth) < abs(plain - truth)


class Comparison:
    """The engine with reading, without, and the judge."""

    def __init__(self, judge: str, visits: int, judge_visits: int) -> None:
        self.reader, self.plain = Engine(PARAMS, size=9), Engine(replace(PARAMS, reading_share=0.0), size=9)
        self.judge = Engine(replace(PARAMS, evaluator=NETWORK, network=judge, reading_share=0.0), size=9)
        self.visits, self.judge_visits = visits, judge_visits

    def compare(self, path: Path, parity: int) -> list[Compared]:
        """Every second position of the record in which a fight is told, from an odd or an even one on."""
        record, found = load(path), []
        game, search = Game(record.game.size), self.reader._search
        search.clear()
        for number, (color, point) in enumerate(record.game.moves):
            is_in_turn = number >= FIRST_MOVE and number % 2 == parity
            if is_in_turn and int(search._reader.read(game, ReadingLimits(NODES)).record[0]["count"]):
                found.append(self.compare_at(game, record.komi, f"{path} after {number}, {to_color_name(game.to_play)}"))
            game.play(color, point)
        return found

    def compare_at(self, game: Game, komi: float, where: str) -> Compared:
        """Search the position both ways, and judge the moves."""
        read, plain = (best_move(engine, game, komi, self.visits) for engine in (self.reader, self.plain))
        judged = {}
        for point in {read.point, plain.point}:
            after = game.copy()
            after.play(game.to_play, point)
            judged[point] = 1.0 - best_move(self.judge, after, komi, self.judge_visits).win_rate
        return Compared(where, (read, plain), (judged[read.point], judged[plain.point]))


def best_move(engine: Engine, game: Game, komi: float, visits: int) -> Candidate:
    """The best move by a search from nothing; what the engine has read of the game is kept."""
    engine.state.set_game(game.copy())
    engine.state.komi = komi
    engine.forget_tree()
    return engine.examine(game.to_play, Limits(visits, early_stop=False)).best


def main() -> None:
    """Search, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="+", type=Path)
    parser.add_argument("--judge", required=True, help="a network of KataGo's")
    parser.add_argument("--visits", type=int, default=400)
    parser.add_argument("--judge-visits", type=int, default=600)
    parser.add_argument("--gap", type=float, default=0.12, help="of win rate (default: %(default)s)")
    args = parser.parse_args()
    comparison, nearer, gains, told = Comparison(args.judge, args.visits, args.judge_visits), [], [], 0
    for number, path in enumerate(args.records):
        for each in comparison.compare(path, number % 2):
            told += 1
            (read, plain), is_better = each.moves, each.is_better(args.gap)
            if read.point != plain.point:
                gains.append(each.judged[0] - each.judged[1])
            if is_better is not None:
                nearer.append(is_better)
                rates = (
                    f"{read.win_rate:.0%} with reading ({to_vertex(read.point)}), {plain.win_rate:.0%} without ({to_vertex(plain.point)})"
                )
                print(f"{each.where}: {rates}; the judge: {max(each.judged):.0%}", flush=True)
    print(f"{told} positions in which a fight was told; win rates differ in {len(nearer)}, reading's is nearer in {sum(nearer)}")
    if gains:
        mean = sum(gains) / len(gains)
        error = math.sqrt(sum((gain - mean) ** 2 for gain in gains)) / len(gains)
        print(f"moves differ in {len(gains)}: gain of reading's {mean:+.4f} +- {error:.4f}")


if __name__ == "__main__":
    main()
