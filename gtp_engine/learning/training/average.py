"""Networks that came from the same start, averaged weight by weight: often better than each of them.

A run from a network that was trained before moves about in one wide valley of the loss; the middle between two of its places often lies
lower than both (Izmailov and others 2018, "Averaging weights leads to wider optima"; Wortsman and others 2022, "Model soups").
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch

from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.accuracy import Accuracy, judge
from gtp_engine.learning.training.export import export, load_network
from gtp_engine.learning.training.imitation import predictor
from gtp_engine.learning.training.model import Network
from gtp_engine.learning.training.records import Records

CPU = torch.device("cpu")


@torch.no_grad()
def mean_network(networks: Sequence[Network]) -> Network:
    """A network whose every weight is the mean of theirs; they must be of one size."""
    mean = Network(networks[0].size)
    weights = [network.state_dict() for network in networks]
    mean.load_state_dict({name: torch.stack([each[name] for each in weights]).mean(0) for name in weights[0]})
    return mean


def average(paths: Sequence[Path], target: Path, held_out: Records, positions: int) -> list[Accuracy]:
    """Write the average of the networks in `paths`, files in float32, to `target`; gives back how good each is, and at last the average.

    Measured on `positions` of the games held out. Raises TrainingError for fewer than two files, for one that is no such network, for
    two sizes, and when the average is worse than the best of them; OSError when `target` can't be written. `target` is then as it was.
    """
    if len(paths) < 2:
        raise TrainingError(f"expected at least two networks to average, found only {paths[0]}")
    found = [load_network(path) for path in paths]
    for path, (network, _) in zip(paths, found, strict=True):
        if network.size != found[0][0].size:
            raise TrainingError(f"{path}: {network.size}, but {paths[0]} is {found[0][0].size}; only networks of one size have an average")
    mean = mean_network([network for network, _ in found])
    judged = [judge(predictor(network, CPU), held_out, positions).overall() for network in [*(network for network, _ in found), mean]]
    best, ours = min(accuracy.nll for accuracy in judged[:-1]), judged[-1]
    if not ours.nll <= best:
        loss = f"{ours.nll:.3f} nats a move, the best of them loses {best:.3f}"
        raise TrainingError(f"{target} was not written: the average loses {loss}; it takes networks that began with the same one")
    latest = max((description for _, description in found), key=lambda description: description.positions)
    export(mean, replace(latest, top1=round(ours.top1, 4), nll=round(ours.nll, 4)), target)
    return judged
