"""Rows for the figures of [Jordan], chapter 7: a small set of numbers, and Gaussians that are exactly what they say."""

import numpy as np
from scipy.linalg import solve_triangular

from posteriori.arrays import Array, Codes

#: One feature and two classes, our own: their least squares line is, to the digits printed, that of [Jordan] §7.1.
LOW = (0.05, 0.15, 0.18, 0.23, 0.24, 0.28, 0.31, 0.34, 0.34, 0.45, 0.47)
HIGH = (0.6, 0.62, 0.63, 0.68, 0.73, 0.75, 0.76, 0.77, 0.87, 0.89, 0.96, 1.0, 1.0)
#: The point that the book adds: of class 1, and far on its side.
ADDED = 1.5


def line_rows(added: int = 0) -> tuple[Array, Codes]:
    """Give the rows (n, 1) and classes (n,) of one feature, with some at (1.5, 1) after them.

    >>> X, y = line_rows(5)
    >>> X.shape, int(y.sum())
    ((29, 1), 18)
    """
    x = np.array([*LOW, *HIGH, *[ADDED] * added])
    return x[:, None], np.repeat([0, 1], [len(LOW), len(HIGH) + added])


def gaussian_rows(
    means: list[tuple[float, float]], sds: tuple[float, float], random_state: int | None, n: int = 40
) -> tuple[Array, Codes]:
    """Give n rows a class whose means and standard deviations are exactly those asked for, without correlation.

    >>> X, y = gaussian_rows([(0.0, 0.0), (2.0, 1.0)], (0.5, 2.0), 0)
    >>> X[y == 1].mean(axis=0).round(9).tolist(), X[y == 0].std(axis=0).round(9).tolist()
    ([2.0, 1.0], [0.5, 2.0])
    """
    rng = np.random.default_rng(random_state)
    drawn = []
    for mean in means:
        z = rng.standard_normal((n, 2))
        z -= z.mean(axis=0)
        white = solve_triangular(np.linalg.cholesky(z.T @ z / n), z.T, lower=True).T
        drawn.append(np.asarray(mean) + white * np.asarray(sds))
    return np.vstack(drawn), np.repeat(np.arange(len(means)), n)
