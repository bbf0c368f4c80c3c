"""Linear predictors and their sums in numpy: nothing to compile. Same signatures as `linear_compiled`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def column_peaks(X: Array) -> Array:
    """Give the largest absolute value of each column, infinite where a cell is not finite."""
    peaks = np.maximum(X.max(axis=0), -X.min(axis=0))
    return np.where(np.isfinite(peaks), peaks, np.inf)


def column_moments(X: Array, weights: Array, unit: Array) -> tuple[float, Array, Array]:
    """Give the sum of weights, and of x / unit the weighted mean and the scatter about it, by column."""
    Z = X / unit
    total = float(weights.sum())
    origin = Z[0]
    mean = origin + weights @ (Z - origin) / total
    Z -= mean
    drift = weights @ Z
    scatter = weights @ (Z * Z) - drift * drift / total  # the rounding of the mean, put right to first order
    return total, mean + drift / total, scatter


def slope_of(link: str) -> Any:
    """Give the fused loss-and-gradient kernel of a link: none, small tables go in stages."""
    return None
