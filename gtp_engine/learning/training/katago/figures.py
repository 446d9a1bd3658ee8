"""The agreement of a network with held-out labels: with its teacher, or with the players of records."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gtp_engine.learning.training.katago.positions import NetworkAnswer, RecordLeaf
from gtp_engine.learning.training.katago.source import Label, LabelSource

BLUNDER = 0.05  # share of the teacher's probability of its best move: if the network's best move has less, it is a blunder
TINY = 1e-12


@dataclass(frozen=True)
class LabelFigures:
    """Figures over so many positions."""

    positions: int
    nats: float  # of the teacher's policy under the network's, over the teacher's entropy
    top: float  # share of positions with the same best move
    blunders: float  # share of positions where the network's best move is a blunder, see BLUNDER
    win_error: float  # root of the mean squared difference, 0 to 1
    winner: float  # share of positions with the same likelier winner
    lead_error: float | None  # mean difference, points; None: no label has the lead
    ownership_error: float | None  # root of the mean squared difference, -1 to 1; None: no label has owners

    def as_dict(self) -> dict[str, float | None]:
        """For JSON."""
        return {name: None if value is None else round(value, 5) for name, value in self.__dict__.items()}


def label_figures(labels: Sequence[Label], answers: Sequence[NetworkAnswer]) -> LabelFigures:
    """The figures of a network with these `answers` for the labels' positions."""
    nats, top, blunders, wins, winners, leads, owners = [], [], [], [], [], [], []
    for label, answer in zip(labels, answers, strict=True):
        taught = label.policy[0].astype(np.float64)
        likely = taught > 0.0
        nats.append(float((taught[likely] * np.log(taught[likely] / np.maximum(answer.policy[likely], TINY))).sum()))
        best = int(np.argmax(answer.policy))
        top.append(best == int(np.argmax(taught)))
        blunders.append(taught[best] < BLUNDER * taught.max())
        wins.append((answer.win - label.win) ** 2)
        winners.append((answer.win > 0.5) == (label.win > 0.5))
        leads.append(abs(answer.lead - label.lead))
        owners.append(float(((answer.ownership - label.ownership) ** 2).mean()))
    ownership = mean_of_known(owners)
    shares = float(np.mean(nats)), float(np.mean(top)), float(np.mean(blunders))
    win_error, winner = float(np.mean(wins)) ** 0.5, float(np.mean(winners))
    return LabelFigures(len(labels), *shares, win_error, winner, mean_of_known(leads), None if ownership is None else ownership**0.5)


def mean_of_known(values: Sequence[float]) -> float | None:
    """The mean of the values that aren't nan; None if there are none."""
    numbers = [value for value in values if not np.isnan(value)]
    return float(np.mean(numbers)) if numbers else None


def held_out_labels(sources: Sequence[LabelSource], most: int) -> dict[str, list[Label]]:
    """Held-out labels by source and board, such as `labels.npz, 9x9`, or `9x9` with a single source; up to `most` for each."""
    leaf = RecordLeaf()
    return {
        f"{source.name}, {size}x{size}" if len(sources) > 1 else f"{size}x{size}": labels
        for source in sources
        for size, labels in sorted(source.held_out_labels(most, leaf).items())
    }
