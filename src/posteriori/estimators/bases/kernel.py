"""`KernelBasis`: Gaussian kernels on training points."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.bases.distances import hash_cells, median_distance
from posteriori.bases.gaussian import GaussianPhi
from posteriori.bases.parameters import check_dimension, read_centers, read_width
from posteriori.estimators.bases.base import Basis
from posteriori.estimators.parameters import parameters
from posteriori.input.faults import refuse_not_finite
from posteriori.messages.errors import DataError
from posteriori.storable import storable
from posteriori.tables.memory import MemoryTable


@storable
@parameters(kw_only=False)
class KernelBasis(Basis):
    """Gaussian kernels k(x, c) = exp(-|x - c|^2 / (2 h^2)) on all, or some, of the training rows.

    Book: [Sugiyama] §28.1, Fig. 28.2-28.3.

    Parameters
    ----------
    bandwidth : h, a positive number, or "median": the median distance between two different centres
    centers : "all" | int | (m, d)
        "all": the distinct rows, in sorted order. A number: that many distinct rows (all, if there are fewer)
        of smallest hash, so that the choice does not depend on a random state, or on the order or repetition of rows.
        Or the points themselves.

    Notes
    -----
    With more than 4,000 centres the median rule uses the 4,000 of smallest hash. Rows of weight zero are not centres.
    A model with this basis contains its centres, which are training rows.

    Examples
    --------
    >>> import posteriori as pt
    >>> basis = pt.KernelBasis("median", "all").fit([[0.0], [2.0], [2.0], [5.0]])
    >>> basis.phi_.centers.ravel().tolist(), float(basis.phi_.widths[0])
    ([0.0, 2.0, 5.0], 3.0)
    >>> basis.transform([[2.0]]).round(4).tolist()
    [[0.8007, 1.0, 0.6065]]
    """

    bandwidth: Any
    centers: Any

    def bind(self, table: MemoryTable) -> GaussianPhi:
        """Choose the centres among the table's rows, then the bandwidth."""
        if isinstance(self.bandwidth, str) and self.bandwidth != "median":
            raise DataError(f"bandwidth={self.bandwidth!r} must be a positive number or 'median'.")
        centers = self._centers(table)
        bandwidth = median_distance(centers) if isinstance(self.bandwidth, str) else self.bandwidth
        return GaussianPhi(centers, read_width("bandwidth", bandwidth, len(centers)), "kernel")

    def _centers(self, table: MemoryTable) -> Array:
        centers = self.centers
        if isinstance(centers, str):
            if centers != "all":
                raise DataError(f"centers={centers!r} must be 'all', a number of rows, or points of shape (m, d).")
            refuse_not_finite(table)
            return np.unique(np.vstack([np.unique(rows, axis=0) for rows in _block_rows(table)]), axis=0)
        if isinstance(centers, int | np.integer) and not isinstance(centers, bool):
            if centers < 1:
                raise DataError(f"centers={centers} must be a number of rows from 1 up.")
            refuse_not_finite(table)
            return _landmarks(table, int(centers))
        points = read_centers(centers, vectors=True)
        if points.ndim != 2:
            raise DataError(f"centers must be points of shape (m, d); they have shape {points.shape}.")
        check_dimension(points, table)
        return points


def _block_rows(table: MemoryTable) -> Iterator[Array]:
    """Yield the dense rows of each block; -0.0 becomes 0.0."""
    for partition in range(table.n_partitions):
        for block in table.blocks(partition):
            yield block.dense() + 0.0


def _landmarks(table: MemoryTable, count: int) -> Array:
    """Return `count` distinct rows of smallest hash, sorted."""
    points, hashes = np.empty((0, table.n_columns)), np.empty(0, np.uint64)
    for rows in _block_rows(table):
        points, hashes = np.vstack([points, rows]), np.concatenate([hashes, hash_cells(rows)])
        hashes, first = np.unique(hashes, return_index=True)  # in the order of the hashes
        points, hashes = points[first[:count]], hashes[:count]
    return np.unique(points, axis=0)
