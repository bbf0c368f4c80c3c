"""The quantile of a distribution function from its logs."""

from collections.abc import Callable

import numpy as np

from posteriori.arrays import Array
from posteriori.messages.errors import DataError

#: Bound on the quantile.
FARTHEST = 1e300


def quantile_of(logs: Callable[[Array], Array], priors: Array) -> float:
    """Return eta with F(eta) = priors[1], by bisection on the log of the less probable class.

    `logs` returns log(1 - F) and log F of eta (n,), (n, 2).

    >>> from posteriori.links.logit import Logit
    >>> quantile_of(lambda eta: Logit().log_probabilities(eta[:, None]), np.array([0.25, 0.75]))
    1.0986122886681...
    """
    rare = 1 if priors[1] < priors[0] else 0
    target, towards = float(np.log(priors[rare])), 1.0 if rare else -1.0

    def value(eta: float) -> float:
        return float(logs(np.array([towards * eta]))[0, rare])

    low, high = -1.0, 1.0
    while not (under := value(low)) < target:
        low = _doubled(low)
    while (over := value(high)) < target:
        high = _doubled(high)
    while under < over:  # until the two are adjacent floats, or F no longer distinguishes them
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        here = value(middle)
        if here < target:
            low, under = middle, here
        else:
            high, over = middle, here
    return towards * high


def _doubled(eta: float) -> float:
    if abs(eta) > FARTHEST:
        raise DataError("the distribution function does not rise from 0 to 1 over the real line.")
    return 2.0 * eta
