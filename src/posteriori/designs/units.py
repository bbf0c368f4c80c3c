"""`Units`: the centre and scale in which a fit works, and the way back to the user's own."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.designs.design import DenseDesign, Design, design
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Units:
    """z = (x - centre) / scale, with or without an intercept.

    Coefficients are (q, p), the intercept first: eta = b + z'w here is eta = b_x + x'w_x in the user's units,
    with w_x = w / scale and b_x = b - w_x'centre.

    Parameters
    ----------
    centre, scale : (d,)
    intercept : whether the first coefficient is an intercept; without one nothing is centred
    """

    centre: Array
    scale: Array
    intercept: bool

    @property
    def n_coefficients(self) -> int:
        """How many coefficients a score has (p)."""
        return len(self.scale) + self.intercept

    def to_data(self, w: Array) -> tuple[Array, Array]:
        """Give the intercepts (q,) and weights (q, d) in the user's units."""
        scaled = w[:, 1:] if self.intercept else w
        with np.errstate(over="ignore"):  # the finite point of separated classes on columns of 1e-300
            weights = scaled / self.scale
        if self.intercept and not np.isfinite(weights).all():
            return w[:, 0] - scaled @ (self.centre / self.scale), weights
        lead = w[:, 0] - weights @ self.centre if self.intercept else np.zeros(len(w))
        return lead, weights

    def from_data(self, intercept: Array, weights: Array) -> Array:
        """Give coefficients (q, p) in these units of a model in the user's."""
        scaled = weights * self.scale
        if not self.intercept:
            return scaled
        return np.column_stack([intercept + weights @ self.centre, scaled])

    def jacobian(self) -> Array:
        """Give T with (b_x, w_x) = T (b, w) for one score, (p, p)."""
        if not self.intercept:
            return np.diag(1.0 / self.scale)
        T = np.diag(np.concatenate([[1.0], 1.0 / self.scale]))
        T[0, 1:] = -self.centre / self.scale
        return T

    @property
    def by_column(self) -> bool:
        """Whether each coefficient is that of one column."""
        return True

    def design(self, features: Any) -> Design:
        """Put the features of a block, (n, d), into these units."""
        return design(features, self.centre, self.scale, self.intercept)


@dataclass(frozen=True)
class TriangularUnits(Units):
    """Coordinates v = R w of coefficients w in units, R upper triangular: eta = (1, z)'R^-1 v.

    With R the triangle of the design, its columns become orthonormal however nearly dependent they were, and a Gram
    of them is no longer singular to rounding. Rows are laid out in a block-sized scratch.

    Parameters
    ----------
    triangle : R (p, p)
    """

    triangle: Array

    @property
    def by_column(self) -> bool:
        """Each coordinate is a combination of columns."""
        return False

    def plain(self) -> Units:
        """Give the units without the triangle."""
        return Units(self.centre, self.scale, self.intercept)

    def to_plain(self, v: Array) -> Array:
        """Give w (q, p) from v (q, p)."""
        w: Array = la.solve_triangular(self.triangle, v.T, check_finite=False).T
        return w

    def to_data(self, w: Array) -> tuple[Array, Array]:
        """Give the intercepts (q,) and weights (q, d) in the user's units."""
        return super().to_data(self.to_plain(w))

    def from_data(self, intercept: Array, weights: Array) -> Array:
        """Give coordinates (q, p) of a model in the user's units."""
        return super().from_data(intercept, weights) @ self.triangle.T

    def jacobian(self) -> Array:
        """Give T with (b_x, w_x) = T v for one score, (p, p)."""
        T: Array = la.solve_triangular(self.triangle.T, super().jacobian().T, lower=True, check_finite=False).T
        return T

    def design(self, features: Any) -> Design:
        """Put the features of a block into these coordinates."""
        dense = features if isinstance(features, np.ndarray) else features.toarray()
        rows = super().design(dense)
        assert isinstance(rows, DenseDesign)
        solved = la.solve_triangular(self.triangle.T, rows.rows.T, lower=True, check_finite=False)
        return DenseDesign(np.ascontiguousarray(solved.T))
