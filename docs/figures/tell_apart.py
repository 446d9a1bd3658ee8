"""Can a classifier tell games of `--rank` players from those of people of the same ranks? Asks it about games that it has not seen.

.venv/bin/python docs/figures/measure_ranks.py --output games/ranks --games 10 --apart 1 2
.venv/bin/python docs/figures/tell_apart.py games/ranks/games.log ogs-9x9.npz.xz

Beside each game of two persons among the last 400 of the records, which the network didn't learn from, the game of ours is laid whose
ranks are the nearest. A logistic regression sees each player's game as the numbers in FEATURES and says whose it is.
Prints how the games of both end, and, over five parts that are each told by what the other four teach, the share told right and the area
under the curve (AUC: how often it thinks the more of our game, of one of ours and one of a person's; 50 % is guessing), and the AUC of each
feature alone. Both players of a game are in the same part. `--seconds` ends the reading of games early, even between the two kinds.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from rank_games import KOMI, SIZE, most_moves

from gtp_engine.base.jobs.store import CHECKSUM
from gtp_engine.engine.network.formats import OpenNetwork
from gtp_engine.engine.network.human_profile import rank_profile
from gtp_engine.engine.network.loading import NetworkLoader
from gtp_engine.engine.network.look import Angle, look
from gtp_engine.engine.player.ranks.pace import entropy
from gtp_engine.engine.search.params import SearchParams
from gtp_engine.go.game import Game
from gtp_engine.go.points import BLACK, PASS, WHITE, from_vertex, opponent, row_and_column
from gtp_engine.go.rank_names import STRONGEST_LEARNED, WEAKEST_LEARNED, read_rank
from gtp_engine.learning.training.rank_accuracy import game_of
from gtp_engine.learning.training.records import RESIGNED, Records, read_record_file

HELD_OUT = 400  # the last games of the records, which no training of the network that is included learned from
FEWEST = 8  # moves of a player that say anything
FAR = 5  # a move that at least so many others are likelier than comes as a surprise
PARTS = 5
PENALTY = 1.0  # on the square of each weight, as much as that many players' games say
FEATURES = (
    "log-likelihood of the moves, mean",
    "log-likelihood, standard deviation",
    "log-likelihood, least",
    "log-likelihood and entropy together, mean",
    "entropy of the chances, mean",
    "share of the likeliest moves",
    "share of surprising moves",
    "distance to the last move, mean",
    "share of moves on the edge",
    "passes",
    "stones captured, a move",
    "moves of the game",
)


@dataclass(frozen=True)
class Played:
    """A game and the ranks of Black and White, by number."""

    game: Game
    komi: float
    ranks: tuple[int, int]
    was_counted: bool  # not given up, nor lost on time


def our_games(path: Path) -> list[Played]:
    """The even games between ranks in a file of measure_ranks.py that tells their moves."""
    found = []
    for line in path.read_bytes().splitlines()[1:]:
        result = json.loads(line[CHECKSUM + 1 :])
        is_even = " +" not in result["key"]
        if not result["error"] and is_even and "game" in result["value"] and "(" in result["key"].partition(" - ")[2]:
            first, second = (text.partition("(")[0] for text in result["key"].split(" - "))
            ranks = (read_rank(first), read_rank(second))
            game, color = Game(SIZE), BLACK
            for vertex in result["value"]["game"].split():
                game.play(color, from_vertex(vertex, SIZE))
                color = opponent(color)
            has_black = int(result["key"].rpartition("#")[2]) % 2 == 0
            was_counted = len(game.moves) >= most_moves(SIZE) or [point for _, point in game.moves[-2:]] == [PASS, PASS]
            found.append(Played(game, KOMI, ranks if has_black else ranks[::-1], was_counted))
    return found


def people_games(records: Records) -> list[Played]:
    """The held-out games of two persons of ranks that players of ours have, with KOMI."""
    people = records.games(max(len(records) - HELD_OUT, 0), len(records)).of_persons()
    assert people.ranks is not None
    ranks = people.ranks.astype(int)
    chosen = ((ranks >= WEAKEST_LEARNED) & (ranks <= STRONGEST_LEARNED)).all(1) & (people.komi == KOMI)
    return [
        Played(game_of(people, number), KOMI, (int(ranks[number, 0]), int(ranks[number, 1])), bool(people.margin[number] != RESIGNED))
        for number in map(int, np.flatnonzero(chosen))
    ]


def pairs_of(ours: list[Played], people: list[Played]) -> Iterator[tuple[Played, Played]]:
    """Each game of people's with that of ours whose ranks are the nearest, none twice, until there is none."""
    ranks = np.array([each.ranks for each in ours])
    is_free = np.ones(len(ours), np.bool_)
    for each in people[: len(ours)]:
        distance = np.abs(ranks - np.array(each.ranks)).sum(1)
        number = int(np.where(is_free, distance, np.iinfo(np.int64).max).argmin())
        is_free[number] = False
        yield ours[number], each


def features_of(played: Played, network: OpenNetwork) -> list[list[float]]:
    """FEATURES of Black's game and of White's, those who have made too few moves left out."""
    replay, moves = Game(SIZE), played.game.moves
    rows: dict[int, list[list[float]]] = {BLACK: [], WHITE: []}
    passes, captured = {BLACK: 0, WHITE: 0}, {BLACK: 0, WHITE: 0}
    last = PASS
    for color, point in moves:
        if point == PASS:
            passes[color] += 1
        else:
            policy = look(replay, played.komi, network, color, Angle(players=rank_profile(played.ranks[color - BLACK]))).policy
            rows[color].append([*likelihoods(policy, point), distance(point, last), float(is_on_edge(point))])
        empty = int(replay.positions[0]["empty_count"])
        replay.play(color, point)
        captured[color] += int(replay.positions[0]["empty_count"]) - empty + (point != PASS)
        last = point
    found = []
    for color in (BLACK, WHITE):
        if len(rows[color]) >= FEWEST:
            likely, spread, place, away, edge = np.array(rows[color]).T
            moves_alone = [likely.mean(), likely.std(), likely.min(), (likely + spread).mean(), spread.mean()]
            shares = [(place == 0).mean(), (place >= FAR).mean(), np.nanmean(away), edge.mean()]
            found.append([*moves_alone, *shares, passes[color], captured[color] / len(likely), math.log(len(moves))])
    return found


def likelihoods(policy: dict[int, float], point: int) -> tuple[float, float, float]:
    """Of a move: the logarithm of its chance, the entropy of all, and how many others are likelier."""
    chance = policy[point]
    return math.log(chance), entropy(policy.values()), float(sum(other > chance for other in policy.values()))


def distance(point: int, last: int) -> float:
    """Lines between a move and the last one, the larger way; not a number after a pass."""
    if last == PASS:
        return math.nan
    (row, column), (last_row, last_column) = row_and_column(point), row_and_column(last)
    return float(max(abs(row - last_row), abs(column - last_column)))


def is_on_edge(point: int) -> bool:
    """Is it on the first line?"""
    return any(line in (1, SIZE) for line in row_and_column(point))


def trained(rows: np.ndarray, is_ours: np.ndarray) -> np.ndarray:
    """The weights, constant first, of a logistic regression with PENALTY, by Newton's method. `rows` [N, F] have mean 0 and deviation 1."""
    full = np.hstack((np.ones((len(rows), 1)), rows))
    penalty = PENALTY * np.diag([0.0, *np.ones(rows.shape[1])])
    weights = np.zeros(full.shape[1])
    for _ in range(30):
        chance = 1.0 / (1.0 + np.exp(-full @ weights))
        curvature = (full * (chance * (1.0 - chance))[:, None]).T @ full + penalty
        weights += np.linalg.solve(curvature, full.T @ (is_ours - chance) - penalty @ weights)
    return weights


def opinions(rows: np.ndarray, is_ours: np.ndarray, games: np.ndarray) -> np.ndarray:
    """[N]: how much each player's game looks like ours, above 0: rather ours, told by what the other parts' games teach."""
    found = np.zeros(len(rows))
    for part in range(PARTS):
        held_out = games % PARTS == part
        mean, deviation = rows[~held_out].mean(0), rows[~held_out].std(0) + 1e-9
        weights = trained((rows[~held_out] - mean) / deviation, is_ours[~held_out])
        found[held_out] = weights[0] + (rows[held_out] - mean) / deviation @ weights[1:]
    return found


def area_under_curve(scores: np.ndarray, is_ours: np.ndarray) -> float:
    """How often one of ours has the higher score than one of theirs, ties as half."""
    ours, theirs = scores[is_ours == 1.0], scores[is_ours == 0.0]
    return float(np.mean(np.sign(ours[:, None] - theirs[None, :]) / 2 + 0.5))


def ends_of(games: list[Played]) -> str:
    """How these games ended."""
    counted, moves = np.mean([each.was_counted for each in games]), np.mean([len(each.game.moves) for each in games])
    return f"{len(games)} games, {1.0 - counted:.0%} given up or lost on time, {moves:.1f} moves in the mean"


def gather(ours: list[Played], people: list[Played], seconds: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features [N, F], whether each is ours [N], and the number of the pair of games that it belongs to [N]."""
    network, began = NetworkLoader().ranks_network(SearchParams()), time.monotonic()
    np.random.default_rng(1).shuffle(ours)
    rows, kinds, games = [], [], []
    for number, pair in enumerate(pairs_of(ours, people)):
        if time.monotonic() - began > seconds:
            break
        for played, is_ours in zip(pair, (1.0, 0.0), strict=True):
            found = features_of(played, network)
            rows += found
            kinds += [is_ours] * len(found)
            games += [number] * len(found)
    return np.array(rows), np.array(kinds), np.array(games)


def main() -> None:
    """Print what the classifier can tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path, help="the games.log of measure_ranks.py")
    parser.add_argument("records", type=Path)
    parser.add_argument("--seconds", type=float, default=math.inf, help="for reading games (default: as long as it takes)")
    args = parser.parse_args()
    ours, people = our_games(args.games), people_games(read_record_file(args.records))
    print(f"ours: {ends_of(ours)}; people's: {ends_of(people)}")
    rows, is_ours, games = gather(ours, people, args.seconds)
    scores = opinions(rows, is_ours, games)
    right = ((scores > 0.0) == (is_ours == 1.0)).mean()
    print(f"{int(is_ours.sum())} players' games of ours, {int((1.0 - is_ours).sum())} of people")
    print(f"told right: {right:.1%}, AUC {area_under_curve(scores, is_ours):.1%}")
    for place, name in enumerate(FEATURES):
        area = area_under_curve(rows[:, place], is_ours)
        means = [rows[is_ours == kind, place].mean() for kind in (1.0, 0.0)]
        print(f"  {name}: AUC {max(area, 1.0 - area):.1%}, ours {means[0]:.2f}, people's {means[1]:.2f}")


if __name__ == "__main__":
    main()
