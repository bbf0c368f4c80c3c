"""`Multinomial`: counts over a group of columns."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import gammaln

from posteriori.arrays import Array, Codes
from posteriori.backends.arrays.classwise import class_weights
from posteriori.backends.backend import Backend
from posteriori.backends.csr import missing_rows, stored_cells, with_cells
from posteriori.families.affine import AffineParameters, logs_and_zeros
from posteriori.families.class_sums import class_sums
from posteriori.families.count_family import CountFamily, log_factorial, row_sums
from posteriori.linalg.quotients import quotient
from posteriori.messages.errors import DataError
from posteriori.statistics.counts import Counts
from posteriori.storable import storable

#: The largest total that is drawn as a 64-bit integer.
LARGEST_TOTAL = 2**53 - 1


@storable
@dataclass(frozen=True)
class MultinomialParameters(AffineParameters):
    """Probabilities of the columns in `mean`, and the total count of a typical row.

    Parameters
    ----------
    total : the mean total of a row, rounded: the total that `sample` draws
    """

    total: int


@storable
@dataclass(frozen=True)
class Multinomial(CountFamily):
    """Counts over a group of columns: p(x | k, total) = total! prod_j p_kj^x_j / x_j!.

    p_kj = (#{j, k} + l) / (#{k} + l J), the proportion of column j in all counts of class k. The density is
    conditional on the total of a row, which is not modelled. A row with a missing cell in the group has no total
    and contributes nothing, in fit and in predict.

    Book: [Deuschle] example 3.2; [Jordan] §7.2.3; [Mitchell] Eq. 7, §2.3 for l.

    Parameters
    ----------
    smoothing : l, the pseudocount of each column: the Dirichlet parameter less one
    """

    smoothing: float = 1.0

    name = "multinomial"
    parameters_type = MultinomialParameters
    statistics_type = Counts
    largest_sum = 1e300
    is_joint = True
    takes_sparse = True

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> Counts:
        """Sum the counts by class and column, and after them the rows, (K, J + 1)."""
        sums = class_sums(columns, codes, weights, n_classes, backend)
        if np.isnan(sums).any():
            complete = ~missing_rows(columns)
            columns, codes, weights = columns[complete], codes[complete], weights[complete]
            sums = class_sums(columns, codes, weights, n_classes, backend)
        return Counts(np.column_stack([sums, class_weights(codes, weights, n_classes)]))

    def estimate(self, statistics: Counts) -> MultinomialParameters:
        """Return the smoothed proportions; a class without counts takes those of all rows."""
        counts, rows = statistics.values[:, :-1], statistics.values[:, -1]
        with np.errstate(over="ignore"):
            total = counts.sum(axis=1, keepdims=True)
            whole = total.sum()
        if not np.isfinite(whole):
            raise DataError("the counts sum to more than the largest float. Use larger units.")
        divisor = total + self.smoothing * counts.shape[1]
        pooled = counts.sum(axis=0) / whole if whole > 0 else np.full(counts.shape[1], 1.0 / counts.shape[1])
        probability = np.where(divisor > 0, quotient(counts + self.smoothing, divisor), pooled)
        logs, never = logs_and_zeros(probability)
        zero = np.zeros_like(probability)
        typical = round(whole / rows.sum()) if rows.sum() > 0 else 0
        return MultinomialParameters(probability, logs, zero, never, zero, min(typical, LARGEST_TOTAL))

    def inconsistency(self, statistics: Counts, n_columns: int) -> tuple[str, str] | None:
        """Return why counts cannot be one per column, and the rows."""
        if statistics.values.shape[1:] == (n_columns + 1,):
            return None
        return ".values", f"has shape {statistics.values.shape} for {n_columns} columns"

    def log_density(self, parameters: MultinomialParameters, columns: Array, backend: Backend) -> Array:
        """Return log p(x | k, total); zero for a row with a missing cell."""
        return _zero_if_incomplete(super().log_density(parameters, columns, backend), columns)

    def discriminant(self, parameters: MultinomialParameters, columns: Array, backend: Backend) -> Array:
        """Return sum_j x_j log p_kj; zero for a row with a missing cell."""
        return _zero_if_incomplete(super().discriminant(parameters, columns, backend), columns)

    def log_base(self, columns: Any) -> Array:
        """Return log total! - sum_j log x_j!."""
        log_factorials = row_sums(with_cells(columns, log_factorial(stored_cells(columns))))
        return np.asarray(gammaln(row_sums(columns) + 1.0) - log_factorials)

    def sample(self, parameters: MultinomialParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw rows of the typical total by the class's probabilities."""
        probability = parameters.mean / parameters.mean.sum(axis=1, keepdims=True)
        return rng.multinomial(parameters.total, probability[codes]).astype(np.float64)

    def n_parameters(self, parameters: MultinomialParameters) -> int:
        """Count K (J - 1)."""
        n_classes, n_columns = parameters.mean.shape
        return int(n_classes * (n_columns - 1))

    def describe(self, parameters: MultinomialParameters, column: int) -> dict[str, Array]:
        """Return the probability of the column by class."""
        return {"probability": parameters.mean[:, column]}


def _zero_if_incomplete(scores: Array, columns: Any) -> Array:
    incomplete = missing_rows(columns)
    if incomplete.any():
        scores[incomplete & ~np.isnan(scores).any(axis=1)] = 0.0
    return scores
