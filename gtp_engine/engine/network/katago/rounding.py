"""Rounds the weights of a product with a matrix to int8, so that the result changes as little as can be.

The rows are rounded one after the other, and the rows to come make up for the error of each, as far as the channels that go in are alike
(GPTQ, Frantar et al. 2022). Two weights of a column that processors without 8-bit instructions for it add in 16 bits have room there.
"""

import numpy as np

LARGEST = 127  # a weight
LARGEST_PAIR = 128  # the sum of two neighbours of the same sign: times 255 it fits into 16 bits
DAMPING = 0.01  # of the mean square of a channel, added to each: channels that are always 0 have one, too
BLOCK = 64  # rows: what their errors change further behind is one product, which takes a tenth of the time of a row at a time
NARROWEST = 1e-6  # largest weight of a column, or of a range: what is always 0 still needs a scale


def round_weights(weights: np.ndarray, products: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights int8 [K, N] and a scale for each column, float32 [N], for weights [K, N].

    products -- [K, K]: the mean of the product of each two channels that go in
    """
    scales = column_scales(weights)
    left, whole = weights / scales, np.zeros(weights.shape, np.int8)
    spread = np.diag(products).mean()
    damped = products + np.eye(len(products)) * (DAMPING * spread if spread > 0.0 else 1.0)
    upper = np.linalg.cholesky(np.linalg.inv(damped)).T
    for start in range(0, len(left), BLOCK):
        behind = slice(start + BLOCK, None)
        errors = round_block(left[start : start + BLOCK], whole[start : start + BLOCK], upper[start : start + BLOCK, start : start + BLOCK])
        left[behind] -= upper[start : start + BLOCK, behind].T @ errors
    return whole, scales.astype(np.float32)


def round_block(left: np.ndarray, whole: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Round the rows `left` into `whole`, in turn; gives back the error that the rows behind them are to make up for, [rows, N].

    upper -- [rows, rows]: how much of a row's error each later row takes. An even number of rows comes before them.
    """
    errors = np.zeros(left.shape)
    for row in range(len(left)):
        beside = whole[row - 1].astype(np.float64) if row % 2 else np.zeros(left.shape[1])
        lowest = np.maximum(-LARGEST_PAIR - np.minimum(beside, 0.0), -LARGEST)
        highest = np.minimum(LARGEST_PAIR - np.maximum(beside, 0.0), LARGEST)
        whole[row] = np.clip(np.round(left[row]), lowest, highest)
        errors[row] = (left[row] - whole[row]) / upper[row, row]
        left[row + 1 :] -= np.outer(upper[row, row + 1 :], errors[row])
    return errors


def column_scales(weights: np.ndarray) -> np.ndarray:
    """[N]: what one step of the whole weights is worth."""
    even = np.concatenate([weights, np.zeros((len(weights) % 2, weights.shape[1]))])
    pairs = even.reshape(-1, 2, weights.shape[1])
    sums = np.maximum(np.maximum(pairs, 0.0).sum(axis=1), np.maximum(-pairs, 0.0).sum(axis=1)).max(axis=0)
    largest = np.abs(weights).max(axis=0)
    return np.asarray(np.maximum(np.maximum(sums / LARGEST_PAIR, largest / LARGEST), NARROWEST / LARGEST))
