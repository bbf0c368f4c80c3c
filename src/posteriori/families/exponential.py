"""`Exponential`: columns of waiting times."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Codes
from posteriori.families.affine import AffineFamily, AffineParameters
from posteriori.families.class_sums import class_means
from posteriori.families.degenerate_notes import borrowed, without_spread
from posteriori.families.gaussian.variances import filled_means
from posteriori.messages.errors import DataError
from posteriori.messages.notes import Note
from posteriori.statistics.means import Means
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Exponential(AffineFamily):
    """Independent columns of waiting times: p(x_j | k) = r_kj exp(-r_kj x_j), r_kj one over the class mean.

    A class that shows nothing but zeros takes the mean of all rows in that column; a column of nothing but
    zeros is left out.

    Book: [Jordan] §7.2.3, T(x) = x, eta = -r.
    """

    name: ClassVar[str] = "exponential"

    def domain(self) -> str:
        """Give what waiting times may be."""
        return "numbers from zero up"

    def invalid(self, columns: Array) -> NDArray[np.bool_]:
        """Mark negative and infinite cells."""
        wrong: NDArray[np.bool_] = (columns < 0) | np.isinf(columns)
        return wrong

    def summarize(self, columns: Array, codes: Codes, weights: Array, n_classes: int, size: int) -> Means:
        """Give weight and mean by class and column."""
        return Means(*class_means(columns, codes, weights, n_classes, size))

    def estimate(self, statistics: Means) -> AffineParameters:
        """Give the means, which are one over the rates."""
        mean = filled_means(statistics.weight * (statistics.mean > 0), statistics.mean)
        none = np.zeros_like(mean)
        with np.errstate(over="ignore"):
            rate = np.divide(1.0, mean, out=none.copy(), where=mean > 0)
        if np.isinf(rate).any():
            raise DataError(
                f"a waiting time has a mean of {mean[np.isinf(rate)][0]:.3g} in a class: its rate, one over it, is "
                "above all floats. Give the column in other units."
            )
        level = -np.log(mean, out=none.copy(), where=mean > 0)
        return AffineParameters(mean, -rate, level, none, none)

    def log_base(self, columns: Array) -> Array:
        """Give zero: h(x) = 1."""
        return np.zeros(len(columns))

    def sample(self, parameters: AffineParameters, codes: Codes, rng: np.random.Generator) -> Array:
        """Draw waiting times of the class's means."""
        return rng.standard_exponential((len(codes), parameters.mean.shape[1])) * parameters.mean[codes]

    def describe(self, parameters: AffineParameters, column: int) -> dict[str, Array]:
        """Give the rate by class: infinite for a column of zeros."""
        with np.errstate(divide="ignore", over="ignore"):
            return {"rate": 1.0 / parameters.mean[:, column]}

    def notes(self, statistics: Means, names: Sequence[str | int], classes: NDArray[Any]) -> tuple[Note, ...]:
        """Name the columns left out, and the classes that took the mean of all rows."""
        alive: NDArray[np.bool_] = np.any(statistics.mean > 0, axis=0)
        lone = (statistics.weight > 0) & (statistics.mean == 0) & alive
        return without_spread(~alive, names) + borrowed(
            lone, names, classes, "the mean of all rows", "More rows would settle it."
        )
