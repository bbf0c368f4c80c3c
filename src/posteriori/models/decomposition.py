"""Votes, scores and probabilities of K classes from the results of binary classifiers."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from posteriori.arrays import Array


def count_wins(second: NDArray[Any], pairs: Iterable[tuple[int, int]], n_classes: int) -> NDArray[np.int64]:
    """Return the number of pairs that each class wins, (n, K); `second` marks where the second class of a pair wins.

    >>> count_wins(np.array([[False, True, True]]), [(0, 1), (0, 2), (1, 2)], 3).tolist()
    [[1, 0, 2]]
    """
    counts = np.zeros((len(second), n_classes), dtype=np.int64)
    for column, (i, j) in zip(second.T, pairs, strict=True):
        counts[:, i] += column == 0
        counts[:, j] += column != 0
    return counts


def tie_breaks(scores: Array, pairs: Iterable[tuple[int, int]], n_classes: int) -> Array:
    """Return s / (3 (1 + |s|)), with s the sum of the scores of a class, (n, K): less than half a vote.

    >>> tie_breaks(np.array([[2.0]]), [(0, 1)], 2).round(3).tolist()
    [[-0.222, 0.222]]
    """
    sums = np.zeros((len(scores), n_classes))
    for column, (i, j) in zip(scores.T, pairs, strict=True):
        sums[:, i] -= column
        sums[:, j] += column
    with np.errstate(invalid="ignore"):
        part = sums / (3.0 * (1.0 + np.abs(sums)))
    return np.where(np.isinf(sums), np.sign(sums) / 3.0, np.where(np.isnan(sums), 0.0, part))


def combine_one_vs_rest(logs: Array, has_last: bool) -> Array:
    """Return log P(class | x), (n, K), from the logs of P(rest | x) and P(class | x) in each problem, (n, q, 2).

    The probabilities of K problems are divided by their sum (1/K if all are zero). With K - 1 problems (`has_last`)
    they are proportional to the odds, and to 1 for the last class.

    >>> np.exp(combine_one_vs_rest(np.log([[[0.5, 0.5], [0.75, 0.25]]]), False)).round(3).tolist()
    [[0.667, 0.333]]
    """
    parts = logs[:, :, 1]
    if has_last:
        with np.errstate(invalid="ignore"):
            odds = parts - logs[:, :, 0]
        parts = np.column_stack([odds, np.zeros(len(odds))])
    parts[np.isneginf(parts).all(axis=1)] = 0.0
    certain = np.isposinf(parts).any(axis=1)
    parts[certain] = np.where(np.isposinf(parts[certain]), 0.0, -np.inf)
    normalized: Array = parts - logsumexp(parts, axis=1, keepdims=True)
    return normalized
