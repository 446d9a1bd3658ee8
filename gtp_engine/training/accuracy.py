"""How well a network predicts games that it has not seen."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gtp_engine.network.model_file import INPUT, OUTPUTS, RANKS_INPUT, Description, describe
from gtp_engine.network.rank_input import rank_input
from gtp_engine.network.session import NetworkError, OnnxRuntime, check_form
from gtp_engine.training import TrainingError
from gtp_engine.training.records import Records
from gtp_engine.training.sampler import Batch, Sampler

# planes and ranks, as Batch has them -> policy logits, value logits, scores
Predict = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]]
SAMPLE_SEED = 2026  # every network is asked the same positions
PHASES = (0, 30, 60, 100, 150, 200, 1000)  # move numbers where the parts of a game begin


@dataclass(frozen=True)
class Accuracy:
    """Figures over P positions."""

    positions: int
    top1: float  # share of moves that the network thinks the likeliest
    top5: float  # share among the five likeliest
    nll: float  # mean negative log-likelihood of the move played, nats
    value_accuracy: float  # share of winners named right
    value_error: float  # mean squared error of the chance to win, 0..1

    def as_dict(self) -> dict[str, float]:
        """For JSON."""
        return {name: round(value, 5) for name, value in self.__dict__.items()}


@dataclass(frozen=True)
class Judgements:
    """What was found for each of P positions."""

    numbers: np.ndarray  # moves before it
    ranks: np.ndarray  # how many other moves the network thought as likely as the one played or likelier
    likelihoods: np.ndarray  # log of the probability it gave to the move played
    chances: np.ndarray  # chance to win that it gave the side to move
    values: np.ndarray  # 1 won, 0 lost

    def accuracy(self, chosen: np.ndarray) -> Accuracy:
        """The figures over the positions where `chosen`, booleans, is true."""
        ranks, chances, values = self.ranks[chosen], self.chances[chosen], self.values[chosen]
        return Accuracy(
            len(ranks),
            float((ranks < 1).mean()),
            float((ranks < 5).mean()),
            float(-self.likelihoods[chosen].mean()),
            float(((chances > 0.5) == (values > 0.5)).mean()),
            float(((chances - values) ** 2).mean()),
        )

    def overall(self) -> Accuracy:
        """The figures over all positions."""
        return self.accuracy(np.ones(len(self.ranks), bool))

    def by_phase(self) -> dict[int, Accuracy]:
        """The figures of each part of the game, by the move number at which it begins; parts without positions are left out."""
        phases = np.searchsorted(PHASES, self.numbers, side="right") - 1
        return {PHASES[phase]: self.accuracy(phases == phase) for phase in np.unique(phases)}


def open_exported(path: Path, threads: int) -> tuple[Predict, Description]:
    """The network in a file, whatever numbers it computes with, and what the file says of it. Raises TrainingError for another file."""
    try:
        network = OnnxRuntime(path, threads)
        check_form(path, network)
    except NetworkError as error:
        raise TrainingError(str(error)) from error

    description = describe(path, network.session.get_modelmeta().custom_metadata_map)

    def predict(planes: np.ndarray, ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """See Predict."""
        policy, value, score = network.session.run(
            list(OUTPUTS), {INPUT: planes} | ({RANKS_INPUT: rank_input(ranks)} if description.ranks else {})
        )
        return policy, value, score

    return predict, description


def judge(predict: Predict, records: Records, positions: int, batch_size: int = 128) -> Judgements:
    """Ask the network about at least `positions` random positions of the records, always the same ones, as they were played."""
    sampler = Sampler(records, batch_size, SAMPLE_SEED, augment=False)
    parts = [judge_batch(predict, sampler.batch(step)) for step in range(-(-positions // batch_size))]
    return Judgements(*(np.concatenate([getattr(part, name) for part in parts]) for name in Judgements.__dataclass_fields__))


def judge_batch(predict: Predict, batch: Batch) -> Judgements:
    """The positions of one batch."""
    policy, value, _ = predict(batch.planes, batch.ranks)
    policy = policy.astype(np.float64)
    highest = policy.max(1, keepdims=True)
    normalizers = highest[:, 0] + np.log(np.exp(policy - highest).sum(1))
    played = np.take_along_axis(policy, batch.moves[:, None], 1)
    ranks = (policy >= played).sum(1) - 1
    return Judgements(batch.numbers, ranks, played[:, 0] - normalizers, 1.0 / (1.0 + np.exp(-value.astype(np.float64))), batch.values)
