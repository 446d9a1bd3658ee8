"""Layers of KataGo's file format, written by ourselves, and what they compute, slowly: numpy, [H, W, C], float64.

Each knows how it stands in a file (`write`) and what it computes (`apply`): a second opinion that shares nothing with the package.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

PLANES, GLOBALS, METADATA = 22, 19, 192
Array = Any  # float64


def activate(x: Array, name: str) -> Array:
    """The activations by their definitions."""
    curves: dict[str, Callable[[Array], Array]] = {
        "IDENTITY": lambda v: v,
        "RELU": lambda v: np.maximum(v, 0.0),
        "MISH": lambda v: v * np.tanh(np.log1p(np.exp(v))),
        "SILU": lambda v: v / (1.0 + np.exp(-v)),
    }
    return curves[name](x)


@dataclass
class File:
    """A file as it is written."""

    version: int
    is_binary: bool = True
    parts: list[bytes] = field(default_factory=list)

    def words(self, *words: object) -> None:
        """A line of tokens."""
        self.parts.append(" ".join(map(str, words)).encode() + b"\n")

    def numbers(self, array: Array) -> None:
        """A block of weights."""
        flat = np.asarray(array, np.float32).ravel()
        if self.is_binary:
            self.parts.append(b"@BIN@" + flat.astype("<f4").tobytes() + b"\n")
        else:
            self.parts.append(" ".join(repr(float(value)) for value in flat).encode() + b"\n")

    def activation(self, name: str) -> None:
        """From version 11 on the name stands in the file."""
        self.words("act", *([f"ACTIVATION_{name}"] if self.version >= 11 else []))


class Maker:
    """Draws weights; `act` is the activation of all norms."""

    def __init__(self, version: int, seed: int, act: str = "RELU") -> None:
        self.random = np.random.default_rng(seed)
        self.version = version
        self.act = act if version >= 11 else "RELU"

    def draw(self, *shape: int) -> Array:
        """float32 numbers, small enough that nothing explodes."""
        return (
            self.random.normal(0.0, 0.5 / np.sqrt(max(shape[-2] if len(shape) > 1 else 1, 1)), shape).astype(np.float32).astype(np.float64)
        )


class Part(Protocol):
    """A layer or a block."""

    def write(self, file: File) -> None:
        """Write it in the file's order."""
        ...

    def apply(self, x: Array) -> Array:
        """Compute it."""
        ...


class Conv:
    """[y, x, in, out]."""

    def __init__(self, make: Maker, side: int, inputs: int, outputs: int, dilation: int = 1) -> None:
        self.weights, self.dilation = make.draw(side, side, inputs, outputs), dilation

    def write(self, file: File) -> None:
        """In the file's order."""
        file.words("conv", *self.weights.shape, self.dilation, self.dilation)
        file.numbers(self.weights)

    def apply(self, x: Array) -> Array:
        """Point by point."""
        rows, columns, _ = x.shape
        out = np.zeros((rows, columns, self.weights.shape[3]))
        reach = self.weights.shape[0] // 2
        for row in range(rows):
            for column in range(columns):
                for i in range(-reach, reach + 1):
                    for j in range(-reach, reach + 1):
                        r, c = row + i * self.dilation, column + j * self.dilation
                        if 0 <= r < rows and 0 <= c < columns:
                            out[row, column] += x[r, c] @ self.weights[i + reach, j + reach]
        return out


class Norm:
    """Mean, variance, perhaps scale and bias; then an activation."""

    def __init__(self, make: Maker, channels: int) -> None:
        self.mean, self.variance = make.draw(channels), np.abs(make.draw(channels)) + 0.3
        self.variance = self.variance.astype(np.float32).astype(np.float64)
        self.scale = make.draw(channels) + 1.0 if make.random.random() < 0.5 else None
        self.bias = make.draw(channels) if make.random.random() < 0.7 else None
        self.act = make.act

    def write(self, file: File) -> None:
        """In the file's order."""
        file.words("norm", len(self.mean), 0.001, int(self.scale is not None), int(self.bias is not None))
        for array in (self.mean, self.variance, self.scale, self.bias):
            if array is not None:
                file.numbers(array)
        file.activation(self.act)

    def apply(self, x: Array) -> Array:
        """On the last axis."""
        x = (x - self.mean) / np.sqrt(self.variance + 0.001)
        x = x if self.scale is None else x * np.float32(self.scale)
        return activate(x if self.bias is None else x + self.bias, self.act)


class Matrix:
    """[in, out]."""

    def __init__(self, make: Maker, inputs: int, outputs: int) -> None:
        self.weights = make.draw(inputs, outputs)

    def write(self, file: File) -> None:
        """In the file's order."""
        file.words("matrix", *self.weights.shape)
        file.numbers(self.weights)

    def apply(self, x: Array) -> Array:
        """On the last axis."""
        return x @ self.weights


class Bias:
    """[channels]."""

    def __init__(self, make: Maker, channels: int) -> None:
        self.values = make.draw(channels)

    def write(self, file: File) -> None:
        """In the file's order."""
        file.words("bias", len(self.values))
        file.numbers(self.values)

    def apply(self, x: Array) -> Array:
        """Add it."""
        return x + self.values


class Act:
    """An activation by itself."""

    def __init__(self, make: Maker) -> None:
        self.act = make.act

    def write(self, file: File) -> None:
        """In the file's order."""
        file.activation(self.act)

    def apply(self, x: Array) -> Array:
        """Apply it."""
        return activate(x, self.act)


def pooled(x: Array, of_value: bool = False) -> Array:
    """What global pooling makes of a board."""
    mean = x.mean(axis=(0, 1))
    excess = (np.sqrt(x.shape[0] * x.shape[1]) - 14.0) / 10.0
    third = mean * (excess * excess - 0.1) if of_value else x.max(axis=(0, 1))
    return np.concatenate([mean, mean * excess, third])


def in_turn(x: Array, *layers: Part) -> Array:
    """Layer after layer."""
    for layer in layers:
        x = layer.apply(x)
    return x


def write_all(file: File, *layers: Part) -> None:
    """Layer after layer."""
    for layer in layers:
        layer.write(file)
