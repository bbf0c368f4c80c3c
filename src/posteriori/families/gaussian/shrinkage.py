"""`ShrunkGaussian`: a covariance shrunk toward its diagonal, by a fixed amount or an estimate (Ledoit-Wolf, OAS)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from posteriori.arrays import Array, Codes
from posteriori.backends.backend import Backend
from posteriori.families.class_sums import centred_rows
from posteriori.families.gaussian.full import FullGaussian, rounding_variance
from posteriori.linalg.quotients import quotient
from posteriori.statistics.fourth_gram import FourthGram
from posteriori.statistics.gram import Gram
from posteriori.statistics.within_scatter import WithinScatter
from posteriori.storable import storable

#: Amounts that are estimated from the data, by the names that ``shrinkage=`` takes.
AMOUNTS = ("ledoit-wolf", "oas")


@storable
@dataclass(frozen=True)
class ShrunkGaussian(FullGaussian):
    """Gaussian classes whose covariance is shrunk toward the identity on standardised columns.

    With R the correlations within classes and D the standard deviations, S = D ((1 - a) R + a I) D: variances
    stay, covariances shrink, and the units of the columns do not matter. If the classes share S, R is that of all
    rows about their class means; else each class has its own R and its own amount.

    Book: [Jordan] §7.3: families between m and m^2 parameters.

    Parameters
    ----------
    shared, estimate_by : as in `FullGaussian`; ml or unbiased
    shrinkage : the amount a from 0 to 1, or "ledoit-wolf" (Ledoit and Wolf 2004), or "oas" (Chen et al. 2010)
    """

    shrinkage: float | str = "ledoit-wolf"

    name = "shrunk"

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> Gram:
        """Return class means and scatters, with fourth moments if Ledoit and Wolf's amount needs them."""
        if self.shrinkage != "ledoit-wolf":
            return super().summarize(columns, codes, weights, n_classes, backend)
        return fourth_moments(columns, codes, weights, n_classes, backend)

    def covariances(self, statistics: Gram) -> Array:
        """Return the shrunk covariance matrices in units of scale, (1, d, d) or (K, d, d)."""
        matrices = super().covariances(statistics)
        remaining = 1.0 - self.amounts(statistics)[:, None, None]
        return np.where(np.eye(matrices.shape[1], dtype=bool), matrices, remaining * matrices)

    def amounts(self, statistics: Gram) -> Array:
        """Return the amount of each covariance, (1,) or (K,); a class of zero variance takes that of all rows."""
        n_matrices = 1 if self.shared else len(statistics.weight)
        if not isinstance(self.shrinkage, str):
            return np.full(n_matrices, float(self.shrinkage))
        weight, fourth = statistics.weight, getattr(statistics, "fourth", None)
        floor = rounding_variance(statistics)
        total = None if fourth is None else fourth.sum(axis=0)
        pooled = _amount(statistics.scatter.sum(axis=0), weight.sum(), total, floor)
        if self.shared:
            return np.array([0.0 if pooled is None else pooled])
        parts = [
            _amount(scatter, weight[k], None if fourth is None else fourth[k], floor)
            for k, scatter in enumerate(statistics.scatter)
        ]
        return np.array([pooled or 0.0 if part is None else part for part in parts])


def fourth_moments(columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> FourthGram:
    """Return class means, scatters and the higher moments of a block."""
    order = np.argsort(codes, kind="stable")
    columns, codes, weights = columns[order], codes[order], weights[order]
    scale, weight, mean, rooted = centred_rows(columns, codes, weights, n_classes, backend)
    root = np.sqrt(weights)[:, None]
    rows = quotient(rooted, root)
    squares = rows * rows
    weighted = squares * weights[:, None]
    ends = list(pairwise(np.searchsorted(codes, np.arange(n_classes + 1))))
    scatter = np.stack([(rows[a:b] * weights[a:b, None]).T @ rows[a:b] for a, b in ends])
    third = np.stack([weighted[a:b].T @ rows[a:b] for a, b in ends])
    fourth = np.stack([weighted[a:b].T @ squares[a:b] for a, b in ends])
    return FourthGram(scale, weight, mean, scatter, third, fourth)


def _amount(scatter: Array, weight: float, fourth: Array | None, floor: Array) -> float | None:
    """Return the amount for one scatter matrix, on the columns that vary; None if none does."""
    varies = np.diagonal(scatter) > weight * floor
    if not varies.any() or weight <= 0:
        return None
    S = scatter[np.ix_(varies, varies)]
    variance = np.diagonal(S) / weight
    correlation = S / weight / np.sqrt(variance) / np.sqrt(variance)[:, None]
    if fourth is None:
        return oas(correlation, weight)
    sizes = fourth[np.ix_(varies, varies)] / variance / variance[:, None]
    return ledoit_wolf(correlation, weight, float(sizes.sum()))


def ledoit_wolf(correlation: Array, weight: float, fourth: float) -> float:
    """Return the amount of Ledoit and Wolf (2004) from the correlations and the sum of w |z|^4 over rows.

    The squared error of R as an estimate, sum (|z|^4 - |R|^2) / n^2, over its squared distance to I.

    >>> ledoit_wolf(np.array([[1.0, 0.5], [0.5, 1.0]]), 10.0, 80.0)
    1.0
    """
    d = len(correlation)
    squared = float((correlation**2).sum())
    distance = squared - d
    error = max(fourth / weight - squared, 0.0) / weight
    return 0.0 if distance <= 0 or d == 1 else min(error / distance, 1.0)


def oas(correlation: Array, weight: float) -> float:
    """Return the oracle approximating amount (Chen, Wiesel, Eldar and Hero 2010, Eq. 23) from the correlations.

    >>> oas(np.array([[1.0, 0.5], [0.5, 1.0]]), 10.0)
    1.0
    """
    d = len(correlation)
    if d == 1:
        return 0.0
    alpha = float((correlation**2).mean())
    distance = (weight + 1.0) * (alpha - 1.0 / d)
    return 1.0 if distance <= 0 else min((alpha + 1.0) / distance, 1.0)


def pooled_amount(shrinkage: float | str | None, within: WithinScatter, fourth: Sequence[Any]) -> float:
    """Return the amount for the pooled scatter of a triangle; `fourth` is a `FourthGram`, or empty."""
    if not isinstance(shrinkage, str):
        return float(shrinkage or 0.0)
    moments = fourth[0].fourth.sum(axis=0) if fourth else None
    scatter, weight = within.factor.T @ within.factor, float(within.weight.sum())
    return _amount(scatter, weight, moments, rounding_variance(within)) or 0.0
