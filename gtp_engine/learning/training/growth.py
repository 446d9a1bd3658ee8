"""A small network made larger without changing what it says: start small, where learning is fast, and grow when it has learned that.

New channels get random weights from what lies before them and nothing reads them yet; new blocks begin as the identity (Chen, Goodfellow
and Shlens 2016, "Net2Net").
"""

import torch
from torch import Tensor

from gtp_engine.learning.training import TrainingError
from gtp_engine.learning.training.model import Network, Size


@torch.no_grad()
def grow(network: Network, size: Size) -> Network:
    """A network of `size` with the same outputs. Raises TrainingError when it would have to shrink."""
    old = network.size
    if size.blocks < old.blocks or size.channels < old.channels or size.ranks < old.ranks:
        raise TrainingError(f"a network of {old} cannot become one of {size}: it can only grow")
    larger = Network(size)
    weights = larger.state_dict()
    for name, value in network.state_dict().items():
        copy_into(weights[name], split_pooled(name, value, old.channels), size.channels)
    return larger


def split_pooled(name: str, value: Tensor, channels: int) -> tuple[Tensor, ...]:
    """The parts of a weight that read different groups of trunk channels: a block's bias reads first their means, then their maxima."""
    if name.startswith("blocks.") and name.endswith(".bias.weight"):
        return value[:, :channels], value[:, channels:]
    return (value,)


def copy_into(target: Tensor, parts: tuple[Tensor, ...], larger: int) -> None:
    """Put old weights into the larger tensor `target`, in place; what old outputs would read of new channels becomes 0."""
    outputs = len(parts[0])
    if target.dim() > 1:
        target[:outputs] = 0.0
    for i, part in enumerate(parts):
        if target.dim() > 1:
            target[:outputs, i * larger : i * larger + part.shape[1]] = part
        else:
            target[:outputs] = part
