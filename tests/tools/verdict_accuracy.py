"""How often is the verdict on finished games right? Each stone, and the count.

.venv/bin/python tests/tools/verdict_accuracy.py GAMES [--network] [--first 0] [--games 1000] [--show]

GAMES is a file of JSON objects, one a line, or a folder or file of SGF records. An object has `moves` (row * size + column, row 0 at the
top, size * size for a pass; Black first, in turn), `size` (if it is left out: 9, or 19 where a move lies beyond), `rules`, and `dead`, the
dead stones as [row from the bottom, column from the left]. Of a record only the result is known: those that were counted after two passes
are used, and their count is compared. Printed: how many games are right, how many of the wrong ones the verdict calls settled, and the
seconds of a verdict, all by the processor's clock. With --network the default network is a witness, as in `final_score`; without it,
the verdict is that of `--evaluator playouts`. --show draws each wrong game: stones that are called dead in small letters, `!` behind a
point that is wrong.
"""

import argparse
import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gtp_engine.engine.player.evaluators import Evaluators
from gtp_engine.engine.player.verdict import Verdict, judge
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, STRIDE, WHITE
from gtp_engine.go.rules import CHINESE, RULE_SETS
from gtp_engine.sgf.reader import DEFAULT_KOMI
from gtp_engine.tools.review.records import find_files, read_record, read_sources

PARAMS = SearchParams(threads=1, seed=1)
RESULT = re.compile(r"([BW])\+([0-9.]+)$")


@dataclass(frozen=True)
class Finished:
    """A game that is over, and what is known of it."""

    name: str
    game: Game
    dead: set[int] | None  # None: not known
    score: float | None  # on the board, without komi; None: not known


def main() -> None:
    """Judge the games and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path)
    parser.add_argument("--first", type=int, default=0, help="the first game that is used, counted from 0")
    parser.add_argument("--games", dest="most", type=int, default=1_000_000, help="how many at most")
    parser.add_argument("--network", action="store_true", help="the default network is asked, too")
    parser.add_argument("--show", action="store_true", help="draw the wrong ones")
    args = parser.parse_args()
    owners = network_owners if args.network else lambda game: None
    seconds: list[float] = []
    wrong = settled = unsettled = 0
    for finished in list(finished_games(args.games))[args.first : args.first + args.most]:
        started = time.process_time()
        verdict = judge(finished.game, owners(finished.game))
        seconds.append(time.process_time() - started)
        unsettled += not verdict.is_settled
        if not is_right(finished, verdict):
            wrong += 1
            settled += verdict.is_settled
            print(f"wrong: {finished.name}{', settled' if verdict.is_settled else ''}", flush=True)
            if args.show:
                print(drawn(finished, verdict), flush=True)
    print(f"{len(seconds) - wrong} of {len(seconds)} right, {settled} of the wrong ones settled, {unsettled} games not settled")
    times = np.array(seconds[1:] or seconds)  # the first one loads what is compiled
    print(f"seconds: mean {times.mean():.3f}, median {np.median(times):.3f}, 95 % {np.quantile(times, 0.95):.3f}, most {times.max():.3f}")


@cache
def evaluators() -> Evaluators:
    """Where the network comes from."""
    return Evaluators(print)


def network_owners(game: Game) -> np.ndarray | None:
    """What the default network says of who owns which point."""
    return evaluators().network_owners(game, PARAMS)


def finished_games(path: Path) -> Iterator[Finished]:
    """The games of a file or a folder."""
    if path.suffix == ".jsonl":
        for number, line in enumerate(path.read_text().splitlines()):
            yield from_object(f"{path.name} {number}", json.loads(line))
        return
    for file in find_files([path]):
        for source in read_sources(file):
            record = read_record(source, CHINESE, DEFAULT_KOMI)
            result, game = RESULT.match(record.result), list(record.positions())[-1]
            if result and game.passes() >= 2:
                lead = float(result[2]) * (1 if result[1] == "B" else -1)
                yield Finished(source.title, game, None, lead + record.komi)


def from_object(name: str, found: dict[str, Any]) -> Finished:
    """The game that a JSON object tells of."""
    moves = found["moves"]
    size = found.get("size") or (9 if max(moves) <= 81 else 19)
    game = Game(size, RULE_SETS[found.get("rules", "chinese")])
    for number, move in enumerate(moves):
        row, column = divmod(move, size)
        game.play((BLACK, WHITE)[number % 2], PASS if move == size * size else (size - row) * STRIDE + column + 1)
    return Finished(name, game, {row * STRIDE + column for row, column in found["dead"]}, None)


def is_right(finished: Finished, verdict: Verdict) -> bool:
    """Is it what is known?"""
    return verdict.dead == finished.dead if finished.dead is not None else verdict.count.score == finished.score


def drawn(finished: Finished, verdict: Verdict) -> str:
    """The board, with the owners' sureness where it is low."""
    game, dead = finished.game, finished.dead if finished.dead is not None else verdict.dead
    rows = []
    for row in range(game.size, 0, -1):
        points = [row * STRIDE + column for column in range(1, game.size + 1)]
        symbols = [".XO"[game.color_at(point)] for point in points]
        told = [symbol.lower() if point in verdict.dead else symbol for symbol, point in zip(symbols, points, strict=True)]
        marks = "".join(
            symbol + ("!" if (point in verdict.dead) != (point in dead) else "?" if point in verdict.seki else " ")
            for symbol, point in zip(told, points, strict=True)
        )
        rows.append(f"{marks}   {' '.join(f'{round(100 * verdict.ownership[point]):4}' for point in points)}")
    score = verdict.count.score if finished.score is None else f"{verdict.count.score}, right: {finished.score}"
    return "\n".join([*rows, f"{game.rules.name}, count {score}", ""])


if __name__ == "__main__":
    main()
