"""`CountFamily`: what the families of counts share: their domain and log x!."""

from typing import Any

import numpy as np
from scipy.special import gammaln

from posteriori.arrays import Array, Mask
from posteriori.backends.backend import Backend
from posteriori.families.affine import AffineFamily


class CountFamily(AffineFamily):
    """A family whose cells are whole numbers from zero up."""

    def domain(self) -> str:
        """Return the domain of counts."""
        return "counts: whole numbers from zero up"

    def invalid(self, columns: Array) -> Mask:
        """Mark cells that are negative, fractional or infinite."""
        wrong: Mask = ~((columns >= 0) & (columns == np.floor(columns)) & (columns < np.inf))
        return wrong & ~np.isnan(columns)

    def passes_quick_check(self, cells: Array, backend: Backend) -> bool:
        """Check all cells in one pass."""
        return bool(backend.classwise.all_counts(cells))


def log_factorial(counts: Array) -> Array:
    """Return log x!, and 0 for a missing cell.

    >>> np.exp(log_factorial(np.array([0.0, 4.0, np.nan]))).round(9).tolist()
    [1.0, 24.0, 1.0]
    """
    return np.asarray(gammaln(np.where(np.isnan(counts), 0.0, counts) + 1.0), dtype=np.float64)


def row_sums(columns: Any) -> Array:
    """Sum the cells of each row of an array or CSR matrix, (n,)."""
    return np.asarray(columns.sum(axis=1), dtype=np.float64).ravel()
