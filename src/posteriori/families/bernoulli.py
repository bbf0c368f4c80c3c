"""`Bernoulli`: columns of zeros and ones."""

from dataclasses import dataclass, replace

import numpy as np

from posteriori.arrays import Array, Codes, Mask
from posteriori.backends.backend import Backend
from posteriori.backends.csr import is_sparse, rows_with, stored_cells
from posteriori.families.affine import AffineParameters, affine_scores, logs_and_zeros
from posteriori.families.base import Levels, LinearPart, Names
from posteriori.families.categorical import Categorical, TableParameters
from posteriori.families.class_sums import class_means
from posteriori.statistics.counts import Counts
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Bernoulli(Categorical):
    """Independent columns of zeros and ones: P(x_j = 1 | k) = (#{x_j = 1, k} + l) / (#{k} + 2 l).

    Each column has two categories, whether or not both were observed.

    Book: [Bishop] Eq. 4.81-4.82, §4.2.3; [Mitchell] Eq. 7, §2.3.
    """

    name = "bernoulli"
    default_for = "boolean"
    takes_levels = False
    takes_any_number = False
    takes_sparse = True
    unknown_score = np.nan

    def domain(self) -> str:
        """Zeros and ones."""
        return "0 or 1"

    def invalid(self, columns: Array) -> Mask:
        """Mark cells that are neither 0 nor 1."""
        return np.asarray((columns != 0) & (columns != 1) & ~np.isnan(columns))

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, backend: Backend) -> Counts:
        """Count the zeros and ones of every column by class, (K, 2 d)."""
        if not is_sparse(columns):
            return super().summarize(columns, codes, weights, n_classes, backend)
        weight, mean = class_means(columns, codes, weights, n_classes, backend)
        ones = weight * mean
        return Counts(np.stack([weight - ones, ones], axis=2).reshape(n_classes, -1))

    def log_density(self, parameters: TableParameters, columns: Array, backend: Backend) -> Array:
        """Sum the log probabilities of the cells."""
        if not is_sparse(columns):
            return super().log_density(parameters, columns, backend)
        scores = affine_scores(columns, _weights(parameters))
        scores[rows_with(self.invalid(stored_cells(columns)), columns)] = np.nan
        return scores

    def estimate(self, statistics: Counts) -> TableParameters:
        """Return the smoothed frequencies of zeros and ones."""
        sized = replace(self, sizes=(2,) * (statistics.width // 2))
        return Categorical.estimate(sized, statistics)

    def inconsistency(self, statistics: Counts, n_columns: int) -> tuple[str, str] | None:
        """Return why counts cannot be two for each of so many columns."""
        if statistics.values.shape[1:] == (2 * n_columns,):
            return None
        return ".values", f"has shape {statistics.values.shape} for {n_columns} columns"

    def n_parameters(self, parameters: TableParameters) -> int:
        """Count one probability for each class and column."""
        return len(parameters.probability) * len(parameters.sizes)

    def describe(self, parameters: TableParameters, column: int) -> dict[str, Array]:
        """Return P(x = 1) by class."""
        return {"probability": parameters.probability[:, 2 * column + 1]}

    def linear(self, parameters: TableParameters, names: Names, levels: Levels) -> LinearPart | None:
        """Return the log odds of one as weights of x; None if a probability is zero or one.

        Book: [Bishop] Eq. 4.82, §4.2.3; [Jordan] Eq. 7.35, §7.2.2.
        """
        if (parameters.probability == 0).any():
            return None
        zeros, ones = parameters.log_probability[::2].T, parameters.log_probability[1::2].T
        return LinearPart(ones - zeros, zeros.sum(axis=1), tuple(str(name) for name in names))

    def statistic(self, columns: Array) -> Array:
        """Return x."""
        return columns

    def _layout(self, n_columns: int) -> tuple[Codes, Codes]:
        sizes = np.full(n_columns, 2, dtype=np.intp)
        return sizes, np.cumsum(sizes) - sizes


def _weights(parameters: TableParameters) -> AffineParameters:
    """Return the table as weights, x (log p - log q) + log q; zero probabilities are kept separately."""
    p = parameters.probability[:, 1::2]
    (log_q, always), (log_p, never) = logs_and_zeros(parameters.probability[:, ::2]), logs_and_zeros(p)
    return AffineParameters(p, log_p - log_q, log_q, never - always, always)
