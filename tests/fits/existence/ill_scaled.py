"""Separated tables of three or more classes in extreme units, with constant, repeated and nearly dependent columns."""

import numpy as np

#: Names of the ways in which columns are hard to scale.
UNITS = ["plain", "1e-12..1e12", "1e-150..1e150", "repeated", "constant", "nearly repeated", "aliased to rounding"]


def ill_scaled(seed, units):
    """Return rows, codes of classes, and settings of a fit."""
    rng = np.random.default_rng([seed, UNITS.index(units)])
    K, d, n = rng.integers(3, 6), rng.integers(1, 5), rng.integers(9, 40)
    X = rng.standard_normal((n, d)) if seed % 2 else rng.integers(0, 3, (n, d)).astype(float)
    y = rng.integers(0, K, n)
    if seed % 3 == 0:
        y = (np.column_stack([np.ones(n), X]) @ rng.standard_normal((d + 1, K))).argmax(axis=1)
    y[:K] = range(K)
    X[y == K - 1, 0] += 9.0
    if units == "1e-12..1e12":
        X = X * 10.0 ** rng.integers(-12, 13, d)
    elif units == "1e-150..1e150":
        X = X * 10.0 ** rng.choice([-150, 0, 150], d)
    elif units == "repeated":
        X = np.column_stack([X, X[:, 0]])
    elif units == "constant":
        X = np.column_stack([X, np.full(n, 1e30)])
    elif units == "nearly repeated":
        X = np.column_stack([X, X[:, 0] + 1e-9 * rng.standard_normal(n)])
    elif units == "aliased to rounding":
        X = X * 10.0 ** rng.integers(-3, 4, d) + 1e3
        X = np.column_stack([X, 1e-4 * X[:, 0] + 1e3])
    settings = {"parametrization": "reference", "reference": int(rng.integers(K))} if seed % 4 < 2 else {}
    return X, y, settings
