"""How far a network agrees with its teacher on labels that it has not learned."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gtp_engine.learning.training.katago.labels import Label, Labels
from gtp_engine.learning.training.katago.positions import NetworkSays

BLUNDER = 0.05  # of what the teacher gives its best move: less than this for the network's own best move is a blunder
TINY = 1e-12


@dataclass(frozen=True)
class LabelFigures:
    """Figures over so many positions."""

    positions: int
    nats: float  # of the teacher's policy under the network's, over the teacher's entropy
    top: float  # share of positions with the same best move
    blunders: float  # share where the network's best move is a blunder for the teacher, see BLUNDER
    win_error: float  # root of the mean squared difference, 0 to 1
    lead_error: float  # mean difference, points
    ownership_error: float  # root of the mean squared difference, -1 to 1

    def as_dict(self) -> dict[str, float]:
        """For JSON."""
        return {name: round(value, 5) for name, value in self.__dict__.items()}


def label_figures(labels: Sequence[Label], said: Sequence[NetworkSays]) -> LabelFigures:
    """The figures of a network that has `said` this of the labels' positions."""
    nats, top, blunders, wins, leads, owners = [], [], [], [], [], []
    for label, answer in zip(labels, said, strict=True):
        taught = label.policy[0].astype(np.float64)
        likely = taught > 0.0
        nats.append(float((taught[likely] * np.log(taught[likely] / np.maximum(answer.policy[likely], TINY))).sum()))
        best = int(np.argmax(answer.policy))
        top.append(best == int(np.argmax(taught)))
        blunders.append(taught[best] < BLUNDER * taught.max())
        wins.append((answer.win - label.win) ** 2)
        leads.append(abs(answer.lead - label.lead))
        owners.append(float(((answer.ownership - label.ownership) ** 2).mean()))
    win_error, ownership_error = (float(np.mean(squares)) ** 0.5 for squares in (wins, owners))
    shares = float(np.mean(nats)), float(np.mean(top)), float(np.mean(blunders))
    return LabelFigures(len(labels), *shares, win_error, float(np.mean(leads)), ownership_error)


def held_out_labels(sources: Sequence[Labels], most: int) -> dict[int, list[Label]]:
    """Held-out labels by board, up to `most` of each, as many of every source as it has in proportion; always the same ones."""
    places: dict[int, list[tuple[int, int]]] = {}
    for number, labels in enumerate(sources):
        for i in np.flatnonzero(labels.held_out).tolist():
            places.setdefault(int(labels.arrays["sizes"][i]), []).append((number, i))
    found = {}
    for size, each in sorted(places.items()):
        chosen = np.unique(np.linspace(0, len(each) - 1, min(most, len(each))).round().astype(int))
        found[size] = [sources[number][i] for number, i in (each[k] for k in chosen)]
    return found
