"""`Poisson`: columns of counts."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from posteriori.arrays import AnyArray, Array, Codes
from posteriori.backends.csr import stored_cells, with_cells
from posteriori.families.affine import AffineParameters, logs_and_zeros
from posteriori.families.base import Names, Notes
from posteriori.families.class_sums import fill_empty_classes
from posteriori.families.count_family import CountFamily, log_factorial, row_sums
from posteriori.families.degenerate_notes import left_out, only_zeros
from posteriori.statistics.means import Means
from posteriori.storable import storable

#: The largest rate at which counts are drawn as 64-bit integers.
LARGEST_DRAWN = 2.0**53


@storable
@dataclass(frozen=True)
class Poisson(CountFamily):
    """Independent columns of counts: p(x_j | k) = exp(-lambda_kj) lambda_kj^x_j / x_j!.

    Maximum likelihood: lambda_kj is the mean of column j in class k; no smoothing. A class with only zeros in a
    column has the rate 0 there, under which a positive count is impossible; a column of zeros is left out.

    Book: [Jordan] §7.2.3, T(x) = x, eta = log lambda.
    """

    name = "poisson"
    takes_sparse = True
    not_linear = "a rate of zero has no weight. More rows, or fewer columns, give it one."

    def estimate(self, statistics: Means) -> AffineParameters:
        """Return the rates."""
        rate = fill_empty_classes(statistics.weight, statistics.mean)
        log_rate, zero = logs_and_zeros(rate)
        return AffineParameters(rate, log_rate, -rate, zero * (rate > 0).any(axis=0), np.zeros_like(rate))

    def log_base(self, columns: Any) -> Array:
        """Return -sum_j log x_j!."""
        return -row_sums(with_cells(columns, log_factorial(stored_cells(columns))))

    def sample(self, parameters: AffineParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw counts at the class's rates; at very large rates they are normal to rounding."""
        rates = parameters.mean[codes]
        drawn = rng.poisson(np.minimum(rates, LARGEST_DRAWN)).astype(np.float64)
        large = rates > LARGEST_DRAWN
        drawn[large] = np.rint(rates[large] + np.sqrt(rates[large]) * rng.standard_normal(int(large.sum())))
        return drawn

    def describe(self, parameters: AffineParameters, column: int) -> dict[str, Array]:
        """Return the rate by class."""
        return {"rate": parameters.mean[:, column]}

    def notes(self, statistics: Means, names: Names, classes: AnyArray) -> Notes:
        """Name the columns left out, and the classes with only zeros where others have counts."""
        positive = np.any(statistics.mean > 0, axis=0)
        zero = (statistics.weight > 0) & (statistics.mean == 0) & positive
        return left_out(~positive, names) + only_zeros(zero, names, classes)
