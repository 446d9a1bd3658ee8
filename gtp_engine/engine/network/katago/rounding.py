"""Rounds the weights of a product with a matrix to int8 with the smallest possible change of the result.

The rows are rounded one after the other, and later rows compensate for the error of each, as far as the input channels are correlated
(GPTQ, Frantar et al. 2022). Processors without the 8-bit instructions add two weights of a column in 16 bits, so their sum is kept small
enough.
"""

import numpy as np

LARGEST = 127  # a weight
LARGEST_PAIR = 128  # the sum of two neighbors of the same sign: times 255 it fits into 16 bits
DAMPING = 0.01  # of the mean square of a channel, added to each, so that channels that are always 0 have one, too
BLOCK = 64  # rows whose errors are passed on in one product, which takes a tenth of the time of one row at a time
NARROWEST = 1e-6  # the smallest largest weight of a column, or range: zeros still need a scale


def round_weights(weights: np.ndarray, products: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights int8 [K, N] and a scale for each column, float32 [N], for weights [K, N].

    products -- [K, K]: the mean of the product of each pair of input channels
    """
    scales = column_scales(weights)
    left, int8_weights = weights / scales, np.zeros(weights.shape, np.int8)
    spread = np.diag(products).mean()
    damped = products + np.eye(len(products)) * (DAMPING * spread if spread > 0.0 else 1.0)
    upper = np.linalg.cholesky(np.linalg.inv(damped)).T
    for start in range(0, len(left), BLOCK):
        behind = slice(start + BLOCK, None)
        errors = round_block(
            left[start : start + BLOCK], int8_weights[start : start + BLOCK], upper[start : start + BLOCK, start : start + BLOCK]
        )
        left[behind] -= upper[start : start + BLOCK, behind].T @ errors
    return int8_weights, scales.astype(np.float32)


def round_block(left: np.ndarray, int8_weights: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Round the rows `left` into `int8_weights`, in turn; returns the error for which later rows must compensate, [rows, N].

    upper -- [rows, rows]: the share of a row's error that each later row takes. An even number of rows comes before these.
    """
    errors = np.zeros(left.shape)
    for row in range(len(left)):
        beside = int8_weights[row - 1].astype(np.float64) if row % 2 else np.zeros(left.shape[1])
        lowest = np.maximum(-LARGEST_PAIR - np.minimum(beside, 0.0), -LARGEST)
        highest = np.minimum(LARGEST_PAIR - np.maximum(beside, 0.0), LARGEST)
        int8_weights[row] = np.clip(np.round(left[row]), lowest, highest)
        errors[row] = (left[row] - int8_weights[row]) / upper[row, row]
        left[row + 1 :] -= np.outer(upper[row, row + 1 :], errors[row])
    return errors


def column_scales(weights: np.ndarray) -> np.ndarray:
    """[N]: the value of one step of the int8 weights."""
    even = np.concatenate([weights, np.zeros((len(weights) % 2, weights.shape[1]))])
    pairs = even.reshape(-1, 2, weights.shape[1])
    sums = np.maximum(np.maximum(pairs, 0.0).sum(axis=1), np.maximum(-pairs, 0.0).sum(axis=1)).max(axis=0)
    largest = np.abs(weights).max(axis=0)
    return np.asarray(np.maximum(np.maximum(sums / LARGEST_PAIR, largest / LARGEST), NARROWEST / LARGEST))
