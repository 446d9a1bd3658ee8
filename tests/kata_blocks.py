"""Blocks of KataGo's file format, see kata_layers.py."""

from typing import Any

import numpy as np
from kata_layers import Array, Conv, File, Maker, Matrix, Norm, Part, activate, in_turn, pooled, write_all


class Residual:
    """An ordinary block."""

    kind = "ordinary_block"

    def __init__(self, make: Maker, channels: int) -> None:
        self.layers: list[Part] = [Norm(make, channels), Conv(make, 3, channels, 5), Norm(make, 5), Conv(make, 3, 5, channels)]

    def write(self, file: File) -> None:
        """In the file's order."""
        write_all(file, *self.layers)

    def apply(self, x: Array) -> Array:
        """With its input added."""
        return x + in_turn(x, *self.layers)


class PoolingResidual:
    """A block with global pooling."""

    kind = "gpool_block"

    def __init__(self, make: Maker, channels: int) -> None:
        self.before, self.first = Norm(make, channels), Conv(make, 3, channels, 5)
        self.seen, self.seen_norm, self.to_bias = Conv(make, 3, channels, 3), Norm(make, 3), Matrix(make, 9, 5)
        self.middle, self.last = Norm(make, 5), Conv(make, 3, 5, channels)

    def write(self, file: File) -> None:
        """In the file's order."""
        write_all(file, self.before, self.first, self.seen, self.seen_norm, self.to_bias, self.middle, self.last)

    def apply(self, x: Array) -> Array:
        """With its input added."""
        start = self.before.apply(x)
        bias = self.to_bias.apply(pooled(in_turn(start, self.seen, self.seen_norm)))
        return x + in_turn(self.first.apply(start) + bias, self.middle, self.last)


class Bottleneck:
    """Blocks of fewer channels within a block; `kinds` of them."""

    kind = "nested_bottleneck_block"

    def __init__(self, make: Maker, channels: int, kinds: tuple[Any, ...] = (Residual, PoolingResidual)) -> None:
        self.before, self.first = Norm(make, channels), Conv(make, 1, channels, 4)
        self.blocks = [kind(make, 4) for kind in kinds]
        self.after, self.last = Norm(make, 4), Conv(make, 1, 4, channels)

    def write(self, file: File) -> None:
        """In the file's order."""
        file.words(len(self.blocks))
        self.before.write(file)
        self.first.write(file)
        write_blocks(file, self.blocks)
        self.after.write(file)
        self.last.write(file)

    def apply(self, x: Array) -> Array:
        """With its input added."""
        return x + in_turn(x, self.before, self.first, *self.blocks, self.after, self.last)


class TokenNorm:
    """Each point divided by the root of its mean square."""

    def __init__(self, make: Maker, channels: int) -> None:
        self.scale = make.draw(channels) + 1.0

    def write(self, file: File) -> None:
        """In the file's order."""
        file.words("rms", len(self.scale), 1e-5)
        file.numbers(self.scale)

    def apply(self, x: Array) -> Array:
        """On the last axis."""
        return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-5) * np.float32(self.scale)


class Attention:
    """Four heads that share two keys; pairs of channels turn with the place. `turning`: learned, fixed, or none."""

    kind = "transformer_attention_block"
    turning = "learned"
    heads, key_heads, size, value_size = 4, 2, 6, 3

    def __init__(self, make: Maker, channels: int) -> None:
        self.norm = TokenNorm(make, channels)
        self.query, self.key = Matrix(make, channels, self.heads * self.size), Matrix(make, channels, self.key_heads * self.size)
        self.value, self.out = (
            Matrix(make, channels, self.key_heads * self.value_size),
            Matrix(make, self.heads * self.value_size, channels),
        )
        self.frequencies = make.draw(self.key_heads, self.size // 2, 2) * 2.0

    def write(self, file: File) -> None:
        """In the file's order."""
        turns, is_learned = int(self.turning != "none"), int(self.turning == "learned")
        file.words(self.heads, self.key_heads, self.size, self.value_size, turns, is_learned)
        write_all(file, self.norm, self.query, self.key, self.value, self.out)
        if is_learned:
            file.words("frequencies", self.key_heads, self.size // 2, 2)
            file.numbers(self.frequencies)
        elif turns:
            file.words("theta", 50.0)

    def angle(self, head: int, pair: int, row: int, column: int) -> float:
        """By how much this pair turns here."""
        if self.turning == "learned":
            x, y = self.frequencies[head * self.key_heads // self.heads, pair]
            return float(column * x + row * y)
        rows = self.size // 4  # pairs that turn with the row
        step = pair if pair < rows else pair - rows
        return float((row if pair < rows else column) / 50.0 ** (2 * step / (self.size // 2)))

    def turned(self, vector: Array, head: int, row: int, column: int) -> Array:
        """A query or key, as complex numbers made of pairs of channels."""
        if self.turning == "none":
            return vector
        pairs = vector[0::2] + 1j * vector[1::2]
        pairs = pairs * np.exp([1j * self.angle(head, pair, row, column) for pair in range(len(pairs))])
        return np.stack([pairs.real, pairs.imag], axis=1).ravel()

    def apply(self, x: Array) -> Array:
        """With its input added."""
        rows, columns, _ = x.shape
        seen = self.norm.apply(x)
        queries, keys, values = (layer.apply(seen) for layer in (self.query, self.key, self.value))
        places = [(row, column) for row in range(rows) for column in range(columns)]
        result = np.zeros((rows, columns, self.heads * self.value_size))
        for head in range(self.heads):
            shared = head * self.key_heads // self.heads
            a, b, v = (slice(k * s, (k + 1) * s) for k, s in ((head, self.size), (shared, self.size), (shared, self.value_size)))
            known = [self.turned(keys[place][b], head, *place) for place in places]
            for place in places:
                scores = np.array([self.turned(queries[place][a], head, *place) @ key for key in known]) / np.sqrt(self.size)
                weights = np.exp(scores - scores.max())
                mixed = sum(weight * values[other][v] for weight, other in zip(weights / weights.sum(), places, strict=True))
                result[place][head * self.value_size : (head + 1) * self.value_size] = mixed
        return x + self.out.apply(result)


class FixedAttention(Attention):
    """Pairs turn by fixed steps."""

    turning = "fixed"


class StillAttention(Attention):
    """Nothing turns."""

    turning = "none"


class FeedForward:
    """Two layers at each point, with a gate."""

    kind = "transformer_ffn_block"

    def __init__(self, make: Maker, channels: int) -> None:
        self.channels, self.norm = channels, TokenNorm(make, channels)
        self.first, self.gate, self.last = Matrix(make, channels, 7), Matrix(make, channels, 7), Matrix(make, 7, channels)

    def write(self, file: File) -> None:
        """In the file's order."""
        file.words(self.channels, 7, 1)
        write_all(file, self.norm, self.first, self.gate, self.last)

    def apply(self, x: Array) -> Array:
        """With its input added."""
        seen = self.norm.apply(x)
        return x + self.last.apply(activate(self.first.apply(seen), "SILU") * self.gate.apply(seen))


def write_blocks(file: File, blocks: list[Any]) -> None:
    """Kind, name, and what is in it."""
    for block in blocks:
        file.words(block.kind)
        file.words("block")
        block.write(file)


class Tip:
    """The last norm of a transformer: the root of the mean square, by point or over the board."""

    def __init__(self, make: Maker, channels: int, is_spatial: bool) -> None:
        self.scale, self.bias, self.is_spatial, self.act = make.draw(channels) + 1.0, make.draw(channels), is_spatial, make.act

    def write(self, file: File) -> None:
        """In the file's order."""
        file.words("tip", len(self.scale), 1e-4, int(self.is_spatial), 0)
        file.numbers(self.scale)
        file.numbers(self.bias)
        file.activation(self.act)

    def apply(self, x: Array) -> Array:
        """Over channels, or over all."""
        size = (x * x).mean() if self.is_spatial else (x * x).mean(axis=-1, keepdims=True)
        return activate(x / np.sqrt(size + 1e-4) * np.float32(self.scale) + self.bias, self.act)
