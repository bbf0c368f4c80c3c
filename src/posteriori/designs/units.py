"""`Units`: the centre and scale in which a fit works, and the conversion to the user's units."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.checks.requirements import fail
from posteriori.designs.design import DenseDesign, Design, design
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Units:
    """z = (x - centre) / scale, with or without an intercept.

    Coefficients are (q, p), the intercept first: eta = b + z'w in these units is eta = b_x + x'w_x in the user's, with
    w_x = w / scale and b_x = b - w_x'centre.

    Parameters
    ----------
    centre, scale : (d,)
    intercept : whether the first coefficient is an intercept; columns are not centred without one
    """

    centre: Array
    scale: Array
    intercept: bool

    @property
    def n_coefficients(self) -> int:
        """The number of coefficients of a score (p)."""
        return len(self.scale) + self.intercept

    def same(self, other: "Units") -> bool:
        """Return whether centre, scale and intercept are the same."""
        equal = np.array_equal(self.centre, other.centre) and np.array_equal(self.scale, other.scale)
        return equal and self.intercept == other.intercept

    def to_data(self, w: Array) -> tuple[Array, Array]:
        """Return the intercepts (q,) and weights (q, d) in the user's units."""
        scaled = w[:, 1:] if self.intercept else w
        with np.errstate(over="ignore"):  # the finite point of separated classes on columns of 1e-300
            weights = scaled / self.scale
        if self.intercept and not np.isfinite(weights).all():
            return w[:, 0] - scaled @ (self.centre / self.scale), weights
        lead = w[:, 0] - weights @ self.centre if self.intercept else np.zeros(len(w))
        return lead, weights

    def from_data(self, intercept: Array, weights: Array) -> Array:
        """Return the coefficients (q, p) in these units of a model in the user's units."""
        scaled = weights * self.scale
        if not self.intercept:
            return scaled
        return np.column_stack([intercept + weights @ self.centre, scaled])

    def jacobian(self) -> Array:
        """Return T with (b_x, w_x) = T (b, w) for one score, (p, p)."""
        if not self.intercept:
            return np.diag(1.0 / self.scale)
        T = np.diag(np.concatenate([[1.0], 1.0 / self.scale]))
        T[0, 1:] = -self.centre / self.scale
        return T

    @property
    def by_column(self) -> bool:
        """Whether each coefficient belongs to one column."""
        return True

    def design(self, features: Any) -> Design:
        """Return the design of the features of a block, (n, d), in these units."""
        return design(features, self.centre, self.scale, self.intercept)

    def check(self, where: str) -> None:
        """Raise unless centres are finite in units of the scale, and zero where there is no intercept."""
        if not self.intercept and self.centre.any():
            fail(f"{where}.centre", "is not zero, and there is no intercept to take it")
        if not np.isfinite(self.centre / self.scale).all():
            fail(f"{where}.centre", "is too far from zero for the scale")


@dataclass(frozen=True)
class TriangularUnits(Units):
    """Coordinates v = R w of coefficients w in units, R upper triangular: eta = (1, z)'R^-1 v.

    If R is the triangular factor of the design, the columns of the new design are orthonormal, however nearly dependent
    the old ones, and their Gram matrix is not singular to rounding. Rows are dense, one block at a time.

    Parameters
    ----------
    triangle : R (p, p)
    """

    triangle: Array

    @property
    def by_column(self) -> bool:
        """False: each coordinate is a combination of columns."""
        return False

    def plain(self) -> Units:
        """Return the units without the triangle."""
        return Units(self.centre, self.scale, self.intercept)

    def to_plain(self, v: Array) -> Array:
        """Return w (q, p) from v (q, p)."""
        return np.asarray(la.solve_triangular(self.triangle, v.T, check_finite=False).T)

    def to_data(self, w: Array) -> tuple[Array, Array]:
        """Return the intercepts (q,) and weights (q, d) in the user's units."""
        return super().to_data(self.to_plain(w))

    def from_data(self, intercept: Array, weights: Array) -> Array:
        """Return the coordinates (q, p) of a model in the user's units."""
        return super().from_data(intercept, weights) @ self.triangle.T

    def jacobian(self) -> Array:
        """Return T with (b_x, w_x) = T v for one score, (p, p)."""
        return np.asarray(la.solve_triangular(self.triangle.T, super().jacobian().T, lower=True, check_finite=False).T)

    def design(self, features: Any) -> Design:
        """Return the design of the features of a block in these coordinates."""
        rows = super().design(features).dense()
        solved = la.solve_triangular(self.triangle.T, rows.T, lower=True, check_finite=False)
        return DenseDesign(np.ascontiguousarray(solved.T))
