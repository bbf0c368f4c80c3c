"""Weighted Gram matrices of dense rows of which many columns take two values, such as the indicators of a factor.

With base_j the more frequent value of column j in the block, z_j = base_j + delta_j b_j, and b_j is zero in most rows.
The sum of w z z' over the rows is then made of sums of w b_i b_j over the few pairs of columns that are not zero in a
row, for all weights w together.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import scipy.sparse as sp

from posteriori.arrays import Array

#: Multiply-adds of a full Gram matrix, over all weights, below which no structure is looked for.
LARGE = 1e8
#: Times as many multiply-adds that a matrix product does in the time of one here.
SPEED = 12
#: Entries of Gram matrices computed together: their temporaries stay in the cache.
TOGETHER = 2**16


@dataclass(frozen=True)
class IndicatorRows:
    """Rows (n, p) as z = base + delta b, b (n, p) with few entries.

    Parameters
    ----------
    base : (p,) 0 for columns of more than two values
    delta : (p,) 1 for columns of more than two values, 0 for constants
    products : (n, (p + 1)^2) products of the entries of (1, b) in each row, of pairs i <= j
    """

    base: Array
    delta: Array
    products: sp.csr_array

    @classmethod
    def of(cls, rows: Array) -> Self | None:
        """Return the structure of rows, or None where a matrix product is faster."""
        n, p = rows.shape
        low, high = rows.min(axis=0), rows.max(axis=0)
        at_high = rows == high
        two = (at_high | (rows == low)).all(axis=0)
        swapped = 2 * at_high.sum(axis=0) > n
        base, other = np.where(swapped, high, low), np.where(swapped, low, high)
        # where the base is the larger number, adding it and taking it off again would lose digits
        two &= (np.abs(base) <= np.abs(other)) | (base == other)
        marks = np.where(two, rows != base, True)
        sizes = marks.sum(axis=1) + 1
        width = int(sizes.max())
        if SPEED * width * (width + 1) > 2 * p * p:
            return None
        base, delta = np.where(two, base, 0.0), np.where(two, other - base, 1.0)
        row, column = np.nonzero(marks)
        place = np.arange(len(row)) - np.repeat(np.cumsum(sizes - 1) - (sizes - 1), sizes - 1) + 1
        columns, values = np.zeros((n, width), dtype=np.int64), np.zeros((n, width))
        values[:, 0] = 1.0
        columns[row, place] = column + 1
        values[row, place] = np.where(two[column], 1.0, rows[row, column])
        first, second = np.triu_indices(width)
        pairs, entries = columns[:, first] * (p + 1) + columns[:, second], values[:, first] * values[:, second]
        starts = np.arange(n + 1) * len(first)
        return cls(base, delta, sp.csr_array((entries.ravel(), pairs.ravel(), starts), shape=(n, (p + 1) ** 2)))

    def grams(self, weights: Array) -> Array:
        """Return the sum over rows of w z z' for each column w of the weights (n, m), (m, p, p)."""
        p = len(self.base)
        sums = np.ascontiguousarray((self.products.T @ weights).T).reshape(-1, p + 1, p + 1)
        result = np.empty((len(sums), p, p))
        step = max(TOGETHER // (p * p), 1)
        for start in range(0, len(sums), step):
            self._in_units(sums[start : start + step], result[start : start + step])
        return result

    def _in_units(self, sums: Array, result: Array) -> None:
        """Write sums of w z z' from sums of w (1, b)(1, b)', of which only pairs i <= j are not zero."""
        totals = sums[:, 0, 0][:, None, None]
        edge = self.delta * sums[:, 0, 1:]
        inner = np.multiply(sums[:, 1:, 1:], self.delta[:, None] * self.delta, out=result)
        diagonal = np.arange(len(self.base))
        own = inner[:, diagonal, diagonal]
        inner += inner.swapaxes(1, 2).copy()
        inner[:, diagonal, diagonal] = own
        shift = self.base[:, None] * edge[:, None, :]
        inner += shift + shift.swapaxes(1, 2)  # in one sum, so that the result is symmetric to the last bit
        inner += totals * (self.base[:, None] * self.base)
