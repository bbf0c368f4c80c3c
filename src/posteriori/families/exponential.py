"""`Exponential`: columns of waiting times."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import AnyArray, Array, Codes, Mask
from posteriori.families.affine import AffineFamily, AffineParameters
from posteriori.families.base import Names, Notes
from posteriori.families.class_sums import fill_empty_classes
from posteriori.families.degenerate_notes import MORE_ROWS, borrowed, left_out
from posteriori.linalg.quotients import quotient
from posteriori.messages.errors import DataError
from posteriori.statistics.means import Means
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Exponential(AffineFamily):
    """Independent columns of waiting times: p(x_j | k) = r_kj exp(-r_kj x_j), r_kj one over the class mean.

    A class with only zeros in a column takes the mean of all rows there; a column of zeros is left out.

    Book: [Jordan] §7.2.3, T(x) = x, eta = -r.
    """

    name = "exponential"

    def domain(self) -> str:
        """Return the domain of waiting times."""
        return "numbers from zero up"

    def invalid(self, columns: Array) -> Mask:
        """Mark negative and infinite cells."""
        return (columns < 0) | np.isinf(columns)

    def estimate(self, statistics: Means) -> AffineParameters:
        """Return the means, which are one over the rates."""
        mean = fill_empty_classes(statistics.weight * (statistics.mean > 0), statistics.mean)
        zero = np.zeros_like(mean)
        with np.errstate(over="ignore"):
            rate = quotient(1.0, mean)
        if np.isinf(rate).any():
            raise DataError(
                f"a waiting time has a mean of {mean[np.isinf(rate)][0]:.3g} in a class: its rate, one over it, is "
                "beyond the range of floats. Use other units for the column."
            )
        level = -np.log(mean, out=zero.copy(), where=mean > 0)
        return AffineParameters(mean, -rate, level, zero, zero)

    def log_base(self, columns: Array) -> Array:
        """Return zero: h(x) = 1."""
        return np.zeros(len(columns))

    def sample(self, parameters: AffineParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw waiting times with the class's means."""
        return rng.standard_exponential((len(codes), parameters.mean.shape[1])) * parameters.mean[codes]

    def describe(self, parameters: AffineParameters, column: int) -> dict[str, Array]:
        """Return the rate by class; infinite for a column of zeros."""
        with np.errstate(divide="ignore", over="ignore"):
            return {"rate": 1.0 / parameters.mean[:, column]}

    def notes(self, statistics: Means, names: Names, classes: AnyArray) -> Notes:
        """Name the columns left out, and the classes that took the mean of all rows."""
        positive = np.any(statistics.mean > 0, axis=0)
        zero = (statistics.weight > 0) & (statistics.mean == 0) & positive
        pooled = borrowed(zero, names, classes, "the mean of all rows", MORE_ROWS, "have only zeros")
        return left_out(~positive, names) + pooled
