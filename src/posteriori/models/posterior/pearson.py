"""Pearson's type III distribution (a shifted, scaled and possibly reflected gamma) by mean, sd and skewness."""

import numpy as np
from scipy.special import gammainc, gammaincc, gammainccinv, gammaincinv, ndtr, ndtri

from posteriori.arrays import Array

#: Skewness below which the first term of Cornish & Fisher beyond the normal distribution is as accurate.
SMALL = 1e-3


def quantile(probability: float, skewness: Array) -> Array:
    """Return the quantile of the standard distribution (mean 0, sd 1) of each skewness.

    With skewness 2 it is that of the exponential distribution, -log(1 - probability) - 1.

    >>> quantile(0.975, np.array([0.0, 2.0, -2.0])).round(4).tolist()
    [1.96, 2.6889, 0.9747]
    """
    z = float(ndtri(probability))
    shape = 4.0 / np.square(np.maximum(np.abs(skewness), SMALL))
    gamma = np.where(skewness > 0, gammaincinv(shape, probability), gammainccinv(shape, probability))
    exact = np.where(skewness > 0, gamma - shape, shape - gamma) / np.sqrt(shape)
    return np.where(np.abs(skewness) < SMALL, z + (z * z - 1.0) * skewness / 6.0, exact)


def below(z: Array, skewness: Array) -> Array:
    """Return the probability below z under the standard distribution of each skewness.

    >>> below(np.array([1.96, 2.6889, 0.9747]), np.array([0.0, 2.0, -2.0])).round(4).tolist()
    [0.975, 0.975, 0.975]
    """
    shape = 4.0 / np.square(np.maximum(np.abs(skewness), SMALL))
    gamma = np.maximum(shape + np.sqrt(shape) * np.where(skewness > 0, z, -z), 0.0)
    exact = np.where(skewness > 0, gammainc(shape, gamma), gammaincc(shape, gamma))
    normal = ndtr(z - (z * z - 1.0) * skewness / 6.0)
    p: Array = np.where(np.abs(skewness) < SMALL, normal, exact)
    return p
