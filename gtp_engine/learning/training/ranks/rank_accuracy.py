"""How well a network that is told ranks knows them: the moves of each rank, and the rank from the moves of a game."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gtp_engine.engine.network.formats import OpenNetwork
from gtp_engine.engine.network.rank_likelihood import estimate, log_likelihoods, log_softmax
from gtp_engine.go.game import Game
from gtp_engine.go.places import point_of
from gtp_engine.go.points import BLACK, PASS, WHITE, opponent
from gtp_engine.go.rank_names import STRONGEST_LEARNED, UNKNOWN_RANK, WEAKEST_LEARNED, rank_text
from gtp_engine.learning.training.ranks.accuracy import SAMPLE_SEED, Predict
from gtp_engine.learning.training.ranks.sampler import Sampler
from gtp_engine.learning.training.records import Records

AWAY = 6  # ranks: how far the wrong ranks are that the right one is compared with
FEWEST = 8  # moves of a player that say anything
Report = Callable[[int], None]  # told how many games are done


@dataclass(frozen=True)
class RankAccuracy:
    """Over P held-out positions of one rank."""

    rank: str
    positions: int
    top1: float  # share of moves predicted when it is told the right rank
    weaker: float  # and one AWAY ranks weaker
    stronger: float  # and one AWAY ranks stronger
    nll: float  # negative log-likelihood of the moves played, nats, when it is told the right rank
    nll_weaker: float
    nll_stronger: float


def judge_moves(predict: Predict, records: Records, positions: int, batch_size: int = 128) -> list[RankAccuracy]:
    """The moves of every rank in at least `positions` random held-out positions of persons; ranks with none are left out."""
    sampler = Sampler(records, batch_size, SAMPLE_SEED, augment=False)
    parts = [judge_batch(predict, sampler, step) for step in range(-(-positions // batch_size))]
    ranks, figures = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts], 1)
    found = []
    for rank in range(WEAKEST_LEARNED, STRONGEST_LEARNED + 1):
        chosen = ranks == rank
        if chosen.any():
            found.append(RankAccuracy(rank_text(rank), int(chosen.sum()), *(float(row[chosen].mean()) for row in figures)))
    return found


def judge_batch(predict: Predict, sampler: Sampler, step: int) -> tuple[np.ndarray, np.ndarray]:
    """The ranks [B] of a batch, and [6, B]: was the move the likeliest when told the right rank, a weaker and a stronger one; its nll."""
    batch = sampler.batch(step)
    known = batch.ranks != UNKNOWN_RANK
    hits, losses = [], []
    for change in (0, -AWAY, AWAY):
        policy = log_softmax(predict(batch.planes, np.where(known, batch.ranks + change, batch.ranks))[0])
        played = np.take_along_axis(policy, batch.moves[:, None], 1)
        hits.append((policy >= played).sum(1) == 1)
        losses.append(-played[:, 0])
    return batch.ranks, np.array(hits + losses, np.float64)


@dataclass(frozen=True)
class ToldRanks:
    """Ranks told from one game each."""

    players: int
    error: float  # mean of the absolute differences, ranks
    covered: float  # share of players whose rank is in the interval
    constant: float  # the error of telling everybody the rank in the middle of these players


def judge_told(network: OpenNetwork, records: Records, games: int, report: Report) -> ToldRanks:
    """Tell the ranks of both persons of the last `games` games, from their own moves."""
    ranks = records.ranks_of_persons()
    errors, covered, trues = [], [], []
    for done, number in enumerate(range(max(len(records) - games, 0), len(records)), 1):
        game = game_of(records, number)
        for color in (BLACK, WHITE):
            true = int(ranks[number, color - BLACK])
            rows = (
                log_likelihoods(game, float(records.komi[number]), network, (color,))
                if WEAKEST_LEARNED <= true <= STRONGEST_LEARNED
                else np.zeros(0)
            )
            if len(rows) >= FEWEST:
                told = estimate(rows)
                errors.append(abs(told.rank - true))
                covered.append(told.low <= true <= told.high)
                trues.append(true)
        report(done)
    constant = np.abs(np.array(trues) - np.median(trues)).mean()
    return ToldRanks(len(errors), float(np.mean(errors)), float(np.mean(covered)), float(constant))


def game_of(records: Records, number: int) -> Game:
    """A game of the records on our board, up to its first illegal move."""
    game, color = Game(records.size), BLACK
    start = int(records.starts[number])
    for move in records.moves[start : start + int(records.lengths[number])]:
        point = point_of(int(move), records.size)
        if point != PASS and not game.is_legal(color, point):
            break
        game.play(color, point)
        color = opponent(color)
    return game
