"""Standard errors and intervals of scores, and tests of differences between models."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, t

from posteriori.arrays import Array, Indices
from posteriori.comparisons.metrics import Metric
from posteriori.decisions.proportions import wilson

#: The level of all intervals of a comparison.
LEVEL = 0.95


@dataclass(frozen=True)
class FoldSizes:
    """Numbers of training and test rows of each fold, (folds,) each."""

    train: Array
    test: Array

    @property
    def shares(self) -> Array:
        """Each fold's proportion of all test rows."""
        shares: Array = self.test / self.test.sum()
        return shares

    @property
    def inflation(self) -> float:
        """The factor of the variance between folds: 1/J + n_test/n_train for J equal folds.

        The first term alone would be correct if the folds' models were independent; they share training rows.
        """
        return float(np.square(self.shares).sum() + self.shares @ (self.test / self.train))


@dataclass(frozen=True)
class Difference:
    """The difference of two models' scores on the same held-out rows.

    Parameters
    ----------
    model, other, metric : names
    value : score of `model` minus that of `other`
    low, high : the interval of level 0.95
    p_value : of the null hypothesis of no difference
    """

    model: str
    other: str
    metric: str
    value: float
    low: float
    high: float
    p_value: float

    @property
    def within_noise(self) -> bool:
        """Whether the difference is not significant: the interval contains zero."""
        return not (self.low > 0 or self.high < 0)


def paired(first: Array, second: Array, sizes: FoldSizes) -> tuple[float, float, float, float]:
    """Return difference, interval and p-value from two models' mean scores by fold, (folds,) each.

    With d_j the difference in fold j of J, of mean d and variance s^2, sqrt((1/J + n_test/n_train) s^2) is the
    standard error and (J - 1) the degrees of freedom: the corrected resampled t-test of Nadeau and Bengio (2003),
    whose second term accounts for the training rows that the folds share. Folds are weighted by their test rows.

    >>> sizes = FoldSizes(np.full(5, 80.0), np.full(5, 20.0))
    >>> value, low, high, p = paired(np.array([1.0, 2.0, 3.0, 2.0, 2.0]), np.ones(5), sizes)
    >>> value, round(high - value, 4), round(p, 4)                  # 2.776 sqrt(0.45 * 0.5)
    (1.0, 1.317, 0.1027)
    """
    with np.errstate(invalid="ignore"):
        differences = first - second
    shares, n_folds = sizes.shares, len(first)
    if not np.isfinite(differences).all():
        return _infinite(first, second)
    value = float(shares @ differences)
    if n_folds < 2:
        return value, -np.inf, np.inf, np.nan
    variance = float(shares @ np.square(differences - value)) * n_folds / (n_folds - 1)
    error = float(np.sqrt(sizes.inflation * variance))
    if error == 0.0:
        return value, value, value, 1.0 if value == 0.0 else 0.0
    margin = float(t.ppf(0.5 + LEVEL / 2, n_folds - 1)) * error
    return value, value - margin, value + margin, float(2 * t.sf(abs(value) / error, n_folds - 1))


def _infinite(first: Array, second: Array) -> tuple[float, float, float, float]:
    """Compare infinite or missing scores: an infinite one is worse than a finite one; two are not comparable."""
    a, b = float(first.sum()), float(second.sum())
    if np.isnan([a, b]).any() or a == b:
        return np.nan, -np.inf, np.inf, np.nan
    value = np.inf if a > b else -np.inf
    return value, value, value, 0.0


def mean_standard_error(values: Array, rows: Indices) -> float:
    """Return the standard error of a mean over held-out rows, each of which may occur several times.

    If every row occurs once it is s / sqrt(n). It is infinite if a value is.

    >>> round(mean_standard_error(np.array([1.0, 2.0, 3.0, 4.0]), np.arange(4)), 4)          # sqrt(5/3) / 2
    0.6455
    """
    if not np.isfinite(values).all():
        return float("inf")
    sums = np.bincount(np.unique(rows, return_inverse=True)[1], values - values.mean())
    if len(sums) < 2:
        return float("inf")
    return float(np.sqrt(np.square(sums).sum() * len(sums) / (len(sums) - 1)) / len(values))


def bounds(metric: Metric, score: float, error: float, n_rows: int, n_classes: int) -> tuple[float, float]:
    """Return the interval of level 0.95 of a score: normal, within the metric's range; Wilson's for a proportion.

    >>> from posteriori.comparisons.metrics import METRICS
    >>> [round(bound, 4) for bound in bounds(METRICS["accuracy"], 1.0, 0.0, 100, 2)]
    [0.963, 1.0]
    """
    if np.isnan(score):
        return np.nan, np.nan
    z = float(norm.ppf(0.5 + LEVEL / 2))
    if metric.proportion:
        low, high = wilson(np.asarray(score), np.asarray(float(n_rows)), z)
        return float(low), float(high)
    smallest, largest = metric.bounds(n_classes)
    if not np.isfinite(error):
        return smallest, largest
    return max(smallest, score - z * error), min(largest, score + z * error)


def frame_columns(differences: list[Difference]) -> dict[str, NDArray[Any]]:
    """Return differences as columns of a frame."""
    types: dict[str, Any] = dict.fromkeys(("model", "other", "metric"), object)
    types |= dict.fromkeys(("value", "low", "high", "p_value"), np.float64) | {"within_noise": np.bool_}
    return {name: np.array([getattr(each, name) for each in differences], kind) for name, kind in types.items()}
