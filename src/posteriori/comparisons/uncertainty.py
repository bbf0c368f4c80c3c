"""How sure a score is, and whether two models differ by more than chance."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, t

from posteriori.arrays import Array
from posteriori.comparisons.metrics import Metric
from posteriori.decisions.shares import wilson

#: The level of all intervals of a comparison.
LEVEL = 0.95


@dataclass(frozen=True)
class FoldSizes:
    """How many rows each fold trained on and held out, (folds,) each."""

    trained: Array
    held: Array

    @property
    def shares(self) -> Array:
        """Each fold's share of all held-out rows."""
        shares: Array = self.held / self.held.sum()
        return shares

    @property
    def inflation(self) -> float:
        """What the variance between folds is multiplied by: 1/J + n_held/n_trained for J equal folds.

        The first term alone would hold if the folds' models were independent; they share training rows.
        """
        return float(np.square(self.shares).sum() + self.shares @ (self.held / self.trained))


@dataclass(frozen=True)
class Difference:
    """Two models' scores compared on the same held-out rows.

    Parameters
    ----------
    model, other, metric : names
    value : score of `model` less that of `other`
    low, high : the interval of level 0.95
    p_value : of the hypothesis that there is no difference
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
        """Whether no difference at all is inside the interval."""
        return not (self.low > 0 or self.high < 0)


def paired(first: Array, second: Array, sizes: FoldSizes) -> tuple[float, float, float, float]:
    """Give difference, bounds and p-value of two models' mean scores by fold, (folds,) each.

    With d_j the difference in fold j of J, of mean d and variance s^2, sqrt((1/J + n_held/n_trained) s^2) is the
    standard error and (J - 1) the degrees of freedom: the corrected resampled t-test of Nadeau and Bengio (2003),
    whose second term pays for the training rows that the folds share. Folds weigh by the rows they hold out.

    >>> sizes = FoldSizes(np.full(5, 80.0), np.full(5, 20.0))
    >>> value, low, high, p = paired(np.array([1.0, 2.0, 3.0, 2.0, 2.0]), np.ones(5), sizes)
    >>> value, round(high - value, 4), round(p, 4)                  # 2.776 sqrt(0.45 * 0.5)
    (1.0, 1.317, 0.1027)
    """
    with np.errstate(invalid="ignore"):
        apart = first - second
    shares, n_folds = sizes.shares, len(first)
    if not np.isfinite(apart).all():
        return _infinite(first, second)
    value = float(shares @ apart)
    if n_folds < 2:
        return value, -np.inf, np.inf, np.nan
    variance = float(shares @ np.square(apart - value)) * n_folds / (n_folds - 1)
    error = float(np.sqrt(sizes.inflation * variance))
    if error == 0.0:
        return value, value, value, 1.0 if value == 0.0 else 0.0
    reach = float(t.ppf(0.5 + LEVEL / 2, n_folds - 1)) * error
    return value, value - reach, value + reach, float(2 * t.sf(abs(value) / error, n_folds - 1))


def _infinite(first: Array, second: Array) -> tuple[float, float, float, float]:
    """Compare scores that are infinite or missing: one that is infinite is worse, two are not told apart."""
    ends = [float(scores.sum()) for scores in (first, second)]
    if np.isnan(ends).any() or ends[0] == ends[1]:
        return np.nan, -np.inf, np.inf, np.nan
    side = np.inf if ends[0] > ends[1] else -np.inf
    return side, side, side, 0.0


def row_error(values: Array, rows: NDArray[np.intp]) -> float:
    """Give the standard error of a mean over rows, each of which may have been held out several times.

    Where every row was held out once it is s / sqrt(n). It is infinite where a value is.

    >>> round(row_error(np.array([1.0, 2.0, 3.0, 4.0]), np.arange(4)), 4)          # sqrt(5/3) / 2
    0.6455
    """
    if not np.isfinite(values).all():
        return float("inf")
    sums = np.bincount(np.unique(rows, return_inverse=True)[1], values - values.mean())
    if len(sums) < 2:
        return float("inf")
    return float(np.sqrt(np.square(sums).sum() * len(sums) / (len(sums) - 1)) / len(values))


def bounds(metric: Metric, score: float, error: float, n_rows: int, n_classes: int) -> tuple[float, float]:
    """Return the interval of level 0.95 about a score: normal, within the metric's range; Wilson's for a share.

    >>> from posteriori.comparisons.metrics import METRICS
    >>> [round(bound, 4) for bound in bounds(METRICS["accuracy"], 1.0, 0.0, 100, 2)]
    [0.963, 1.0]
    """
    if np.isnan(score):
        return np.nan, np.nan
    z = float(norm.ppf(0.5 + LEVEL / 2))
    if metric.share:
        low, high = wilson(np.asarray(score), np.asarray(float(n_rows)), z)
        return float(low), float(high)
    least, greatest = metric.bounds(n_classes)
    if not np.isfinite(error):
        return least, greatest
    return max(least, score - z * error), min(greatest, score + z * error)


def frame_columns(differences: list[Difference]) -> dict[str, NDArray[Any]]:
    """Lay differences out as columns of a frame."""
    columns: dict[str, NDArray[Any]] = {
        name: np.array([getattr(each, name) for each in differences], dtype=object)
        for name in ("model", "other", "metric")
    }
    for name in ("value", "low", "high", "p_value"):
        columns[name] = np.array([getattr(each, name) for each in differences], dtype=np.float64)
    columns["within_noise"] = np.array([each.within_noise for each in differences], dtype=np.bool_)
    return columns
