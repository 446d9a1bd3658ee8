"""Adds layers to a network, or an input for the players, without a change of its outputs.

New layers begin without effect (Chen, Goodfellow and Shlens 2016, "Net2Net").
"""

from dataclasses import replace

import numpy as np

from gtp_engine.engine.network.katago.model import (
    METADATA,
    Attention,
    Block,
    Bottleneck,
    Conv,
    FeedForward,
    Layer,
    MetadataEncoder,
    Model,
    Residual,
)
from gtp_engine.learning.training import TrainingError

FIRST_HUMAN_VERSION = 15  # of files with a metadata encoder
PLAYER_CHANNELS = 64  # of its two layers


def layers_of(blocks: tuple[Block, ...]) -> list[tuple[Block, ...]]:
    """The layers of a trunk: each is a block, or an attention with the feed-forward block after it."""
    layers: list[tuple[Block, ...]] = []
    for block in blocks:
        if isinstance(block, FeedForward) and layers and isinstance(layers[-1][-1], Attention):
            layers[-1] = (*layers[-1], block)
        else:
            layers.append((block,))
    return layers


def deeper(model: Model, count: int) -> Model:
    """The network with `count` layers. New ones are copies of evenly spread layers, each after its original, and begin without effect.

    Raises TrainingError if it already has more.
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


def for_ranks(model: Model, seed: int) -> Model:
    """The network as a human network, with the players as an input that begins without effect.

    A human network is returned unchanged. Raises TrainingError for a file version that can't store it.
    """
    if model.header.has_metadata:
        return model
    if model.header.version < FIRST_HUMAN_VERSION:
        actual = f"{model.header.name} is of file version {model.header.version}"
        raise TrainingError(f"{actual}; a network that is told of ranks needs {FIRST_HUMAN_VERSION} or newer, as --new 7x96t")
    random, zeros = np.random.default_rng(seed), np.zeros(PLAYER_CHANNELS, np.float32)
    first, second = (
        Layer(random.normal(0.0, np.sqrt(2.0 / inputs), (inputs, PLAYER_CHANNELS)).astype(np.float32), zeros, "relu")
        for inputs in (METADATA, PLAYER_CHANNELS)
    )
    encoder = MetadataEncoder(first, second, np.zeros((PLAYER_CHANNELS, model.trunk.conv.outputs), np.float32))
    return replace(model, header=replace(model.header, has_metadata=True), trunk=replace(model.trunk, metadata=encoder))
