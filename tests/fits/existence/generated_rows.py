"""Small sets of rows, many of them separated, many on the edge: for judging separation against exact arithmetic."""

from fractions import Fraction

import numpy as np


def generated(seed):
    """Return (X, y, K, exact): integers with ties, floats, near ties, dummies and dependent columns, by number.

    `exact` are the rows as rationals, which floats are.
    """
    rng = np.random.default_rng(seed)
    K = 2 if seed % 3 else int(rng.integers(3, 5))
    d, n = int(rng.integers(1, 4 if K == 2 else 3)), int(rng.integers(K + 2, 15 if K == 2 else 11))
    kind = KINDS[seed % len(KINDS)]
    X = kind(rng, n, d)
    if rng.random() < 0.65:  # classes by linear scores, so that separation is common; ties are broken at random
        scores = np.column_stack([np.ones(n), X]) @ rng.integers(-2, 3, (X.shape[1] + 1, K))
        y = (scores + 1e-3 * rng.random((n, K))).argmax(axis=1)
        flipped = rng.random(n) < rng.choice([0.0, 0.0, 0.1])
        y[flipped] = rng.integers(0, K, flipped.sum())
    else:
        y = rng.integers(0, K, n)
    y[:K] = np.arange(K)
    exact = [[Fraction(v) for v in row] for row in X.tolist()]
    return X, y, K, exact


def integers(rng, n, d):
    return rng.integers(0, int(rng.integers(2, 5)), (n, d)).astype(float)


def floats(rng, n, d):
    return rng.standard_normal((n, d)) * 10.0 ** rng.integers(-3, 4, d) + rng.choice([0.0, 100.0], d)


def decimals(rng, n, d):
    return rng.integers(-5, 6, (n, d)) / 10.0


def near_ties(rng, n, d):
    X = rng.integers(-2, 3, (n, d)).astype(float)
    return X + rng.choice([0.0, 1e-6, -1e-6, 1e-9], (n, d))


def dummies(rng, n, d):
    level = rng.integers(0, d + 1, n)
    return np.column_stack([np.eye(d + 1)[level][:, 1:], rng.integers(0, 4, n)])


def dependent(rng, n, d):
    X = rng.integers(-2, 3, (n, d)).astype(float)
    return np.column_stack([X, X[:, 0] * 2 + 1, np.full(n, 3.0)])


KINDS = (integers, floats, decimals, near_ties, dummies, dependent, integers)
