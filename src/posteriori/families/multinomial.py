"""`Multinomial`: counts over a group of columns."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from posteriori.arrays import Array, Codes
from posteriori.backends.arrays.classwise import class_weights
from posteriori.backends.select import classwise
from posteriori.families.affine import AffineFamily, AffineParameters
from posteriori.families.class_sums import class_sums, missing_rows, replaced, stored
from posteriori.families.poisson import COUNTS, log_factorial, not_counts, sum_over_columns
from posteriori.messages.errors import DataError
from posteriori.statistics.counts import Counts
from posteriori.storable import storable

#: The largest total that is dealt out as a whole number of 64 bits.
MOST_DRAWN = 2**53 - 1


@storable
@dataclass(frozen=True)
class MultinomialParameters(AffineParameters):
    """Probabilities of the columns in `mean`, and how many things a typical row counts.

    Parameters
    ----------
    total : the mean total of a row, rounded: what `sample` deals out
    """

    total: int


@storable
@dataclass(frozen=True)
class Multinomial(AffineFamily):
    """Counts over a group of columns: p(x | k, total) = total! prod_j p_kj^x_j / x_j!.

    p_kj = (#{j, k} + l) / (#{k} + l J), the share of column j in all that class k counted. The total of a row
    is given, not modelled. A row with a gap in the group says nothing of it, in fit and in predict: without
    its total nothing is known.

    Book: [Deuschle] example 3.2; [Jordan] §7.2.3; [Mitchell] Eq. 7, §2.3 for l.

    Parameters
    ----------
    smoothing : l, imagined counts in each column: the Dirichlet parameter less one
    """

    smoothing: float = 1.0

    name: ClassVar[str] = "multinomial"
    is_joint: ClassVar[bool] = True
    takes_sparse: ClassVar[bool] = True

    def domain(self) -> str:
        """Give what counts may be."""
        return COUNTS

    def invalid(self, columns: Array) -> NDArray[np.bool_]:
        """Mark cells that are negative, fractional or infinite."""
        return not_counts(columns)

    def surely_valid(self, cells: Array, size: int) -> bool:
        """Look at all cells in one pass."""
        return bool(classwise(size).all_counts(cells))

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, size: int) -> Counts:
        """Sum the counts by class and column, and after them the rows, (K, J + 1)."""
        sums = class_sums(columns, codes, weights, n_classes, size)
        if np.isnan(sums).any():
            whole = ~missing_rows(columns)
            columns, codes, weights = columns[whole], codes[whole], weights[whole]
            sums = class_sums(columns, codes, weights, n_classes, size)
        return Counts(np.column_stack([sums, class_weights(codes, weights, n_classes)]))

    def estimate(self, statistics: Counts) -> MultinomialParameters:
        """Give the smoothed shares; a class that counted nothing is given those of all rows."""
        counts, rows = statistics.values[:, :-1], statistics.values[:, -1]
        with np.errstate(over="ignore"):
            total = counts.sum(axis=1, keepdims=True)
            whole = total.sum()
        if not np.isfinite(whole):
            raise DataError("the counts sum to more than a float can hold. Give them in larger units.")
        divisor = total + self.smoothing * counts.shape[1]
        pooled = counts.sum(axis=0) / whole if whole > 0 else np.full(counts.shape[1], 1.0 / counts.shape[1])
        safe = np.where(divisor > 0, divisor, 1.0)
        probability = np.where(divisor > 0, (counts + self.smoothing) / safe, pooled)
        none = np.zeros_like(probability)
        logs = np.log(probability, out=none.copy(), where=probability > 0)
        typical = round(whole / rows.sum()) if rows.sum() > 0 else 0
        never = (probability == 0).astype(np.float64)
        return MultinomialParameters(probability, logs, none, never, none, min(typical, MOST_DRAWN))

    def log_density(self, parameters: MultinomialParameters, columns: Array, size: int) -> Array:
        """Give log p(x | k, total); zero for a row with a gap."""
        return self._without_gaps(super().log_density(parameters, columns, size), columns)

    def discriminant(self, parameters: MultinomialParameters, columns: Array, size: int) -> Array:
        """Give sum_j x_j log p_kj; zero for a row with a gap."""
        return self._without_gaps(super().discriminant(parameters, columns, size), columns)

    def log_base(self, columns: Any) -> Array:
        """Give log total! - sum_j log x_j!."""
        ways = sum_over_columns(replaced(columns, log_factorial(stored(columns))))
        total: Array = gammaln(sum_over_columns(columns) + 1.0) - ways
        return total

    def sample(self, parameters: MultinomialParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Deal the typical total out by the class's shares."""
        share = parameters.mean / parameters.mean.sum(axis=1, keepdims=True)
        return rng.multinomial(parameters.total, share[codes]).astype(np.float64)

    def n_parameters(self, parameters: MultinomialParameters) -> int:
        """Count K (J - 1)."""
        n_classes, n_columns = parameters.mean.shape
        return int(n_classes * (n_columns - 1))

    def describe(self, parameters: MultinomialParameters, column: int) -> dict[str, Array]:
        """Give the probability of the column by class."""
        return {"probability": parameters.mean[:, column]}

    def _without_gaps(self, scores: Array, columns: Any) -> Array:
        gap = missing_rows(columns)
        if gap.any():
            scores[gap & ~np.isnan(scores).any(axis=1)] = 0.0
        return scores
