"""A block of rows as a design matrix in centred and scaled units: the products that every linear model needs.

Dense rows are centred and scaled in an array of the size of the block, sparse rows algebraically; X is never copied.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from posteriori.arrays import Array
from posteriori.backends.csr import to_dense
from posteriori.cached_property import cached_property
from posteriori.designs.indicators import LARGE, IndicatorRows

#: Number of values up to which a full matrix product is faster than half of a symmetric one.
SMALL = 2**17


@dataclass(frozen=True)
class DenseDesign:
    """Rows (1, z) or z of a dense block, z = (x - centre) / scale."""

    rows: Array

    def scores(self, w: Array) -> Array:
        """Return eta = rows w', (n, q), for w of shape (q, p)."""
        return self.rows @ w.T

    def pull_back(self, scores: Array) -> Array:
        """Return the sum over rows of score times row, (q, p): a gradient in eta becomes one in w."""
        return scores.T @ self.rows

    def gram(self, curvature: Array) -> Array:
        """Return the sum over rows of curvature (n, q, q) times row row', (q p, q p)."""
        q, p = curvature.shape[1], self.rows.shape[1]
        whole = np.empty((q, p, q, p))
        first, second = np.triu_indices(q)
        large = q > 1 and len(first) * float(self.rows.size) * p >= LARGE
        indicators = self.indicators if large else None
        parts: Iterable[Array]
        if indicators is None:
            parts = (_weighted_gram(self.rows, curvature[:, a, b]) for a, b in zip(first, second, strict=True))
        else:
            parts = indicators.grams(curvature[:, first, second])
        for a, b, part in zip(first, second, parts, strict=True):
            whole[a, :, b, :] = part
            whole[b, :, a, :] = part
        return whole.reshape(q * p, q * p)

    @cached_property
    def indicators(self) -> IndicatorRows | None:
        """The rows by their indicator columns, where there are enough of them."""
        return IndicatorRows.of(self.rows)

    def dense(self) -> Array:
        """Return the rows, (n, p)."""
        return self.rows

    def magnitudes(self) -> "DenseDesign":
        """Return the design with the sizes of its entries."""
        return DenseDesign(np.abs(self.rows))


def _weighted_gram(rows: Array, weights: Array) -> Array:
    if rows.size > SMALL and weights.min() >= 0:
        rooted = rows * np.sqrt(weights)[:, None]
        return rooted.T @ rooted  # BLAS computes half of a product R'R; for few rows that saves nothing
    return rows.T @ (rows * weights[:, None])


@dataclass(frozen=True)
class SparseDesign:
    """The same products for a CSR block, where centring is a rank-one term."""

    X: Any
    centre: Array
    scale: Array
    intercept: bool

    def scores(self, w: Array) -> Array:
        """Return eta = X (w / scale)' minus the product of the centre."""
        lead, weights = self._split(w)
        weights = weights / self.scale
        eta: Array = self.X @ weights.T + (lead - weights @ self.centre)
        return eta

    def pull_back(self, scores: Array) -> Array:
        """Return the sum over rows of score times row, (q, p)."""
        totals = scores.sum(axis=0)
        columns = ((self.X.T @ scores).T - np.outer(totals, self.centre)) / self.scale
        return np.column_stack([totals, columns]) if self.intercept else columns

    def gram(self, curvature: Array) -> Array:
        """Return the sum over rows of curvature times row row', (q p, q p)."""
        q = curvature.shape[1]
        blocks = [[self._one(curvature[:, min(a, b), max(a, b)]) for b in range(q)] for a in range(q)]
        return np.block(blocks)

    def dense(self) -> Array:
        """Return the rows, (n, p)."""
        return design(to_dense(self.X), self.centre, self.scale, self.intercept).dense()

    def magnitudes(self) -> "SparseDesign":
        """Return the design with bounds |x / scale| + |centre / scale| on the sizes of its entries."""
        return SparseDesign(abs(self.X), -np.abs(self.centre), self.scale, self.intercept)

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
    """Return the design of a block's features: (x - centre) / scale, with a leading 1 for the intercept."""
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
