"""Games of people from a record file, as SGF files for reviews: `draw_games.py ogs-9x9.npz.xz --games 40 --output games`.

They are drawn from the last --held-out games, from which the networks in the package have not learned: those between two persons from
--weakest to --strongest, where ranks are told, with --moves moves at least. The same seed draws the same games. A file has the players'
ranks as their names, and what is known of the result.
"""

import argparse
from pathlib import Path

import numpy as np

from gtp_engine.go.points import BLACK, WHITE
from gtp_engine.go.rank_names import rank_text, read_rank
from gtp_engine.go.rules import CHINESE
from gtp_engine.learning.training.rank_accuracy import game_of
from gtp_engine.learning.training.records import RESIGNED, Records, read_record_file
from gtp_engine.sgf.writer import dump


def main() -> None:
    """Draw the games and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path)
    parser.add_argument("--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--games", type=int, default=40, metavar="N", help="(default: 40)")
    parser.add_argument("--held-out", type=int, default=400, metavar="N", help="the last so many games (default: 400)")
    parser.add_argument("--weakest", type=read_rank, default=read_rank("18k"), metavar="RANK", help="(default: 18k)")
    parser.add_argument("--strongest", type=read_rank, default=read_rank("1d"), metavar="RANK", help="(default: 1d)")
    parser.add_argument("--moves", type=int, default=20, metavar="N", help="(default: 20)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    records = read_record_file(args.records)
    people = records.games(len(records) - args.held_out, len(records)).of_persons()
    fits = people.lengths >= args.moves
    if people.ranks is not None:
        fits &= ((people.ranks >= args.weakest) & (people.ranks <= args.strongest)).all(1)
    numbers = np.flatnonzero(fits)
    drawn = np.random.default_rng(args.seed).permutation(numbers)[: args.games]
    args.output.mkdir(parents=True, exist_ok=True)
    for i, number in enumerate(sorted(drawn), 1):
        (args.output / f"game{i:03}.sgf").write_text(record_text(people, int(number)), encoding="utf-8")
    print(f"{len(drawn)} of {len(numbers)} games are in {args.output}")


def record_text(people: Records, number: int) -> str:
    """One game as SGF, under Chinese rules, as record files tell none."""
    players: dict[int, str] = {}
    if people.ranks is not None:
        players = {color: rank_text(int(rank)) for color, rank in zip((BLACK, WHITE), people.ranks[number], strict=True)}
    return dump(game_of(people, number), float(people.komi[number]), CHINESE, players, result_of(people, number))


def result_of(people: Records, number: int) -> str:
    """As in RE: `B+3.5`, `W+R`; empty where nobody is known to have won."""
    winner, margin = int(people.winner[number]), float(people.margin[number])
    if winner == 0:
        return ""
    return f"{'B' if winner > 0 else 'W'}+{'R' if margin == RESIGNED else f'{margin:g}'}"


if __name__ == "__main__":
    main()
