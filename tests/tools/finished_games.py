"""Draw finished games with known dead stones, to measure verdicts with: tests/tools/verdict_accuracy.py reads them.

.venv/bin/python tests/tools/finished_games.py ogs-9x9.npz.xz --games 800 --seed 68 --output held-9x9.jsonl [--without finished-9x9.jsonl]

The records are those of a file of `moves`, `lengths`, `winner`, `margin` and, where it has them, `komi` and `rules` (0 Japanese, 1 Chinese;
else Japanese with 6.5): games of all players, one after the other, `row * size + column` each and `size * size` for a pass, Black first. A
game is drawn at random. It is kept where it was counted and GNU Go's dead stones give just the recorded result: so two witnesses agree, the
players and GNU Go, none of them ours. The others go into OUTPUT.disputed. The same command goes on where it was stopped.
"""

import argparse
import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from gtp_process import GtpProcess

from gtp_engine.go.count import count, find_seki
from gtp_engine.go.game import Game, IllegalMove
from gtp_engine.go.points import BLACK, PASS, STRIDE, WHITE, from_vertex, to_color_name, to_vertex
from gtp_engine.go.rules import CHINESE, JAPANESE

PATIENCE = 1200.0  # seconds that GNU Go may take for one position of 19x19 on a busy machine
RULES = (JAPANESE, CHINESE)  # by their number in the records; games by others are passed over


@dataclass(frozen=True)
class Counted:
    """A game that was counted."""

    number: int  # in its file
    moves: list[int]
    komi: float
    rules: int
    result: float  # Black's lead, komi included


def main() -> None:
    """Draw, ask, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path)
    parser.add_argument("--games", type=int, default=800, help="how many to keep (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=68, help="which ones are drawn (default: %(default)s)")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--without", type=Path, nargs="*", default=[], help="files of games that are not to be drawn again")
    parser.add_argument("--gnugo", default="/usr/games/gnugo --mode gtp --level 8", metavar="COMMAND", help="(default: %(default)s)")
    args = parser.parse_args()
    disputed = args.output.with_name(args.output.name + ".disputed")
    known = {tuple(each["moves"]) for path in args.without for each in objects(path)}
    kept, tried = ([each["number"] for each in objects(path)] for path in (args.output, disputed))
    seen, left = {*kept, *tried}, args.games - len(kept)
    with GtpProcess(args.gnugo.split()) as gnugo:
        for counted in drawn(args.records, args.seed):
            if left == 0:
                break
            if counted.number in seen or tuple(counted.moves) in known:
                continue
            found = with_dead(counted, gnugo)
            if found is not None:
                is_kept = found["count"] - counted.komi == counted.result
                left -= is_kept
                with (args.output if is_kept else disputed).open("a") as file:
                    file.write(json.dumps(found) + "\n")
    print(f"{len(list(objects(args.output)))} games kept, {len(list(objects(disputed)))} disputed")


def objects(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a file, if there is one."""
    yield from map(json.loads, path.read_text().splitlines() if path.exists() else [])


def drawn(path: Path, seed: int) -> Iterator[Counted]:
    """The counted games of a file in an order of chance."""
    with lzma.open(path) as file:
        data = dict(np.load(file))
    ends = np.cumsum(data["lengths"].astype(int))
    for number in map(int, np.random.default_rng(seed).permutation(len(ends))):
        margin = float(data["margin"][number])
        rules = int(data["rules"][number]) if "rules" in data else 0
        if margin >= 0.0 and rules < len(RULES):
            moves = data["moves"][ends[number] - int(data["lengths"][number]) : ends[number]].astype(int).tolist()
            komi = float(data["komi"][number]) if "komi" in data else 6.5
            yield Counted(number, moves, komi, rules, margin * int(data["winner"][number]))


def with_dead(counted: Counted, gnugo: GtpProcess) -> dict[str, Any] | None:
    """The game with GNU Go's dead stones and the count by them; None for one that can't be used.

    It can't be played, or it is of 9x9 and didn't end with two passes; records of 19x19 end before the passes.
    """
    size = 9 if max(counted.moves) <= 81 else 19
    game = Game(size, RULES[counted.rules])
    try:
        for number, move in enumerate(counted.moves):
            row, column = divmod(move, size)
            game.play((BLACK, WHITE)[number % 2], PASS if move == size * size else (size - row) * STRIDE + column + 1)
    except IllegalMove:
        return None
    if size == 9 and game.passes() < 2:
        return None
    lines = [f"play {to_color_name(color)} {to_vertex(point)}" for color, point in game.moves]
    for line in (f"boardsize {size}", "clear_board", f"komi {counted.komi}", *lines):
        gnugo.ask(line)
    dead = {from_vertex(vertex, size) for vertex in gnugo.ask("final_status_list dead", PATIENCE).split()}
    return {
        "number": counted.number,
        "moves": counted.moves,
        "size": size,
        "komi": counted.komi,
        "rules": game.rules.name,
        "result": counted.result,
        "dead": [list(divmod(point, STRIDE)) for point in sorted(dead)],
        "count": count(game, dead, find_seki(game, dead)).score,
    }


if __name__ == "__main__":
    main()
