"""How often the stronger of two people wins their even game, by how many ranks they are apart: `people_shares.py ogs-9x9.npz.xz`.

Counts games between persons from --weakest to --strongest, komi 5.5, that have a winner. Strong players mostly take White, so the share is
the mean of two: of the games where the stronger had Black, and of those where they had White. Prints a line for each distance, with its
interval of 95 %, and how much a rank is worth on the logarithm of the odds up to that distance.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gtp_engine.base.wilson import SIGMAS_95
from gtp_engine.go.rank_names import rank_text, read_rank
from gtp_engine.learning.training.records import Records, read_record_file

KOMI = 5.5  # that of nearly all games
FARTHEST = 10  # ranks apart
FEWEST = 100  # games of each color that make a share


@dataclass(frozen=True)
class Share:
    """Of the games of people so many ranks apart."""

    apart: int
    games: int
    won: float  # by the stronger, 0..1, both colors alike
    half: float  # of the interval of 95 %

    def __str__(self) -> str:
        low, high = self.won - self.half, self.won + self.half
        slope = np.log(self.won / (1.0 - self.won)) / self.apart
        return f"{self.apart} apart: {self.games:,} games, {self.won:.1%} [{low:.1%} .. {high:.1%}], {slope:.3f} a rank"


def shares_of(records: Records, weakest: int, strongest: int) -> Iterator[Share]:
    """Of each distance of which there are games enough."""
    people = records.of_persons()
    assert people.ranks is not None
    ranks = people.ranks.astype(int)
    counted = (people.komi == KOMI) & (people.winner != 0) & ((ranks >= weakest) & (ranks <= strongest)).all(1)
    black_leads, black_won = (ranks[:, 0] - ranks[:, 1])[counted], (people.winner == 1)[counted]
    for apart in range(1, FARTHEST + 1):
        parts = [black_won[black_leads == apart], ~black_won[black_leads == -apart]]
        if min(map(len, parts)) >= FEWEST:
            means = [float(part.mean()) for part in parts]
            variance = sum(mean * (1.0 - mean) / len(part) for mean, part in zip(means, parts, strict=True)) / 4.0
            yield Share(apart, sum(map(len, parts)), sum(means) / 2.0, SIGMAS_95 * variance**0.5)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", type=Path)
    parser.add_argument("--weakest", type=read_rank, default=read_rank("20k"), metavar="RANK", help="(default: 20k)")
    parser.add_argument("--strongest", type=read_rank, default=read_rank("3d"), metavar="RANK", help="(default: 3d)")
    args = parser.parse_args()
    print(f"people from {rank_text(args.weakest)} to {rank_text(args.strongest)}")
    for share in shares_of(read_record_file(args.records), args.weakest, args.strongest):
        print(share)


if __name__ == "__main__":
    main()
