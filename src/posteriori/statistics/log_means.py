"""`LogMeans`: weight, mean, and log mean minus mean log."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.requirements import fail
from posteriori.statistics.base import ClassStatistics
from posteriori.statistics.merged_means import merge_means
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class LogMeans(ClassStatistics):
    """Mean and lag = log mean - mean log of positive columns in each class.

    The lag is to a gamma column what the variance is to a Gaussian one. Like a scatter it is computed about the
    mean, never as a difference of two large sums, so that a column of mean 1e6 and variance 1 keeps its digits.

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
        """Combine two sets of rows: average the lags, each with the lag of its mean from the joint mean added."""
        weight, p, shift, mean = merge_means((self.weight, other.weight), (self.mean, other.mean))
        mine, yours = _mean_lag(self.mean, mean, -p * shift), _mean_lag(other.mean, mean, (1.0 - p) * shift)
        lag = (1.0 - p) * (self.lag + mine) + p * (other.lag + yours)
        return LogMeans(weight, mean, np.where(self.weight == 0, other.lag, lag))

    def check(self, where: str) -> None:
        """Raise unless lags are differences of logarithms of floats, which are between -745 and 710."""
        if (self.lag > 2000.0).any():
            fail(f"{where}.lag", "is larger than any difference of logarithms")


def log_excess(ratio: Array, shift: Array) -> Array:
    """Return u - log(1 + u) for u = shift and 1 + u = ratio, without cancellation where u is small.

    >>> log_excess(np.array([1.0, np.e]), np.array([0.0, np.e - 1])).round(12).tolist()
    [0.0, 0.718281828459]
    """
    near = np.abs(shift) < 0.5
    with np.errstate(divide="ignore"):
        return np.where(near, shift - np.log1p(np.where(near, shift, 0.0)), shift - np.log(ratio))


def _mean_lag(mean: Array, joint: Array, shift: Array) -> Array:
    """Return m/j - 1 - log(m/j) for a mean m, a joint mean j and the shift m - j; 0 where a mean is zero."""
    positive = (mean > 0) & (joint > 0)
    safe = np.where(positive, joint, 1.0)
    return np.where(positive, log_excess(np.where(positive, mean, 1.0) / safe, shift / safe * positive), 0.0)
