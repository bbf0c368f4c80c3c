"""Gaussian discriminants of rows far from all classes, where the plain formula loses the difference between them."""

import numpy as np

from posteriori.arrays import Array, Indices
from posteriori.linalg.powers_of_two import inverse

#: A log density above this size has fewer than three digits after the decimal point.
LARGEST_SCORE = 1e13
#: Differences are scaled to stay below 2^990, so that they do not overflow.
LARGEST_EXPONENT = 990


def extreme_rows(scores: Array) -> Indices:
    """Return which rows of scores (n, K) are too large to be compared as they are, or infinite, or NaN."""
    # written with min and max: a NaN fails both comparisons
    near = (scores.min(axis=1) > -LARGEST_SCORE) & (scores.max(axis=1) < LARGEST_SCORE)
    return np.flatnonzero(~near)


def with_overflow(distances: Array, columns: Array) -> Array:
    """Return squared distances (n, K) in which NaN is replaced by infinity in every row without a missing cell.

    Products with a whitening matrix overflow with both signs for cells near the largest float, and inf - inf is NaN or
    not depending on the order in which the processor adds.
    """
    if np.isnan(distances).any():
        distances[np.isnan(distances) & np.isfinite(columns).all(axis=1, keepdims=True)] = np.inf
    return distances


def linear_scores(columns: Array, scale: Array, origin: Array, coef: Array, cells: Array) -> Array:
    """Return sum_j coef_kj v_j + cells_kj over the cells present, v = x / scale - origin, (n, K).

    Between classes that share a covariance the squares of x cancel; in this form they are never computed.

    Book: [Bishop] Eq. 4.68-4.70, §4.2.1; [Jordan] Eq. 7.27, §7.2.1.
    """
    deviation = columns * inverse(scale)
    deviation -= origin
    missing = np.isnan(deviation)
    if not missing.any():
        return np.asarray(deviation @ coef.T + cells.sum(axis=1))
    missing = np.isnan(columns)
    deviation[missing] = 0.0
    return deviation @ coef.T + (~missing) @ cells.T


def extreme_scores(columns: Array, scale: Array, centre: Array, precision: Array, cells: Array) -> Array:
    """Return the discriminants of rows far from all classes, decided in the limit, (n, K).

    The Mahalanobis distances are expanded about the first class's mean and compared by the highest order in
    which the classes differ: quadratic, else linear, else constant. The differences keep their sign and
    order and are scaled down, row by row, to stay finite.

    Parameters
    ----------
    columns : (n, d) rows; NaN is missing
    scale, centre : (d,) units, and (K, d) class means in them
    precision : (K, d) or (K, d, d) inverse variances in those units
    cells : (K, d) log normalisers, summed over the cells present
    """
    present = ~np.isnan(columns)
    used = np.abs(precision).reshape(len(precision), columns.shape[1], -1).max(axis=(0, 2)) > 0
    shift = centre - centre[0]
    slope = precision * shift if precision.ndim == 2 else np.einsum("kij,kj->ki", precision, shift)
    deviation, exponent = _in_common_units(np.where(present & used, columns, 0.0), scale, centre[0] * used)
    deviation[~present] = 0.0
    squares = (deviation**2) @ precision.T if precision.ndim == 2 else _quadratic(deviation, precision)
    squares = squares - squares[:, :1]
    linear = -2.0 * deviation @ slope.T
    level = present @ (shift * slope).T
    distance, order = _leading_order(squares, linear, level, exponent)
    score: Array = -0.5 * distance
    score -= score.max(axis=1, keepdims=True)
    _, size = np.frexp(np.abs(score).max(axis=1))
    score = np.ldexp(score, np.minimum(order * exponent, LARGEST_EXPONENT - size)[:, None]) + present @ cells.T
    score[np.isinf(columns).any(axis=1)] = np.nan
    return score


def _quadratic(deviation: Array, precision: Array) -> Array:
    return np.stack([np.einsum("ni,ni->n", deviation @ matrix, deviation) for matrix in precision], axis=1)


def _in_common_units(columns: Array, scale: Array, origin: Array) -> tuple[Array, Indices]:
    """Return (x / scale - origin) / 2^e, and e (n,) such that every cell is below one and nothing overflows."""
    mantissa, exponent = np.frexp(columns)
    exponent = exponent - np.where(scale > 0, np.frexp(scale)[1] - 1, 0)
    exponent[mantissa == 0] = -(2**12)
    row = np.maximum(exponent.max(axis=1), 1)
    return np.ldexp(mantissa, exponent - row[:, None]) - np.ldexp(origin, -row[:, None]), row


def _leading_order(squares: Array, linear: Array, level: Array, exponent: Indices) -> tuple[Array, Array]:
    """Return each row's distances in units of 2^(order e), by the highest order in which classes differ, and it."""
    quadratic_differs = np.asarray(squares.any(axis=1))
    linear_differs = np.asarray((linear - linear[:, :1]).any(axis=1))
    down = np.ldexp(1.0, -exponent)[:, None]
    distance = np.where(
        quadratic_differs[:, None],
        squares + linear * down + level * down**2,
        np.where(linear_differs[:, None], linear + level * down, level),
    )
    return distance, np.where(quadratic_differs, 2, np.where(linear_differs, 1, 0))
