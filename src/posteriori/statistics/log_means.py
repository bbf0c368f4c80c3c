"""`LogMeans`: weight, mean, and how far the mean logarithm lags behind the logarithm of the mean."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.statistics.base import Statistics
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class LogMeans(Statistics):
    """Mean and lag = log mean - mean log of positive columns in each class.

    The lag is to a gamma column what the variance is to a Gaussian one. Like a scatter it is held about the
    mean, never as a difference of two large sums, so that a column of size 1e6 and spread 1 keeps its digits.

    Parameters
    ----------
    weight : (K, d) sums of weights of the cells that are not missing
    mean : (K, d)
    lag : (K, d) log mean - mean log, zero or more
    """

    weight: Array
    mean: Array
    lag: Array

    def merge(self, other: "LogMeans") -> "LogMeans":
        """Join two sets of rows: the lags are averaged, with those of the two means from the joint one added."""
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        shift = np.where((self.weight == 0) | (other.weight == 0), 0.0, other.mean - self.mean)
        mean = np.where(self.weight == 0, other.mean, self.mean + share * shift)
        mine, yours = _behind(self.mean, mean, -share * shift), _behind(other.mean, mean, (1.0 - share) * shift)
        lag = (1.0 - share) * (self.lag + mine) + share * (other.lag + yours)
        return LogMeans(weight, mean, np.where(self.weight == 0, other.lag, lag))

    def zero(self) -> "LogMeans":
        """Give the means of no rows."""
        nothing = np.zeros_like(self.weight)
        return LogMeans(nothing, nothing, nothing)


def excess(ratio: Array, shift: Array) -> Array:
    """Give u - log(1 + u) for u = shift and 1 + u = ratio, without cancellation where u is small.

    >>> excess(np.array([1.0, np.e]), np.array([0.0, np.e - 1])).round(12).tolist()
    [0.0, 0.718281828459]
    """
    near = np.abs(shift) < 0.5
    with np.errstate(divide="ignore"):
        return np.where(near, shift - np.log1p(np.where(near, shift, 0.0)), shift - np.log(ratio))


def _behind(mean: Array, joint: Array, shift: Array) -> Array:
    """Give m/j - 1 - log(m/j) of a mean against the joint one, m - j being the shift; 0 where there is none."""
    some = (mean > 0) & (joint > 0)
    safe = np.where(some, joint, 1.0)
    return np.where(some, excess(np.where(some, mean, 1.0) / safe, shift / safe * some), 0.0)
