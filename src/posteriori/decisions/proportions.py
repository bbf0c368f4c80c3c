"""Confidence intervals of proportions."""

import numpy as np

from posteriori.arrays import Array


def wilson(share: Array, count: Array, z: float) -> tuple[Array, Array]:
    """Return Wilson's interval (1927) of proportions: the values that a z-test does not reject.

    With n rows and proportion s,

        (s + z^2/2n -+ z sqrt(s(1 - s)/n + z^2/4n^2)) / (1 + z^2/n).

    It stays within 0 and 1, and has positive length where the proportion is 0 or 1.

    Parameters
    ----------
    share, count : (m,) proportions and numbers of rows
    z : quantile of the normal distribution, 1.96 for a level of 0.95

    Returns
    -------
    lower and upper bounds, (m,) each

    Examples
    --------
    >>> [round(bound.item(), 4) for bound in wilson(np.array(1.0), np.array(100.0), 1.959964)]
    [0.963, 1.0]
    """
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    reach = z / (1 + z * z / count) * np.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
    return np.maximum(0.0, middle - reach), np.minimum(1.0, middle + reach)
