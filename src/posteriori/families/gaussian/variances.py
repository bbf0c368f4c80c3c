"""What the Gaussian families share: units, means of empty classes, and the verdict "no spread"."""

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array

LOG_2PI = float(np.log(2.0 * np.pi))

#: Ways to estimate a variance, with the rows each group of rows gives up for its mean:
#: maximum likelihood ([Mitchell] Eq. 14) and unbiased ([Mitchell] Eq. 15).
ESTIMATES = {"ml": 0.0, "unbiased": 1.0}

#: A standard deviation below so many roundings of the mean is no spread.
ROUNDINGS = 8.0 * np.finfo(np.float64).eps


def power_of_two(peak: Array) -> Array:
    """Give the power of two just below each peak, 0 for 0: the unit in which squares are safe.

    >>> power_of_two(np.array([5.0, 0.0, 0.3])).tolist()
    [4.0, 0.0, 0.25]
    """
    _, exponent = np.frexp(peak)
    # not below 2^-1023, whose inverse is the last that is finite; it marks a column as subnormal
    return np.where(peak > 0, np.ldexp(1.0, np.maximum(exponent - 1, -1023)), 0.0)


def inverse(scale: Array) -> Array:
    """Give 1/scale, and 1 where the column is nothing but zeros."""
    return np.divide(1.0, scale, out=np.ones_like(scale), where=scale > 0)


def filled_means(weight: Array, mean: Array) -> Array:
    """Give a class without rows the mean of all rows, so that it neither attracts nor repels."""
    total = weight.sum(axis=0)
    share = np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
    return np.where(weight > 0, mean, (share * mean).sum(axis=0))


def has_spread(scatter: Array, weight: Array, centre: Array) -> NDArray[np.bool_]:
    """Tell spread from rounding: the root mean square must exceed a few roundings of the mean.

    Parameters
    ----------
    scatter, weight, centre : (..., d) sums of squares, sums of weights, and means, in scaled units
    """
    spread: NDArray[np.bool_] = scatter > weight * (ROUNDINGS * centre) ** 2
    return spread


def divided(scatter: Array, divisor: Array) -> Array:
    """Give scatter / divisor, and 0 where the divisor is not positive: there is no estimate."""
    return np.divide(scatter, divisor, out=np.zeros_like(scatter), where=divisor > 0)


def ratios(scale: Array) -> Array:
    """Give each column's unit in the largest of them, for sums over columns."""
    unit = np.where(scale > 0, scale, 1.0)
    top = scale.max()
    return unit / top if top > 0 else np.ones_like(scale)
