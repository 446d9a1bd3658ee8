"""A network made deeper without changing what it says: new layers begin as nothing (Chen, Goodfellow and Shlens 2016, "Net2Net")."""

from dataclasses import replace

import numpy as np

from gtp_engine.engine.network.katago.model import Attention, Block, Bottleneck, Conv, FeedForward, Model, Residual
from gtp_engine.learning.training import TrainingError


def layers_of(blocks: tuple[Block, ...]) -> list[tuple[Block, ...]]:
    """The layers of a trunk: a block each, but an attention together with the feed-forward that follows it."""
    layers: list[tuple[Block, ...]] = []
    for block in blocks:
        if isinstance(block, FeedForward) and layers and isinstance(layers[-1][-1], Attention):
            layers[-1] = (*layers[-1], block)
        else:
            layers.append((block,))
    return layers


def deeper(model: Model, count: int) -> Model:
    """The network with `count` layers. New ones are copies of others, spread evenly, each behind its model, and add nothing yet.

    Raises TrainingError when it has more already.
    """
    layers = layers_of(model.trunk.blocks)
    if count < len(layers):
        raise TrainingError(f"a network of {len(layers)} layers can't become one of {count}: it can only grow")
    grown: list[tuple[Block, ...]] = []
    for i, layer in enumerate(layers):
        copies = (i + 1) * count // len(layers) - i * count // len(layers)
        grown += [layer, *[tuple(map(without_effect, layer))] * (copies - 1)]
    return replace(model, trunk=replace(model.trunk, blocks=tuple(block for layer in grown for block in layer)))


def without_effect(block: Block) -> Block:
    """The block with last weights of 0."""
    if isinstance(block, Attention):
        return replace(block, out=np.zeros_like(block.out))
    if isinstance(block, FeedForward):
        return replace(block, last=np.zeros_like(block.last))
    assert isinstance(block, (Residual, Bottleneck))
    return replace(block, last=Conv(np.zeros_like(block.last.weights), block.last.dilation))
