"""Powers of two as units of columns: multiplying by them rounds nothing, and squares stay in the range of floats."""

import numpy as np

from posteriori.arrays import Array


def power_of_two(peak: Array) -> Array:
    """Return the power of two at or just below each peak, and 0 for 0: the unit in which squares are safe.

    >>> power_of_two(np.array([5.0, 0.0, 0.3])).tolist()
    [4.0, 0.0, 0.25]
    """
    _, exponent = np.frexp(peak)
    # not below 2^-1023, the last one with a finite inverse; it marks a column as subnormal
    return np.where(peak > 0, np.ldexp(1.0, np.maximum(exponent - 1, -1023)), 0.0)


def nonzero(scale: Array) -> Array:
    """Return the scale with 1 in place of 0, so that it can be divided by."""
    return np.where(scale > 0, scale, 1.0)


def inverse(scale: Array) -> Array:
    """Return 1 / scale, and 1 where the scale is 0."""
    return 1.0 / nonzero(scale)
