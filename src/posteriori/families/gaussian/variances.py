"""What the Gaussian families share about variances: estimates, the test for zero variance, common units."""

import numpy as np

from posteriori.arrays import Array, Mask
from posteriori.linalg.powers_of_two import nonzero

LOG_2PI = float(np.log(2.0 * np.pi))

#: Ways to estimate a variance, with the degrees of freedom that each group of rows loses for its mean:
#: maximum likelihood ([Mitchell] Eq. 14) and unbiased ([Mitchell] Eq. 15).
LOST_DEGREES = {"ml": 0.0, "unbiased": 1.0}

#: A standard deviation below this many roundings of the mean counts as zero.
ROUNDINGS = 8.0 * np.finfo(np.float64).eps


def lost_degrees(estimate: object) -> float:
    """Return the degrees of freedom that each class loses for its mean; none under a prior."""
    return LOST_DEGREES.get(estimate, 0.0) if isinstance(estimate, str) else 0.0


def varies(scatter: Array, weight: Array, centre: Array) -> Mask:
    """Mark the variances that exceed rounding: the root mean square must exceed a few roundings of the mean.

    Parameters
    ----------
    scatter, weight, centre : (..., d) sums of squares, sums of weights, and means, in scaled units
    """
    return np.asarray(scatter > weight * (ROUNDINGS * centre) ** 2)


def divided(scatter: Array, divisor: Array) -> Array:
    """Return scatter / divisor, and 0 where the divisor is not positive: there is no estimate."""
    return np.divide(scatter, divisor, out=np.zeros_like(scatter), where=divisor > 0)


def ratios(scale: Array) -> Array:
    """Return each column's unit relative to the largest, for sums over columns."""
    top = scale.max()
    return nonzero(scale) / top if top > 0 else np.ones_like(scale)
