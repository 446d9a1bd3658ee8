"""What was observed of the numbers inside a network, in positions that the engine plays."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class TokenNumbers:
    """Of the tokens [., C] at one place. Every position counts the same, however large its board is."""

    least: np.ndarray  # float64 [C]
    most: np.ndarray  # float64 [C]
    mean: np.ndarray  # float64 [C]
    products: np.ndarray  # float64 [C, C]: the mean of the product of each two channels

    @property
    def reach(self) -> np.ndarray:
        """[C]: the largest absolute value."""
        return np.asarray(np.maximum(np.abs(self.least), np.abs(self.most)))

    def divided(self, factors: np.ndarray) -> "TokenNumbers":
        """What it would be with each channel divided by its factor, which is positive."""
        products = self.products / np.outer(factors, factors)
        return TokenNumbers(self.least / factors, self.most / factors, self.mean / factors, products)


@dataclass(frozen=True)
class Observed:
    """What build_watched gives out, of all positions together."""

    ranges: np.ndarray  # float32 [convolutions, 4], see eight_bits.py
    tokens: tuple[TokenNumbers, ...]  # in the order of the graph's outputs


class Observations:
    """Gathers it, position by position."""

    def __init__(self) -> None:
        self._ranges: list[np.ndarray] = []
        self._tokens: list[list[TokenNumbers]] = []

    def see(self, ranges: np.ndarray, tokens: list[np.ndarray]) -> None:
        """Add a position: `ranges` [convolutions, 4], and the other outputs, [1, H * W, C] each."""
        self._ranges.append(ranges)
        self._tokens.append([numbers_of(np.asarray(values[0], np.float64)) for values in tokens])

    def result(self) -> Observed:
        """Of all positions that were added, at least one."""
        ranges = np.stack(self._ranges)
        ends = [ranges[:, :, end].min(axis=0) if end % 2 == 0 else ranges[:, :, end].max(axis=0) for end in range(4)]
        return Observed(np.stack(ends, axis=1), tuple(map(together, zip(*self._tokens, strict=True))))


def numbers_of(tokens: np.ndarray) -> TokenNumbers:
    """Of one position's tokens [L, C]."""
    return TokenNumbers(tokens.min(axis=0), tokens.max(axis=0), tokens.mean(axis=0), tokens.T @ tokens / len(tokens))


def together(each: tuple[TokenNumbers, ...]) -> TokenNumbers:
    """Of several positions."""
    least, most = np.min([one.least for one in each], axis=0), np.max([one.most for one in each], axis=0)
    return TokenNumbers(least, most, np.mean([one.mean for one in each], axis=0), np.mean([one.products for one in each], axis=0))
