"""Small sets of rows made to be hard for floating point: near planes, wide columns, duplicates, collinear columns."""

import numpy as np


def hostile(seed):
    """Return (X, y, K) by number: classes by a linear score, ties and near ties, then something hostile."""
    rng = np.random.default_rng([seed, 12])
    K = int(rng.choice([2, 2, 3, 4]))
    d, n = int(rng.integers(1, 5 if K == 2 else 3)), int(rng.integers(K + 2, 18 if K == 2 else 11))
    X = rng.integers(-3, 4, (n, d)).astype(float)
    scores = np.column_stack([np.ones(n), X]) @ rng.integers(-2, 3, (d + 1, K))
    y = (scores + rng.choice([1e-3, 1.0, 20.0], p=[0.6, 0.2, 0.2]) * rng.random((n, K))).argmax(axis=1)
    X = KINDS[seed % len(KINDS)](rng, X, y)
    y[:K] = np.arange(K)
    return np.ascontiguousarray(X), y, K


def plain(rng, X, y):
    return X


def near_planes(rng, X, y):
    size = 10.0 ** rng.integers(-15, -6)
    return X + size * rng.choice([0.0, 0.0, 1.0, -1.0, 3.0], X.shape)


def nearer_planes(rng, X, y):
    return X * (1.0 + 2.0**-52 * rng.integers(-2, 3, X.shape)) + rng.choice([0.0, 100.0])


def wide(rng, X, y):
    return X * 10.0 ** rng.uniform(-12, 12, X.shape)


def wide_rows(rng, X, y):
    j = int(rng.integers(X.shape[1]))
    X[:, j] *= 10.0 ** rng.integers(-12, 13, len(X))
    return X


def extreme(rng, X, y):
    return X * 10.0 ** rng.choice([-200.0, 200.0, -250.0, 250.0, 0.0, 100.0], X.shape[1])


def extreme_cells(rng, X, y):
    return X * 10.0 ** rng.choice([-150.0, 150.0, 0.0], X.shape)


def duplicates(rng, X, y):
    again = rng.integers(0, len(X), len(X))
    return np.where(rng.random(len(X))[:, None] < 0.5, X[again], X)


def collinear(rng, X, y):
    total = X.sum(axis=1)
    return np.column_stack([X, X[:, 0] * 3 - 2, total + rng.choice([0.0, 1e-9, 1.0]) * rng.standard_normal(len(X))])


def decimals(rng, X, y):
    return np.column_stack([X / 10.0, (X[:, 0] + X[:, -1]) / 10.0, X[:, 0] / 10.0 + X[:, -1] / 10.0])


def far(rng, X, y):
    return X * 10.0 ** rng.integers(-6, 1) + 10.0 ** rng.integers(3, 10)


def marks(rng, X, y):
    mark = np.zeros((len(X), 1))
    mark[np.flatnonzero(y == y[0])[: int(rng.integers(1, 4))]] = rng.choice([1.0, 1e-12, 1e12, 0.1])
    return np.column_stack([X, mark])


def floats(rng, X, y):
    return X @ rng.standard_normal((X.shape[1], X.shape[1])) + rng.choice([0.0, 1e-13]) * rng.standard_normal(X.shape)


def noise(rng, X, y):
    return rng.standard_normal(X.shape) * 10.0 ** rng.integers(-9, 10, X.shape[1])


KINDS = (
    plain, near_planes, nearer_planes, wide, wide_rows, extreme, extreme_cells, duplicates, collinear, decimals, far,
    marks, floats, noise,
)  # fmt: skip
