"""How well a network predicts games that it has not seen."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gtp_engine.engine.network.model_file import INPUT, OUTPUTS, OWNERS_OUTPUT, RANKS_INPUT, Description, describe
from gtp_engine.engine.network.rank_input import rank_input
from gtp_engine.engine.network.session import NetworkError, OnnxRuntime, check_form
from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.ranks.sampler import Batch, Sampler
from gtp_engine.learning.training.records import OWNER_UNKNOWN, Records

# planes and ranks, as Batch has them -> policy logits, value logits, scores, and owners, positive where the side to move owns a point
Outputs = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]
Predict = Callable[[np.ndarray, np.ndarray], Outputs]
SAMPLE_SEED = 2026  # every network is asked the same positions


@dataclass(frozen=True)
class Accuracy:
    """Figures over P positions."""

    positions: int
    top1: float  # share of moves that the network thinks the likeliest
    top5: float  # share among the five likeliest
    nll: float  # mean negative log-likelihood of the move played, nats
    value_accuracy: float  # share of winners named right
    value_error: float  # mean squared error of the chance to win, 0..1
    owners: float | None = (
        None  # share of points whose owner at the end is named right; None: the network names none, or no game was counted
    )

    def as_dict(self) -> dict[str, float]:
        """For JSON; what is not known is left out."""
        return {name: round(value, 5) for name, value in self.__dict__.items() if value is not None}


@dataclass(frozen=True)
class Judgements:
    """What was found for each of P positions."""

    ranks: np.ndarray  # how many other moves the network thought as likely as the one played or likelier
    likelihoods: np.ndarray  # log of the probability it gave to the move played
    chances: np.ndarray  # chance to win that it gave the side to move
    values: np.ndarray  # 1 won, 0 lost
    owners: np.ndarray  # share of the points whose owner it named right; not a number where the owners aren't known

    def accuracy(self) -> Accuracy:
        """The figures over all positions."""
        return Accuracy(
            len(self.ranks),
            float((self.ranks < 1).mean()),
            float((self.ranks < 5).mean()),
            float(-self.likelihoods.mean()),
            float(((self.chances > 0.5) == (self.values > 0.5)).mean()),
            float(((self.chances - self.values) ** 2).mean()),
            None if np.isnan(self.owners).all() else float(np.nanmean(self.owners)),
        )


def open_exported(path: Path, threads: int) -> tuple[Predict, Description]:
    """The network in a file, whatever numbers it computes with, and what the file says of it. Raises TrainingError for another file."""
    try:
        network = OnnxRuntime(path, threads)
        check_form(path, network)
    except NetworkError as error:
        raise TrainingError(str(error)) from error

    description = describe(path, network.session.get_modelmeta().custom_metadata_map)

    outputs = [*OUTPUTS, OWNERS_OUTPUT] if network.names_owners else list(OUTPUTS)

    def predict(planes: np.ndarray, ranks: np.ndarray) -> Outputs:
        """See Predict."""
        answers = network.session.run(outputs, {INPUT: planes, RANKS_INPUT: rank_input(ranks)})
        return answers[0], answers[1], answers[2], answers[3] if len(answers) > 3 else None

    return predict, description


def judge(predict: Predict, records: Records, positions: int, batch_size: int = 128, threads: int = 1) -> Accuracy:
    """Ask the network about at least `positions` random positions of the records, always the same ones, as they were played.

    So many threads draw positions and call `predict`.
    """
    sampler = Sampler(records, batch_size, SAMPLE_SEED, augment=False)
    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(lambda step: judge_batch(predict, sampler.batch(step)), range(-(-positions // batch_size))))
    return Judgements(*(np.concatenate([getattr(part, name) for part in parts]) for name in Judgements.__dataclass_fields__)).accuracy()


def judge_batch(predict: Predict, batch: Batch) -> Judgements:
    """The positions of one batch."""
    policy, value, _, owners = predict(batch.planes, batch.ranks)
    policy = policy.astype(np.float64)
    highest = policy.max(1, keepdims=True)
    normalizers = highest[:, 0] + np.log(np.exp(policy - highest).sum(1))
    played = np.take_along_axis(policy, batch.moves[:, None], 1)
    ranks = (policy >= played).sum(1) - 1
    chances = 1.0 / (1.0 + np.exp(-value.astype(np.float64)))
    return Judgements(ranks, played[:, 0] - normalizers, chances, batch.values, owners_right(owners, batch.owners))


def owners_right(named: np.ndarray | None, owners: np.ndarray) -> np.ndarray:
    """[B] share of the points of one side or the other that are named right; not a number where they aren't known."""
    known = np.abs(owners) == 1
    if named is None:
        return np.full(len(owners), np.nan)
    with np.errstate(invalid="ignore"):
        return np.where(
            owners[:, 0] == OWNER_UNKNOWN, np.nan, ((named > 0) == (owners > 0)).astype(float).sum(1, where=known) / known.sum(1)
        )
