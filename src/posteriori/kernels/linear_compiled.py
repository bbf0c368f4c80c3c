"""Linear predictors and their sums, compiled: one reading of each row.

Same signatures as `linear_arrays`. `reassoc` lets the compiler add a row's products in vector lanes; NaN and
infinity keep their meaning, so bad cells still show in the result.
"""

import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]

_FAST = {"reassoc", "contract", "nsz"}


@njit(nogil=True, cache=True)
def column_peaks(X: Array) -> Array:
    """Give the largest absolute value of each column, infinite where a cell is not finite."""
    n, d = X.shape
    peaks = np.zeros(d)
    for i in range(n):
        for j in range(d):
            size = abs(X[i, j])
            peaks[j] = peaks[j] if size <= peaks[j] else size  # a NaN is never <=, so it stays
    for j in range(d):
        if not peaks[j] <= 1.7976931348623157e308:
            peaks[j] = np.inf
    return peaks


@njit(nogil=True, cache=True, fastmath=_FAST)
def column_moments(X: Array, weights: Array, unit: Array) -> tuple[float, Array, Array]:
    """Give the sum of weights, and of x / unit the weighted mean and the scatter about it, by column."""
    n, d = X.shape
    inverse = 1.0 / unit
    mean, scatter, drift = np.zeros(d), np.zeros(d), np.zeros(d)
    origin = X[0] * inverse
    total = 0.0
    for i in range(n):
        w = weights[i]
        total += w
        for j in range(d):
            mean[j] += w * (X[i, j] * inverse[j] - origin[j])
    for j in range(d):
        mean[j] = origin[j] + mean[j] / total
    for i in range(n):
        w = weights[i]
        for j in range(d):
            off = X[i, j] * inverse[j] - mean[j]
            drift[j] += w * off
            scatter[j] += w * off * off
    for j in range(d):  # the rounding of the mean, put right to first order
        scatter[j] -= drift[j] * drift[j] / total
        mean[j] += drift[j] / total
    return total, mean, scatter


@njit(nogil=True, cache=True, fastmath=_FAST)
def logit_slope(
    X: Array, centre: Array, weights: Array, intercept: float, counts: Array, offset: Array
) -> tuple[float, float, Array, float]:
    """Give loss, sum of residuals, gradient over centred columns, and least odds of a wrong class.

    The logistic loss of counts (n0, n1) is n1 log(1 + exp(-eta)) + n0 log(1 + exp(eta)), its derivative
    n p - n1. Book: [Jordan] Eq. 7.62-7.64, §7.3.1.
    """
    n, d = X.shape
    gradient = np.zeros(d)
    value, total, overlap = 0.0, 0.0, np.inf
    shifts = offset.shape[0] > 0
    for i in range(n):
        eta = intercept
        for j in range(d):
            eta += (X[i, j] - centre[j]) * weights[j]
        if shifts:
            eta += offset[i, 0]
        n0, n1 = counts[i, 0], counts[i, 1]
        small = math.exp(-abs(eta))  # exp(|eta|) overflows past 709
        rest = small / (1.0 + small)
        tail = math.log1p(small)
        if eta >= 0:
            value += (n0 + n1) * tail + n0 * eta
            residual = n0 - (n0 + n1) * rest
            wrong = n1 * small if n1 > 0 else n0 / small
        else:
            value += (n0 + n1) * tail - n1 * eta
            residual = (n0 + n1) * rest - n1
            wrong = n0 * small if n0 > 0 else n1 / small
        if wrong < overlap or wrong != wrong:
            overlap = wrong
        total += residual
        for j in range(d):
            gradient[j] += residual * (X[i, j] - centre[j])
    return value, total, gradient, overlap


def slope_of(link: str) -> Any:
    """Give the fused loss-and-gradient kernel of a link, or None where it is computed in stages."""
    return {"logit": logit_slope}.get(link)
