"""`Triangle`: the R of a QR decomposition, which keeps the digits that a Gram matrix loses."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.statistics.base import Statistics


@dataclass(frozen=True)
class Triangle(Statistics):
    """Upper triangular R with R'R = sum of w z z' over rows z.

    A Gram matrix squares the condition number; R does not, so ranks and least squares are computed from it.
    Two triangles merge by factoring the two stacked.
    """

    factor: Array

    @classmethod
    def of(cls, rows: Array) -> "Triangle":
        """Factor a block of rows (already weighted by square roots)."""
        return cls(triangular(rows))

    def merge(self, other: "Triangle") -> "Triangle":
        """Factor the two triangles stacked."""
        return Triangle(triangular(np.vstack([self.factor, other.factor])))


def triangular(rows: Array) -> Array:
    """Return R with a positive diagonal, square for any number of rows."""
    d = rows.shape[1]
    if rows.shape[0] < d:
        rows = np.vstack([rows, np.zeros((d - rows.shape[0], d))])
    return trapezoidal(rows)


def trapezoidal(rows: Array) -> Array:
    """Return R with a positive diagonal, with at most as many rows as there are."""
    (factor,) = la.qr(rows, mode="r", check_finite=False, overwrite_a=False)
    factor = factor[: min(rows.shape)]
    signs = np.where(np.diagonal(factor) < 0, -1.0, 1.0)
    return np.triu(factor * signs[:, None])
