"""The activations inside a network, observed in games of the engine."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class TokenNumbers:
    """Statistics of the tokens [., C] at one place of a network. All positions have the same weight, whatever their board size."""

    least: np.ndarray  # float64 [C]
    most: np.ndarray  # float64 [C]
    mean: np.ndarray  # float64 [C]
    products: np.ndarray  # float64 [C, C]: the mean of the product of each pair of channels

    @property
    def reach(self) -> np.ndarray:
        """[C]: the largest absolute value."""
        return np.asarray(np.maximum(np.abs(self.least), np.abs(self.most)))

    def divided(self, factors: np.ndarray) -> "TokenNumbers":
        """The statistics with each channel divided by its factor, which is positive."""
        products = self.products / np.outer(factors, factors)
        return TokenNumbers(self.least / factors, self.most / factors, self.mean / factors, products)


@dataclass(frozen=True)
class Observed:
    """The outputs of graph.build_watched for all positions together."""

    ranges: np.ndarray  # float32 [convolutions, 4], see eight_bits.py
    tokens: tuple[TokenNumbers, ...]  # in the order of the graph's outputs


class Observations:
    """Collects them, position by position."""

    def __init__(self) -> None:
        self._count = 0
        self._ranges = np.zeros((0, 4), np.float32)
        self._tokens: list[TokenNumbers] = []  # `mean` and `products` are sums over the positions

    def see(self, ranges: np.ndarray, tokens: list[np.ndarray]) -> None:
        """Add a position: `ranges` [convolutions, 4], and the other outputs, [1, H * W, C] each."""
        numbers = [numbers_of(values[0]) for values in tokens]
        if self._count:
            least, most = np.minimum(self._ranges, ranges), np.maximum(self._ranges, ranges)
            ranges = np.stack([least[:, 0], most[:, 1], least[:, 2], most[:, 3]], axis=1)
            numbers = [both(*pair) for pair in zip(self._tokens, numbers, strict=True)]
        self._ranges, self._tokens = ranges, numbers
        self._count += 1

    def result(self) -> Observed:
        """The statistics of all positions, at least one."""
        means = (TokenNumbers(one.least, one.most, one.mean / self._count, one.products / self._count) for one in self._tokens)
        return Observed(self._ranges, tuple(means))


def numbers_of(tokens: np.ndarray) -> TokenNumbers:
    """The statistics of one position's tokens, float32 [L, C]."""
    products = (tokens.T @ tokens / len(tokens)).astype(np.float64)
    return TokenNumbers(tokens.min(axis=0), tokens.max(axis=0), tokens.mean(axis=0, dtype=np.float64), products)


def both(one: TokenNumbers, other: TokenNumbers) -> TokenNumbers:
    """The combined range of both, and the sums of their means and products."""
    ends = np.minimum(one.least, other.least), np.maximum(one.most, other.most)
    return TokenNumbers(*ends, one.mean + other.mean, one.products + other.products)
