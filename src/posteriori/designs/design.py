"""A block of rows as a design matrix in centred and scaled units: the products every linear model needs.

The units are applied in a block-sized scratch where rows are dense and algebraically where they are sparse,
so no copy of X is ever made.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from posteriori.arrays import Array

#: Values up to which a product of two matrices is quicker than half of one.
SMALL = 2**17


@dataclass(frozen=True)
class DenseDesign:
    """Rows (1, z) or z of a dense block, z = (x - centre) / scale."""

    rows: Array

    def scores(self, w: Array) -> Array:
        """Give eta = rows w', (n, q), for w of shape (q, p)."""
        return self.rows @ w.T

    def pull_back(self, scores: Array) -> Array:
        """Give the sum over rows of score times row, (q, p): a gradient in eta becomes one in w."""
        return scores.T @ self.rows

    def gram(self, curvature: Array) -> Array:
        """Give the sum over rows of curvature (n, q, q) times row row', (q p, q p)."""
        q, p = curvature.shape[1], self.rows.shape[1]
        whole = np.empty((q, p, q, p))
        for a in range(q):
            for b in range(a, q):
                part = _weighted_gram(self.rows, curvature[:, a, b])
                whole[a, :, b, :] = part
                whole[b, :, a, :] = part
        return whole.reshape(q * p, q * p)


def _weighted_gram(rows: Array, weights: Array) -> Array:
    if rows.size > SMALL and weights.min() >= 0:
        rooted = rows * np.sqrt(weights)[:, None]
        return rooted.T @ rooted  # BLAS computes one half of a product with itself; for few rows that saves nothing
    return rows.T @ (rows * weights[:, None])


@dataclass(frozen=True)
class SparseDesign:
    """The same products for a CSR block; centring is carried through as a rank-one term."""

    X: Any
    centre: Array
    scale: Array
    intercept: bool

    def scores(self, w: Array) -> Array:
        """Give eta = X (w / scale)' less the centre's share."""
        lead, weights = self._split(w)
        weights = weights / self.scale
        eta: Array = self.X @ weights.T + (lead - weights @ self.centre)
        return eta

    def pull_back(self, scores: Array) -> Array:
        """Give the sum over rows of score times row, (q, p)."""
        totals = scores.sum(axis=0)
        columns = ((self.X.T @ scores).T - np.outer(totals, self.centre)) / self.scale
        return np.column_stack([totals, columns]) if self.intercept else columns

    def gram(self, curvature: Array) -> Array:
        """Give the sum over rows of curvature times row row', (q p, q p)."""
        q = curvature.shape[1]
        blocks = [[self._one(curvature[:, min(a, b), max(a, b)]) for b in range(q)] for a in range(q)]
        return np.block(blocks)

    def _one(self, weights: Array) -> Array:
        total, linear = weights.sum(), self.X.T @ weights
        products: Array = (self.X.T @ (sp.diags_array(weights) @ self.X)).toarray()
        shift = np.outer(linear, self.centre)
        products += total * np.outer(self.centre, self.centre) - shift - shift.T
        products /= np.outer(self.scale, self.scale)
        if not self.intercept:
            return products
        edge = (linear - total * self.centre) / self.scale
        return np.block([[np.array([[total]]), edge[None, :]], [edge[:, None], products]])

    def _split(self, w: Array) -> tuple[Array, Array]:
        return (w[:, 0], w[:, 1:]) if self.intercept else (np.zeros(len(w)), w)


Design = DenseDesign | SparseDesign


def design(X: Any, centre: Array, scale: Array, intercept: bool) -> Design:
    """Put a block's features into units: (x - centre) / scale, with a leading 1 for the intercept."""
    if sp.issparse(X):
        return SparseDesign(X, centre, scale, intercept)
    n, d = X.shape
    rows = np.empty((n, d + intercept))
    if intercept:
        rows[:, 0] = 1.0
    inner = rows[:, int(intercept) :]
    np.subtract(X, centre, out=inner)
    inner /= scale
    return DenseDesign(rows)
