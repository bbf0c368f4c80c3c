"""Rows of the figures: a fixed set, and classes generated with exact moments or as stripes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solve_triangular

from posteriori.arrays import Array, Codes

#: One feature and two classes, whose least squares line agrees with that of [Jordan] §7.1 to the printed digits.
LOW = (0.05, 0.15, 0.18, 0.23, 0.24, 0.28, 0.31, 0.34, 0.34, 0.45, 0.47)
HIGH = (0.6, 0.62, 0.63, 0.68, 0.73, 0.75, 0.76, 0.77, 0.87, 0.89, 0.96, 1.0, 1.0)
#: The point of class 1 that the book adds, far on the correct side.
ADDED = 1.5


def line_rows(added: int = 0) -> tuple[Array, Codes]:
    """Return rows (n, 1) of one feature and their classes (n,), followed by `added` copies of the point (1.5, 1).

    >>> X, y = line_rows(5)
    >>> X.shape, int(y.sum())
    ((29, 1), 18)
    """
    x = np.array([*LOW, *HIGH, *[ADDED] * added])
    return x[:, None], np.repeat([0, 1], [len(LOW), len(HIGH) + added])


def gaussian_rows(
    means: list[tuple[float, float]], sds: tuple[float, float], random_state: int | None, n: int = 40
) -> tuple[Array, Codes]:
    """Return n rows per class with exactly the given means and standard deviations, without correlation.

    >>> X, y = gaussian_rows([(0.0, 0.0), (2.0, 1.0)], (0.5, 2.0), 0)
    >>> X[y == 1].mean(axis=0).round(9).tolist(), X[y == 0].std(axis=0).round(9).tolist()
    ([2.0, 1.0], [0.5, 2.0])
    """
    rng = np.random.default_rng(random_state)
    X = np.vstack([np.asarray(mean) + whitened_rows(rng, n) * np.asarray(sds) for mean in means])
    return X, np.repeat(np.arange(len(means)), n)


def whitened_rows(rng: np.random.Generator, n: int) -> Array:
    """Return n rows of two features with mean zero and the identity as covariance, exactly."""
    rows = rng.standard_normal((n, 2))
    rows -= rows.mean(axis=0)
    white: Array = solve_triangular(np.linalg.cholesky(rows.T @ rows / n), rows.T, lower=True).T
    return white


def striped_classes(
    random_state: int | None, *, corners: list[float], turn: float, radius: float, lengths: tuple[float, float]
) -> tuple[Array, NDArray[Any]]:
    """Return three classes of 30 rows, each an elongated Gaussian around a corner of a triangle.

    Parameters
    ----------
    random_state : seed of the rows
    corners : angles of the corners in degrees
    turn : angle in degrees from the direction of a corner to the direction of its stripe
    radius : distance of the corners from the origin
    lengths : standard deviations along and across each stripe
    """
    rng = np.random.default_rng(random_state)
    code, angles = np.repeat([0, 1, 2], 30), np.deg2rad(corners)
    out, along = (np.column_stack([np.cos(angle), np.sin(angle)]) for angle in (angles, angles + np.deg2rad(turn)))
    across = np.column_stack([-along[:, 1], along[:, 0]])
    noise = rng.standard_normal((90, 2)) * lengths
    X = radius * out[code] + noise[:, :1] * along[code] + noise[:, 1:] * across[code]
    return X, np.array(["C₁", "C₂", "C₃"])[code]
