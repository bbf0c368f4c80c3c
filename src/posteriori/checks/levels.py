"""Levels of two-sided intervals."""

import numpy as np
from scipy.special import ndtri

from posteriori.messages.errors import DataError


def tail(level: float) -> float:
    """Return the probability beyond each bound of a two-sided interval, (1 - level) / 2; raise if level is not one."""
    if not isinstance(level, int | float | np.number) or not 0 < level < 1:
        raise DataError(f"level={level!r} must lie between 0 and 1, as 0.95 does.")
    return (1.0 - float(level)) / 2.0


def quantile(level: float) -> float:
    """Return the normal quantile of a two-sided level.

    >>> round(quantile(0.95), 6)
    1.959964
    """
    return float(-ndtri(tail(level)))
