"""What the Gaussian families share about variances: estimates, the test for zero variance, common units."""

import numpy as np

from posteriori.arrays import Array, Mask
from posteriori.linalg.powers_of_two import nonzero

LOG_2PI = float(np.log(2.0 * np.pi))

#: A standard deviation below this many roundings of the mean counts as zero.
ROUNDINGS = 8.0 * np.finfo(np.float64).eps


def lost_degrees(estimate: object) -> float:
    """Return the degrees of freedom that each class loses for its mean: 1 if "unbiased"."""
    return 1.0 if isinstance(estimate, str) and estimate == "unbiased" else 0.0


def varies(scatter: Array, weight: Array, centre: Array) -> Mask:
    """Mark the variances that exceed rounding: the root mean square must exceed a few roundings of the mean.

    Parameters
    ----------
    scatter, weight, centre : (..., d) sums of squares, sums of weights, and means, in scaled units
    """
    return np.asarray(scatter > weight * (ROUNDINGS * centre) ** 2)


def ratios(scale: Array) -> Array:
    """Return each column's unit relative to the largest, for sums over columns."""
    top = scale.max()
    return nonzero(scale) / top if top > 0 else np.ones_like(scale)
