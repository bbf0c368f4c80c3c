"""`Binomial`: columns of successes among a known number of trials."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import gammaln

from posteriori.arrays import Array, Codes, Mask
from posteriori.backends.backend import Backend
from posteriori.checks import requirements as require
from posteriori.checks.parameters import is_whole
from posteriori.families.affine import AffineFamily, AffineParameters, logs_and_zeros
from posteriori.families.base import FamilySettings
from posteriori.families.class_sums import class_means, fill_empty_classes
from posteriori.families.count_family import log_factorial
from posteriori.messages.errors import DataError
from posteriori.statistics.means import Means
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Binomial(AffineFamily):
    """Independent columns of successes: p(x_j | k) = C(t, x_j) p_kj^x_j (1 - p_kj)^(t - x_j).

    Maximum likelihood: p_kj is the proportion of successes among all trials of class k; no smoothing. Successes and
    failures are averaged separately, so that 1 - p keeps its digits where p is near one.

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

    name = "binomial"
    statistics_per_column = 2
    not_linear = "a probability of zero or one has no weight. More rows give it one."

    def __post_init__(self) -> None:
        if not is_whole(self.trials, least=1):
            raise DataError(f"trials={self.trials!r} must be a whole number from 1 up.")

    @classmethod
    def from_settings(cls, settings: FamilySettings) -> "Binomial":
        """Raise: a name does not say how many trials there are."""
        raise DataError(
            "family 'binomial' needs the number of trials: give posteriori.Binomial(trials=…) in place of the name."
        )

    def domain(self) -> str:
        """Successes."""
        return f"successes among trials: whole numbers from 0 to {self.trials}"

    def invalid(self, columns: Array) -> Mask:
        """Mark cells that are fractional, negative, or more than the trials."""
        wrong: Mask = ~((columns >= 0) & (columns <= self.trials) & (columns == np.floor(columns)))
        return wrong & ~np.isnan(columns)

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> Means:
        """Return the mean successes, then the mean failures, by class and column."""
        both = np.hstack([columns, self.trials - columns])
        return Means(*class_means(both, codes, weights, n_classes, backend))

    def estimate(self, statistics: Means) -> AffineParameters:
        """Return the probabilities of success and the weights they imply."""
        mean = fill_empty_classes(statistics.weight, statistics.mean)
        hits, misses = np.hsplit(mean / self.trials, 2)
        (log_hit, never), (log_miss, always) = logs_and_zeros(hits), logs_and_zeros(misses)
        observed = ((hits > 0) | (misses > 0)).any(axis=0)  # a column without any cell rules nothing out
        never, always = observed * never, observed * always
        level, bar_level = self.trials * log_miss, self.trials * always
        return AffineParameters(hits, log_hit - log_miss, level, never - always, bar_level)

    def log_base(self, columns: Array) -> Array:
        """Return the sum of log C(t, x_j) over the cells present."""
        present = ~np.isnan(columns)
        misses = np.where(present, self.trials - columns, np.nan)
        log_choose = present * gammaln(self.trials + 1.0) - log_factorial(columns) - log_factorial(misses)
        return np.asarray(log_choose.sum(axis=1))

    def sample(self, parameters: AffineParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw successes at the class's probabilities."""
        return rng.binomial(self.trials, np.minimum(parameters.mean, 1.0)[codes]).astype(np.float64)

    def describe(self, parameters: AffineParameters, column: int) -> dict[str, Any]:
        """Return the probability of success by class."""
        return {"probability": parameters.mean[:, column]}

    def check(self, where: str) -> None:
        """Raise unless the constructor accepts the fields."""
        require.constructed(self, ("trials",), where)
