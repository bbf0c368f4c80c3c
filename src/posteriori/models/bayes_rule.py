"""Bayes' rule for log joint probabilities (n, K), row by row and in place."""

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array


def posterior(joint: Array) -> Array:
    """Return P(k | x); all -inf for a row whose joint probabilities are all zero.

    Book: [Bishop] Eq. 4.62, §4.2.

    >>> posterior(np.log([[1.0, 3.0]])).tolist()
    [[0.25, 0.75]]
    """
    joint -= _top(joint)
    np.exp(joint, out=joint)
    total = joint.sum(axis=1, keepdims=True)
    joint /= total
    joint[total[:, 0] == 0] = -np.inf
    return joint


def log_posterior(joint: Array) -> Array:
    """Return log P(k | x), accurate if P underflows; all -inf for a row whose joint probabilities are all zero."""
    joint -= _top(joint)
    total: Array = np.exp(joint).sum(axis=1, keepdims=True)
    total[total == 0] = 1.0
    joint -= np.log(total)
    return joint


def best(joint: Array) -> Array:
    """Return the code of the largest joint probability, as a float: -inf if all are zero, NaN if one is NaN."""
    codes: Array = joint.argmax(axis=1).astype(np.float64)
    top = joint.max(axis=1)
    codes[np.isneginf(top)] = -np.inf
    codes[np.isnan(top)] = np.nan
    return codes


def log_evidence(joint: Array) -> Array:
    """Return log sum_k p(x | k) P(k), (n,)."""
    top = _top(joint)
    with np.errstate(divide="ignore"):
        result: Array = np.log(np.exp(joint - top).sum(axis=1)) + top[:, 0]
    return result


def impossible(result: Array) -> NDArray[np.intp]:
    """Return the rows that are impossible under every class, from the result of a function above."""
    if result.ndim == 1:
        return np.flatnonzero(np.isneginf(result))
    rows = np.flatnonzero(np.isneginf(result[:, 0]))
    return rows[np.isneginf(result[rows]).all(axis=1)]


def _top(joint: Array) -> Array:
    """Return the largest value of each row, or 0 if it is -inf, so that it can be subtracted."""
    top: Array = joint.max(axis=1, keepdims=True)
    top[np.isneginf(top)] = 0.0
    return top
