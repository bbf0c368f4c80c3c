"""`Within`: class weights, class means, and the triangle of the rows about them."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.linalg.cholesky import QR_PIVOT
from posteriori.statistics.base import Statistics
from posteriori.statistics.triangle import trapezoidal, triangular
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class Within(Statistics):
    """All that linear discriminants need of the rows: R with R'R = S_W, the pooled within-class scatter.

    The design matrix centred at the mean of all rows has the same normal equations as R stacked on the rows
    sqrt(N_k) (m_k - m)', so least squares on class targets is solved from these without reading a row again.

    Book: [Bishop] Eq. 4.40-4.43, §4.1.6: S_T = S_W + S_B.

    Parameters
    ----------
    scale : (d,) powers of two, 0 where nothing but zeros was seen
    weight : (K,) sums of weights
    mean : (K, d) class means, in the units of the data
    factor : (r, d) rows R in units of scale; upper triangular, r <= d, once `settled`
    """

    scale: Array
    weight: Array
    mean: Array
    factor: Array

    def merge(self, other: "Within") -> "Within":
        """Join two sets of rows: R_a on R_b on the rows sqrt(w_a w_b / w) (m_b - m_a)', factored when they are many."""
        if not self.weight.any() or not other.weight.any():
            return other if other.weight.any() else self
        scale = np.maximum(self.scale, other.scale)
        unit = np.where(scale > 0, scale, 1.0)
        weight = self.weight + other.weight
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=weight > 0)
        shift = other.mean / unit - self.mean / unit
        shift[(self.weight == 0) | (other.weight == 0)] = 0.0
        mean = np.where(self.weight[:, None] == 0, other.mean, self.mean + share[:, None] * shift * unit)
        tilted = shift * np.sqrt(self.weight * share)[:, None]
        parts = [self.factor * (self.scale / unit), other.factor * (other.scale / unit), tilted[tilted.any(axis=1)]]
        return Within(scale, weight, mean, compact(np.vstack(parts)))

    def settled(self) -> "Within":
        """Give the same with R upper triangular: no more rows than columns, and none of them a row of the data."""
        return Within(self.scale, self.weight, self.mean, trapezoidal(self.factor))

    def zero(self) -> "Within":
        """Give the statistics of no rows."""
        return Within(*(np.zeros_like(part) for part in vars(self).values()))


def compact(rows: Array) -> Array:
    """Give rows with the same R'R: as they are where they are few, so that wide blocks are not factored one by one."""
    return rows if len(rows) <= 2 * rows.shape[1] else factor_of(rows)


def factor_of(rows: Array) -> Array:
    """Give R of some rows: by Cholesky where the columns are clearly independent, else by Householder.

    The Gram matrix costs half of a QR and runs at the speed of a matrix product, but squares the condition.

    >>> factor_of(np.array([[3.0, 0.0], [4.0, 1.0]])).tolist()
    [[5.0, 0.8], [0.0, 0.6]]
    """
    gram = rows.T @ rows
    size = np.sqrt(np.diagonal(gram))
    if len(rows) > rows.shape[1] and size.min(initial=np.inf) > 0 and np.isfinite(size).all():
        factor, failed = la.lapack.dpotrf(gram / size / size[:, None])
        if not failed and np.diagonal(factor).min() > QR_PIVOT:
            upright: Array = np.triu(factor) * size
            return upright
    return triangular(rows)
