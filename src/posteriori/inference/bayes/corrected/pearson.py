"""Pearson's type III distribution: the gamma, shifted, scaled and perhaps reflected, by mean, sd and skewness."""

import numpy as np
from scipy.special import gammainc, gammaincc, gammainccinv, gammaincinv, ndtr, ndtri

from posteriori.arrays import Array

#: Skewness below which the normal distribution with one more term (Cornish & Fisher) is as good.
SLIGHT = 1e-3


def quantile(probability: float, skewness: Array) -> Array:
    """Return the quantile of the standard distribution (mean 0, sd 1) of each skewness.

    Of skewness 2 it is that of the exponential distribution, -log(1 - probability) - 1.

    >>> quantile(0.975, np.array([0.0, 2.0, -2.0])).round(4).tolist()
    [1.96, 2.6889, 0.9747]
    """
    z = float(ndtri(probability))
    shape = 4.0 / np.square(np.maximum(np.abs(skewness), SLIGHT))
    at = np.where(skewness > 0, gammaincinv(shape, probability), gammainccinv(shape, probability))
    far = np.where(skewness > 0, at - shape, shape - at) / np.sqrt(shape)
    return np.where(np.abs(skewness) < SLIGHT, z + (z * z - 1.0) * skewness / 6.0, far)


def below(z: Array, skewness: Array) -> Array:
    """Return the probability below z under the standard distribution of each skewness.

    >>> below(np.array([1.96, 2.6889, 0.9747]), np.array([0.0, 2.0, -2.0])).round(4).tolist()
    [0.975, 0.975, 0.975]
    """
    shape = 4.0 / np.square(np.maximum(np.abs(skewness), SLIGHT))
    at = np.maximum(shape + np.sqrt(shape) * np.where(skewness > 0, z, -z), 0.0)
    far = np.where(skewness > 0, gammainc(shape, at), gammaincc(shape, at))
    near = ndtr(z - (z * z - 1.0) * skewness / 6.0)
    found: Array = np.where(np.abs(skewness) < SLIGHT, near, far)
    return found
