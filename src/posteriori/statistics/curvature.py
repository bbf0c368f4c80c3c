"""`Curvature`: value, gradient and Hessian of a sum over rows; and parts of it."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.statistics.base import Statistics


@dataclass(frozen=True)
class Slope(Statistics):
    """The loss at w, its gradient, and the least odds of a wrong class.

    Parameters
    ----------
    value : sum over rows of the loss
    gradient : (q, p) by score and coefficient
    overlap : the smallest weight times odds of a wrong class over all rows; see `fits.existence.overlap`
    """

    value: float
    gradient: Array
    overlap: float

    def merge(self, other: "Slope") -> "Slope":
        """Add value and gradient; take the smaller overlap."""
        return Slope(self.value + other.value, self.gradient + other.gradient, min(self.overlap, other.overlap))

    def zero(self) -> "Slope":
        """Return the slope of no rows."""
        return Slope(0.0, np.zeros_like(self.gradient), np.inf)


@dataclass(frozen=True)
class Curvature(Statistics):
    """A `Slope` with its Hessian.

    Book: [Jordan] Eq. 7.64 and 7.72-7.74, §7.3.1; [Bishop] Eq. 4.96-4.97 and 4.109-4.110, §4.3.3-4.3.4.

    Parameters
    ----------
    slope : value, gradient, overlap
    hessian : (q p, q p), score by score
    """

    slope: Slope
    hessian: Array

    def merge(self, other: "Curvature") -> "Curvature":
        """Add both."""
        return Curvature(self.slope.merge(other.slope), self.hessian + other.hessian)

    def zero(self) -> "Curvature":
        """Return the curvature of no rows."""
        return Curvature(self.slope.zero(), np.zeros_like(self.hessian))


@dataclass(frozen=True)
class Total(Statistics):
    """A sum of arrays over rows, such as losses at several steps or a Hessian times a vector."""

    values: Array

    def merge(self, other: "Total") -> "Total":
        """Add."""
        return Total(self.values + other.values)
