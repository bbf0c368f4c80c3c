"""`WithinScatter`: class weights, class means, and the triangle of the rows about them."""

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg as la

from posteriori.arrays import Array
from posteriori.checks.requirements import fail
from posteriori.linalg.cholesky import QR_PIVOT
from posteriori.linalg.powers_of_two import nonzero
from posteriori.statistics.base import ClassStatistics, check_scale
from posteriori.statistics.merged_means import merge_means
from posteriori.statistics.triangle import trapezoidal, triangular
from posteriori.storable import storable


@storable
@dataclass(frozen=True)
class WithinScatter(ClassStatistics):
    """All that linear discriminants need of the rows: R with R'R = S_W, the pooled within-class scatter.

    The design matrix centred at the mean of all rows has the same normal equations as R stacked on the rows
    sqrt(N_k) (m_k - m)', so least squares on class targets is solved from these without reading a row again.

    Book: [Bishop] Eq. 4.40-4.43, §4.1.6: S_T = S_W + S_B.

    Parameters
    ----------
    scale : (d,) powers of two, 0 for a column of zeros
    weight : (K,) sums of weights
    mean : (K, d) class means, in the units of the data
    factor : (r, d) rows R in units of scale; upper triangular with r <= d after `triangular`
    """

    scale: Array
    weight: Array
    mean: Array
    factor: Array

    @property
    def by_class(self) -> tuple[str, ...]:
        """The arrays whose first axis is the class."""
        return "weight", "mean"

    def merge(self, other: "WithinScatter") -> "WithinScatter":
        """Combine two sets of rows: stack R_a, R_b and the rows sqrt(w_a w_b / w) (m_b - m_a)'; factor if many."""
        if not self.weight.any() or not other.weight.any():
            return other if other.weight.any() else self
        scale = np.maximum(self.scale, other.scale)
        unit = nonzero(scale)
        merged = merge_means((self.weight, other.weight), (self.mean, other.mean), unit)
        shift = merged.shift * np.sqrt(self.weight[:, None] * merged.proportion)
        parts = [self.factor * (self.scale / unit), other.factor * (other.scale / unit), shift[shift.any(axis=1)]]
        return WithinScatter(scale, merged.weight, merged.mean, compact(np.vstack(parts)))

    def triangular(self) -> "WithinScatter":
        """Return the same with R upper triangular: no more rows than columns, and none of them a row of the data."""
        return replace(self, factor=trapezoidal(self.factor))

    def check(self, where: str) -> None:
        """Raise unless the factor is a triangle of the size that the weights allow."""
        check_scale(self.mean, self.scale, where)
        if len(self.factor) > self.factor.shape[1] or np.tril(self.factor, -1).any():
            fail(f"{where}.factor", "is not upper triangular")
        if ((self.factor / 16.0) ** 2).sum(axis=0).max(initial=0.0) > self.weight.sum():
            fail(f"{where}.factor", "is larger than the weights allow")
        if not self.weight.any():
            fail(f"{where}.weight", "is zero for every class")


def compact(rows: Array) -> Array:
    """Return rows with the same R'R, unchanged if they are few: wide blocks are then factored together."""
    return rows if len(rows) <= 2 * rows.shape[1] else factor_of(rows)


def factor_of(rows: Array) -> Array:
    """Return R of some rows: by Cholesky if the columns are clearly independent, else by Householder reflections.

    The Gram matrix costs half of a QR and runs at the speed of a matrix product, but squares the condition.

    >>> factor_of(np.array([[3.0, 0.0], [4.0, 1.0]])).tolist()
    [[5.0, 0.8], [0.0, 0.6]]
    """
    gram = rows.T @ rows
    size = np.sqrt(np.diagonal(gram))
    if len(rows) > rows.shape[1] and size.min(initial=np.inf) > 0 and np.isfinite(size).all():
        factor, failed = la.lapack.dpotrf(gram / size / size[:, None])
        if not failed and np.diagonal(factor).min() > QR_PIVOT:
            return np.asarray(np.triu(factor) * size)
    return triangular(rows)
