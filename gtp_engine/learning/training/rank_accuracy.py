"""The accuracy of a human network: how well it predicts the moves of each rank, and the rank from the moves of a game."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gtp_engine.engine.network.formats import OpenNetwork
from gtp_engine.engine.network.human_profile import STRONGEST, WEAKEST
from gtp_engine.engine.network.rank_likelihood import estimate, log_likelihoods, log_softmax
from gtp_engine.go.game import Game
from gtp_engine.go.places import point_of
from gtp_engine.go.points import BLACK, PASS, WHITE, opponent
from gtp_engine.go.rank_names import STRONGEST_LEARNED, WEAKEST_LEARNED, rank_text
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.katago.positions import RecordLeaf
from gtp_engine.learning.training.katago.record_labels import RecordLabels
from gtp_engine.learning.training.records import Records

AWAY = 6  # ranks between the right rank and the wrong ones that it is compared with
FEWEST = 8  # moves of a player for an estimate
Report = Callable[[int], None]  # called with the number of games done


@dataclass(frozen=True)
class RankAccuracy:
    """Over P held-out positions of one rank."""

    rank: str
    positions: int
    top1: float  # share of moves predicted with the right rank
    weaker: float  # the same with one AWAY ranks weaker
    stronger: float  # the same with one AWAY ranks stronger
    nll: float  # negative log-likelihood of the moves played with the right rank, nats
    nll_weaker: float
    nll_stronger: float


def judge_moves(network: OpenNetwork, records: Records, positions: int) -> list[RankAccuracy]:
    """The accuracy for each rank in up to so many evenly spread positions of persons; ranks without positions are left out.

    Raises NetworkError for a network without an input for ranks, and TrainingError if no person has a learned rank.
    """
    leaf, batch = RecordLeaf(), network.backend.new_batch(records.size, 3)
    labels = RecordLabels("", records, np.ones(len(records), bool), by_rank=True).held_out_labels(positions, leaf)
    if not labels:
        raise TrainingError("the records have no move of a person from 20k to 3d")
    ranks, figures = [], []
    for label in labels[records.size]:
        rank = label.position.rank
        network.features.encode(leaf.put(label.position), batch, 0)
        batch.repeat_first()
        batch.tell_ranks([rank, max(rank - AWAY, WEAKEST), min(rank + AWAY, STRONGEST)])
        batch.run()
        policy = log_softmax(batch.policy[:, 0])
        played = policy[:, int(label.policy[0].argmax())]
        ranks.append(rank)
        figures.append([*((policy >= played[:, None]).sum(1) == 1), *-played])
    return by_rank(np.array(ranks), np.array(figures, np.float64))


def by_rank(ranks: np.ndarray, figures: np.ndarray) -> list[RankAccuracy]:
    """The accuracy by rank, from ranks and figures [P, 6] of P positions: hits and losses for the right, a weaker and a stronger rank."""
    accuracies = []
    for rank in range(WEAKEST_LEARNED, STRONGEST_LEARNED + 1):
        chosen = ranks == rank
        if chosen.any():
            accuracies.append(RankAccuracy(rank_text(rank), int(chosen.sum()), *map(float, figures[chosen].mean(0))))
    return accuracies


@dataclass(frozen=True)
class ToldRanks:
    """The accuracy of ranks estimated from one game each."""

    players: int
    error: float  # mean of the absolute differences, ranks
    covered: float  # share of players whose rank is in the interval
    constant: float  # the error of the median rank as an estimate for everybody


def judge_told(network: OpenNetwork, records: Records, games: int, report: Report) -> ToldRanks:
    """Estimate the ranks of both persons of the last `games` games from their moves. Raises TrainingError if there are too few."""
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
                estimated = estimate(rows)
                errors.append(abs(estimated.rank - true))
                covered.append(estimated.low <= true <= estimated.high)
                trues.append(true)
        report(done)
    if not trues:
        raise TrainingError(f"of the last {games} games none has {FEWEST} moves of a person from 20k to 3d: no rank can be told")
    constant = np.abs(np.array(trues) - np.median(trues)).mean()
    return ToldRanks(len(errors), float(np.mean(errors)), float(np.mean(covered)), float(constant))


def game_of(records: Records, number: int) -> Game:
    """A game of the records, up to its first illegal move."""
    game, color = Game(records.size), BLACK
    start = int(records.starts[number])
    for move in records.moves[start : start + int(records.lengths[number])]:
        point = point_of(int(move), records.size)
        if point != PASS and not game.is_legal(color, point):
            break
        game.play(color, point)
        color = opponent(color)
    return game
