"""Find which program accounts of a server play like a program at hand, and how often people of each rank won against them, on 9x9.

.venv/bin/python docs/figures/anchor_ranks.py ogs-9x9.npz.xz --program "gnugo --mode gtp --level 10 --chinese-rules"

The records name no players; they say which accounts are programs. An account whose moves are nearly always those of the program at hand is
that program. Prints for each account the share of equal moves, and for the accounts above --least what people of a rank won, both
colors alike, from a logistic curve over all their games: nobody counts with more than 20 games.
"""

import argparse
import lzma
import random
import shlex
from collections import Counter
from typing import Any

import numpy as np

from gtp_engine.go.rank_names import UNKNOWN_RANK, rank_text
from gtp_engine.tools.match.client import EngineClient

SIZE, PASS = 9, 81  # a record's number of a pass
COLUMNS = "ABCDEFGHJ"
PATIENCE = 60.0  # seconds for an answer
EARLIEST, LATEST = 6, 34  # moves of a game that are asked about
MOST_OF_ONE = 20  # games of one person
KOMI = 5.5  # that of nearly all games
WEAKEST, STRONGEST = 12, 32  # ranks of the curve, 18k to 3d
SIDES = ((1, "black_player", "white_player", "white_rank", -1), (2, "white_player", "black_player", "black_rank", 1))

Records = dict[str, Any]


def vertex(point: int) -> str:
    """A record's point as GTP spells it."""
    return "pass" if point == PASS else f"{COLUMNS[point % SIZE]}{SIZE - point // SIZE}"


def games_of(records: Records, account: int) -> list[tuple[int, int]]:
    """(game, 0 for Black or 1 for White) of a program's games."""
    return [
        (int(game), bit - 1) for bit, own, *_ in SIDES for game in np.nonzero((records[own] == account) & ((records["bot"] & bit) > 0))[0]
    ]


def is_the_same(records: Records, end: np.ndarray, game: int, side: int, client: EngineClient, dice: random.Random) -> bool | None:
    """Does the program at hand play the account's move at some move of this game? None: the game is too short."""
    length = int(records["lengths"][game])
    moves = [int(move) for move in records["moves"][end[game] - length : end[game]]]
    numbers = [number for number in range(EARLIEST, min(length, LATEST)) if number % 2 == side]
    if not numbers:
        return None
    number = dice.choice(numbers)
    for line in (f"boardsize {SIZE}", "clear_board", f"komi {records['komi'][game]}"):
        client.ask(line, PATIENCE)
    for played in range(number):
        client.ask(f"play {'bw'[played % 2]} {vertex(moves[played])}", PATIENCE)
    return client.ask(f"reg_genmove {'bw'[side]}", PATIENCE).upper() == vertex(moves[number]).upper()


def equal_moves(records: Records, account: int, client: EngineClient, positions: int) -> float:
    """The share of positions of the account's games in which the program plays the same move."""
    dice, end = random.Random(3), np.cumsum(records["lengths"].astype(int))
    games = games_of(records, account)
    answers = [is_the_same(records, end, *game, client, dice) for game in dice.sample(games, min(positions, len(games)))]
    return float(np.mean([answer for answer in answers if answer is not None]))


def people_against(records: Records, account: int) -> tuple[np.ndarray, np.ndarray]:
    """[G, 3]: 1, rank, the person's color (1 black, -1 white); and [G]: has the person won?"""
    rows, won, games_with = [], [], Counter[int]()
    for _, own, other, rank, person in SIDES:
        for game in np.nonzero((records[own] == account) & (records["bot"] != 3) & (records["komi"] == KOMI))[0]:
            number = int(records[rank][game])
            if number == UNKNOWN_RANK or not WEAKEST <= number <= STRONGEST:
                continue
            games_with[int(records[other][game])] += 1
            if games_with[int(records[other][game])] <= MOST_OF_ONE:
                rows.append((1.0, number, person))
                won.append(float(records["winner"][game] == person))
    return np.array(rows), np.array(won)


def logistic(rows: np.ndarray, won: np.ndarray) -> np.ndarray:
    """The coefficients of a logistic regression, by Newton's method."""
    found = np.zeros(rows.shape[1])
    for _ in range(30):
        share = 1.0 / (1.0 + np.exp(-rows @ found))
        found += np.linalg.solve((rows * (share * (1.0 - share))[:, None]).T @ rows, rows.T @ (won - share))
    return found


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records")
    parser.add_argument("--program", required=True, help="the GTP engine at hand")
    parser.add_argument("--accounts", type=int, default=15, help="the most active ones (default: %(default)s)")
    parser.add_argument("--positions", type=int, default=60, help="of each account (default: %(default)s)")
    parser.add_argument("--least", type=float, default=0.97, help="share of equal moves of an account that is it (default: %(default)s)")
    args = parser.parse_args()
    with lzma.open(args.records) as file:
        stored = np.load(file)
        records = {name: stored[name] for name in stored.files}
    active = Counter(int(each) for bit, own, *_ in SIDES for each in records[own][(records["bot"] & bit) > 0])
    with EngineClient(shlex.split(args.program)) as client:
        for account, games in active.most_common(args.accounts):
            share = equal_moves(records, account, client, args.positions)
            print(f"account {account}, {games} games: {share:.0%} equal moves", flush=True)
            if share >= args.least:
                rows, won = people_against(records, account)
                found = logistic(rows, won)
                shares = [f"{rank_text(n)} {1 / (1 + np.exp(-found[0] - found[1] * n)):.0%}" for n in range(WEAKEST, STRONGEST + 1)]
                print(f"  {len(won)} games of people, won by rank: {', '.join(shares)}", flush=True)


if __name__ == "__main__":
    main()
