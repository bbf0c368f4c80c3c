"""`Binomial`: columns of successes among a known number of trials."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from posteriori.arrays import Array, Codes
from posteriori.families.affine import AffineFamily, AffineParameters
from posteriori.families.class_sums import class_means
from posteriori.families.gaussian.variances import filled_means
from posteriori.families.poisson import log_factorial
from posteriori.messages.errors import DataError
from posteriori.statistics.means import Means
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Binomial(AffineFamily):
    """Independent columns of successes: p(x_j | k) = C(t, x_j) p_kj^x_j (1 - p_kj)^(t - x_j).

    Maximum likelihood: p_kj is the share of successes among all trials of class k; no smoothing. Successes and
    failures are averaged apart, so that 1 - p keeps its digits where p is near one.

    Book: [Jordan] §7.2.3, T(x) = x, eta = log p/(1 - p).

    Parameters
    ----------
    trials : t, the number of trials behind every cell

    Examples
    --------
    >>> import posteriori as pt
    >>> model = pt.NaiveBayes(families=pt.Binomial(trials=10)).fit([[1], [3], [8], [9]], ["a", "a", "b", "b"])
    >>> model.table(0)["probability"].tolist()
    [0.2, 0.85]
    """

    trials: int

    name: ClassVar[str] = "binomial"
    not_linear: ClassVar[str] = "a probability of zero or one has no weight. More rows give it one."

    def __post_init__(self) -> None:
        whole = isinstance(self.trials, int | np.integer) and not isinstance(self.trials, bool)
        if not whole or self.trials < 1:
            raise DataError(f"trials={self.trials!r} must be a whole number from 1 up.")

    def domain(self) -> str:
        """Successes."""
        return f"successes among trials: whole numbers from 0 to {self.trials}"

    def invalid(self, columns: Array) -> NDArray[np.bool_]:
        """Mark cells that are fractional, negative, or more than the trials."""
        wrong: NDArray[np.bool_] = ~((columns >= 0) & (columns <= self.trials) & (columns == np.floor(columns)))
        return wrong & ~np.isnan(columns)

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, size: int) -> Means:
        """Give the mean successes, then the mean failures, by class and column."""
        both = np.hstack([columns, self.trials - columns])
        return Means(*class_means(both, codes, weights, n_classes, size))

    def estimate(self, statistics: Means) -> AffineParameters:
        """Give the mean successes and the weights they imply."""
        mean = filled_means(statistics.weight, statistics.mean)
        hits, misses = np.hsplit(mean / self.trials, 2)
        log_hit, log_miss = (np.log(p, out=np.zeros_like(p), where=p > 0) for p in (hits, misses))
        shown = ((hits > 0) | (misses > 0)).any(axis=0)  # a column of nothing but gaps rules nothing out
        never, always = (shown & (hits == 0)).astype(np.float64), (shown & (misses == 0)).astype(np.float64)
        level, bar_level = self.trials * log_miss, self.trials * always
        return AffineParameters(hits, log_hit - log_miss, level, never - always, bar_level)

    def log_base(self, columns: Array) -> Array:
        """Give the sum of log C(t, x_j) over the cells present."""
        present = ~np.isnan(columns)
        misses = np.where(present, self.trials - columns, np.nan)
        ways = present * gammaln(self.trials + 1.0) - log_factorial(columns) - log_factorial(misses)
        total: Array = ways.sum(axis=1)
        return total

    def sample(self, parameters: AffineParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw successes at the class's probabilities."""
        return rng.binomial(self.trials, np.minimum(parameters.mean, 1.0)[codes]).astype(np.float64)

    def describe(self, parameters: AffineParameters, column: int) -> dict[str, Any]:
        """Give the probability of success by class."""
        return {"probability": parameters.mean[:, column]}
