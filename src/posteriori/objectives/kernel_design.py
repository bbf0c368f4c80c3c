"""The design of a kernel model: kernels computed block by block, or a few columns that represent them."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.bases.gaussian_kernel import GaussianKernel
from posteriori.bases.kernel_centers import Distinct
from posteriori.bases.low_rank_kernel import low_rank
from posteriori.messages.errors import DataError
from posteriori.tables.table import Table
from posteriori.tables.views import Mapped

#: Distinct rows above which the matrix of all kernels would take over 3 GB.
MOST_CENTERS = 20_000


@dataclass(frozen=True)
class KernelDesign:
    """A table whose p columns span the m kernels.

    Parameters
    ----------
    kernel : the kernels, with their m centres
    table : rows of p columns, with class counts or codes
    vectors : (m, p) orthonormal, by which coefficients a over the columns become theta = vectors a over the kernels;
        None where the columns are the kernels. |theta| = |a|, so a penalty is the same in both.
    matrix : (m, m) the kernels of all centres, where their rank is not low
    counts : (m, K) the class counts at the centres, if they are the rows
    """

    kernel: GaussianKernel
    table: Table
    vectors: Array | None = None
    matrix: Array | None = None
    counts: Array | None = None

    def over_kernels(self, a: Array) -> Array:
        """Return coefficients (q, p) over the columns as those over the kernels, (q, m)."""
        return a if self.vectors is None else a @ self.vectors.T

    def over_columns(self, theta: Array) -> Array:
        """Return the projection of coefficients (q, m) over the kernels on the columns, (q, p)."""
        return theta if self.vectors is None else theta @ self.vectors

    def times(self, theta: Array) -> Array:
        """Return the kernels of all centres times coefficients (q, m), (m, q); block by block if not stored."""
        if self.matrix is not None:
            return self.matrix @ theta.T
        centers, step = self.kernel.centers, max(2**22 // self.kernel.n_columns, 1)
        parts = [self.kernel(centers[at : at + step]) @ theta.T for at in range(0, len(centers), step)]
        return np.concatenate(parts)


def on_all(distinct: Distinct, bandwidth: float, scale: Array | None = None) -> KernelDesign:
    """Return the design of kernels on all distinct rows: few columns where the rank of the kernels is low."""
    kernel = GaussianKernel(distinct.rows, bandwidth, scale)
    columns = low_rank(kernel)
    if columns is not None:
        return KernelDesign(kernel, distinct.table(columns.features), columns.vectors, counts=distinct.counts)
    matrix = kernel(distinct.rows)
    return KernelDesign(kernel, distinct.table(matrix), None, matrix, distinct.counts)


def on_landmarks(table: Table, centers: Array, bandwidth: float, scale: Array | None = None) -> KernelDesign:
    """Return the design of kernels on landmarks, computed when a block is read: they are never stored for all rows."""
    kernel = GaussianKernel(centers, bandwidth, scale)
    return KernelDesign(kernel, table.view(Mapped(kernel)))


def refuse_many(n_centers: int) -> None:
    """Raise if there are too many centres for their matrix of kernels."""
    if n_centers > MOST_CENTERS:
        raise DataError(
            f"kernels on all {n_centers} distinct rows make a matrix of {n_centers**2 * 8 / 1e9:.1f} GB. Give centers "
            "as a number of landmarks, such as centers=1000."
        )
