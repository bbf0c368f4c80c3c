"""`Poisson`: columns of counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from posteriori.arrays import Array, Codes
from posteriori.backends.select import classwise
from posteriori.families.affine import AffineFamily, AffineParameters
from posteriori.families.class_sums import class_means, replaced, stored
from posteriori.families.degenerate_notes import never_counted, without_spread
from posteriori.families.gaussian.variances import filled_means
from posteriori.messages.notes import Note
from posteriori.statistics.means import Means
from posteriori.storable import storable

#: What counts may be.
COUNTS = "counts: whole numbers from zero up"


#: The largest rate that counts are drawn at as whole numbers of 64 bits.
LARGEST_DRAWN = 2.0**53


@storable
@dataclass(frozen=True)
class Poisson(AffineFamily):
    """Independent columns of counts: p(x_j | k) = exp(-lambda_kj) lambda_kj^x_j / x_j!.

    Maximum likelihood: lambda_kj is the mean of column j in class k; no smoothing. A class that never counted
    anything in a column has the rate 0 there, under which a count is impossible; a column of nothing but zeros is
    left out.

    Book: [Jordan] §7.2.3, T(x) = x, eta = log lambda.
    """

    name: ClassVar[str] = "poisson"
    takes_sparse: ClassVar[bool] = True
    not_linear: ClassVar[str] = "a rate of zero has no weight. More rows, or fewer columns, give it one."

    def domain(self) -> str:
        """Give what counts may be."""
        return COUNTS

    def invalid(self, columns: Array) -> NDArray[np.bool_]:
        """Mark cells that are negative, fractional or infinite."""
        return not_counts(columns)

    def surely_valid(self, cells: Array, size: int) -> bool:
        """Look at all cells in one pass."""
        return bool(classwise(size).all_counts(cells))

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, size: int) -> Means:
        """Give weight and mean by class and column."""
        return Means(*class_means(columns, codes, weights, n_classes, size))

    def estimate(self, statistics: Means) -> AffineParameters:
        """Give the rates."""
        rate = filled_means(statistics.weight, statistics.mean)
        none = np.zeros_like(rate)
        log_rate = np.log(rate, out=none.copy(), where=rate > 0)
        never = (rate == 0) & (rate > 0).any(axis=0)
        return AffineParameters(rate, log_rate, -rate, never.astype(np.float64), none)

    def log_base(self, columns: Any) -> Array:
        """Give -sum_j log x_j!."""
        return -sum_over_columns(replaced(columns, log_factorial(stored(columns))))

    def sample(self, parameters: AffineParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw counts at the class's rates; those of very large rates are normal to rounding."""
        rates = parameters.mean[codes]
        drawn = rng.poisson(np.minimum(rates, LARGEST_DRAWN)).astype(np.float64)
        far = rates > LARGEST_DRAWN
        drawn[far] = np.rint(rates[far] + np.sqrt(rates[far]) * rng.standard_normal(int(far.sum())))
        return drawn

    def describe(self, parameters: AffineParameters, column: int) -> dict[str, Array]:
        """Give the rate by class."""
        return {"rate": parameters.mean[:, column]}

    def notes(self, statistics: Means, names: Sequence[str | int], classes: NDArray[Any]) -> tuple[Note, ...]:
        """Name the columns left out, and the classes that never counted anything where another did."""
        alive: NDArray[np.bool_] = np.any(statistics.mean > 0, axis=0)
        zero = (statistics.weight > 0) & (statistics.mean == 0) & alive
        return without_spread(~alive, names) + never_counted(zero, names, classes)


def not_counts(columns: Array) -> NDArray[np.bool_]:
    """Mark cells that are no whole numbers from zero up; missing ones are not marked."""
    wrong: NDArray[np.bool_] = ~((columns >= 0) & (columns == np.floor(columns)) & (columns < np.inf))
    return wrong & ~np.isnan(columns)


def log_factorial(counts: Array) -> Array:
    """Give log x!, 0 for a gap.

    >>> np.exp(log_factorial(np.array([0.0, 4.0, np.nan]))).round(9).tolist()
    [1.0, 24.0, 1.0]
    """
    return np.asarray(gammaln(np.where(np.isnan(counts), 0.0, counts) + 1.0), dtype=np.float64)


def sum_over_columns(columns: Any) -> Array:
    """Sum the cells of each row, (n,)."""
    return np.asarray(columns.sum(axis=1), dtype=np.float64).ravel()
