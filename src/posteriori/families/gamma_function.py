"""Logarithms of the gamma function and its derivatives, in forms that keep their digits for large arguments."""

import numpy as np
from scipy.special import digamma, gammaln, polygamma

from posteriori.arrays import Array, Mask

#: From this argument on the asymptotic series below are exact to rounding.
LARGE = 64.0


def stirling(a: Array) -> Array:
    """Return log Gamma(a) - (a log a - a), the part that Stirling's leading terms leave.

    For a = 1e8 the difference would subtract two terms of size 1e9.

    >>> stirling(np.array([1.0, 1e8])).round(9).tolist()
    [1.0, -8.291401838]
    """
    low, high, large = _split(a)
    small: Array = gammaln(low) - (low * np.log(low) - low)
    b = 1.0 / (high * high)
    series = (1 / 12 - b * (1 / 360 - b * (1 / 1260 - b * (1 / 1680 - b / 1188)))) / high
    return np.where(large, 0.5 * np.log(2.0 * np.pi / high) + series, small)


def log_less_digamma(a: Array) -> Array:
    """Return log a - psi(a) > 0, which is about 1/(2a) for large a.

    >>> log_less_digamma(np.array([1.0, 1e10])).round(13).tolist()
    [0.5772156649015, 5e-11]
    """
    low, high, large = _split(a)
    small: Array = np.log(low) - digamma(low)
    b = 1.0 / (high * high)
    series = 0.5 / high + b * (1 / 12 - b * (1 / 120 - b * (1 / 252 - b * (1 / 240 - b / 132))))
    return np.where(large, series, small)


def trigamma_less_inverse(a: Array) -> Array:
    """Return psi'(a) - 1/a > 0, which is about 1/(2a^2) for large a."""
    low, high, large = _split(a)
    small: Array = polygamma(1, low) - 1.0 / low
    b = 1.0 / (high * high)
    series = b * (0.5 + (1 / 6 - b * (1 / 30 - b * (1 / 42 - b * (1 / 30 - b * 5 / 66)))) / high)
    return np.where(large, series, small)


def _split(a: Array) -> tuple[Array, Array, Mask]:
    """Return a where it is small (else 1), a where it is large (else `LARGE`), and which are large."""
    large: Mask = a >= LARGE
    return np.where(large, 1.0, a), np.where(large, a, LARGE), large
