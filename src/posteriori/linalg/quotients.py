"""Quotients whose divisor may be zero."""

from typing import Any

import numpy as np

from posteriori.arrays import Array


def quotient(dividend: Any, divisor: Any) -> Array:
    """Return dividend / divisor, and 0 where the divisor is not positive.

    >>> quotient(np.array([1.0, 2.0]), np.array([4.0, 0.0])).tolist()
    [0.25, 0.0]
    """
    zero = np.zeros(np.broadcast(dividend, divisor).shape)
    return np.asarray(np.divide(dividend, divisor, out=zero, where=divisor > 0))


def proportions(weight: Array) -> Array:
    """Return each class's part of the weight of all classes, by column; 0 in a column without weight."""
    return quotient(weight, weight.sum(axis=0))
