"""Gaussian discriminants far from all classes, where the plain formula loses the difference between them."""

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.families.gaussian.variances import inverse

#: A log density beyond this has fewer than three digits left after the decimal point.
FAR = 1e13
#: Differences are brought within 2^990, short of overflow.
REACH = 990


def far_rows(scores: Array) -> NDArray[np.intp]:
    """List the rows of scores (n, K) that are too large, infinite or NaN to be compared as they are."""
    # written with min and max: a NaN fails both comparisons
    near = (scores.min(axis=1) > -FAR) & (scores.max(axis=1) < FAR)
    return np.flatnonzero(~near)


def overflowed(distances: Array, columns: Array) -> Array:
    """Return squared distances (n, K) in which NaN is replaced by infinity in every row without a missing cell.

    Products with a whitening matrix overflow with both signs for cells near the largest float, and inf - inf is NaN or
    not depending on the order in which the processor adds.
    """
    if np.isnan(distances).any():
        distances[np.isnan(distances) & np.isfinite(columns).all(axis=1, keepdims=True)] = np.inf
    return distances


def linear_scores(columns: Array, scale: Array, origin: Array, coef: Array, cells: Array) -> Array:
    """Give sum_j coef_kj v_j + cells_kj over the cells present, v = x / scale - origin, (n, K).

    Between classes that share a covariance the squares of x cancel; in this form they are never computed.

    Book: [Bishop] Eq. 4.68-4.70, §4.2.1; [Jordan] Eq. 7.27, §7.2.1.
    """
    away = columns * inverse(scale)
    away -= origin
    missing = np.isnan(away)
    if not missing.any():
        whole: Array = away @ coef.T + cells.sum(axis=1)
        return whole
    missing = np.isnan(columns)
    away[missing] = 0.0
    scores: Array = away @ coef.T + (~missing) @ cells.T
    return scores


def far_scores(columns: Array, scale: Array, centre: Array, precision: Array, cells: Array) -> Array:
    """Give the discriminants of rows far from all classes, decided in the limit, (n, K).

    The Mahalanobis distances are expanded about the first class's mean and compared by the highest order in
    which the classes differ: quadratic, else linear, else constant. The differences keep their sign and
    order and are scaled down, row by row, to stay finite.

    Parameters
    ----------
    columns : (n, d) rows; a NaN is missing
    scale, centre : (d,), (K, d) units, and class means in them
    precision : (K, d) or (K, d, d) inverse variances in those units
    cells : (K, d) log normalisers, summed over the cells present
    """
    present = ~np.isnan(columns)
    used = np.abs(precision).reshape(len(precision), columns.shape[1], -1).max(axis=(0, 2)) > 0
    shift = centre - centre[0]
    bend = precision * shift if precision.ndim == 2 else np.einsum("kij,kj->ki", precision, shift)
    away, exponent = _in_common_units(np.where(present & used, columns, 0.0), scale, centre[0] * used)
    away[~present] = 0.0
    squares = (away**2) @ precision.T if precision.ndim == 2 else _quadratic(away, precision)
    squares = squares - squares[:, :1]
    slopes = -2.0 * away @ bend.T
    level = present @ (shift * bend).T
    distance, order = _leading(squares, slopes, level, exponent)
    score: Array = -0.5 * distance
    score -= score.max(axis=1, keepdims=True)
    _, size = np.frexp(np.abs(score).max(axis=1))
    score = np.ldexp(score, np.minimum(order * exponent, REACH - size)[:, None]) + present @ cells.T
    score[np.isinf(columns).any(axis=1)] = np.nan
    return score


def _quadratic(away: Array, precision: Array) -> Array:
    return np.stack([np.einsum("ni,ni->n", away @ matrix, away) for matrix in precision], axis=1)


def _in_common_units(columns: Array, scale: Array, origin: Array) -> tuple[Array, NDArray[np.int_]]:
    """Give (x / scale - origin) / 2^e with e (n,) such that every cell is below one: nothing overflows."""
    mantissa, exponent = np.frexp(columns)
    exponent = exponent - np.where(scale > 0, np.frexp(scale)[1] - 1, 0)
    exponent[mantissa == 0] = -(2**12)
    row = np.maximum(exponent.max(axis=1), 1)
    away = np.ldexp(mantissa, exponent - row[:, None]) - np.ldexp(origin, -row[:, None])
    return away, row


def _leading(squares: Array, slopes: Array, level: Array, exponent: NDArray[np.int_]) -> tuple[Array, Array]:
    """Give each row's distances in units of 2^(order e), by the highest order that tells classes apart."""
    quadratic = np.asarray(squares.any(axis=1))
    linear = np.asarray((slopes - slopes[:, :1]).any(axis=1))
    down = np.ldexp(1.0, -exponent)[:, None]
    distance = np.where(
        quadratic[:, None],
        squares + slopes * down + level * down**2,
        np.where(linear[:, None], slopes + level * down, level),
    )
    return distance, np.where(quadratic, 2, np.where(linear, 1, 0))
