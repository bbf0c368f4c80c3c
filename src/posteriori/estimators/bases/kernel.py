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
        of smallest hash, so that the choice depends on no random state, nor on the order or repetition of rows.
        Or the points themselves.

    Notes
    -----
    Of more than 4,000 centres the median rule looks at the 4,000 of smallest hash. Rows of weight zero are no
    centres. A model with this basis keeps its centres, which are training rows.

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
        asked = self.centers
        if isinstance(asked, str):
            if asked != "all":
                raise DataError(f"centers={asked!r} must be 'all', a number of rows, or points of shape (m, d).")
            refuse_not_finite(table)
            return np.unique(np.vstack([np.unique(rows, axis=0) for rows in _block_rows(table)]), axis=0)
        if isinstance(asked, int | np.integer) and not isinstance(asked, bool):
            if asked < 1:
                raise DataError(f"centers={asked} must be a number of rows from 1 up.")
            refuse_not_finite(table)
            return _landmarks(table, int(asked))
        centers = read_centers(asked, vectors=True)
        if centers.ndim != 2:
            raise DataError(f"centers must be points of shape (m, d); they have shape {centers.shape}.")
        check_dimension(centers, table)
        return centers


def _block_rows(table: MemoryTable) -> Iterator[Array]:
    """Read a table block by block, dense; -0.0 and 0.0 are one number."""
    for partition in range(table.n_partitions):
        for block in table.blocks(partition):
            dense = block.dense()
            yield dense + 0.0


def _landmarks(table: MemoryTable, wanted: int) -> Array:
    """Keep, from block to block, so many distinct rows of smallest hash; sort them."""
    kept, hashes = np.empty((0, table.n_columns)), np.empty(0, np.uint64)
    for rows in _block_rows(table):
        kept, hashes = np.vstack([kept, rows]), np.concatenate([hashes, hash_cells(rows)])
        hashes, first = np.unique(hashes, return_index=True)  # in the order of the hashes
        kept, hashes = kept[first[:wanted]], hashes[:wanted]
    return np.unique(kept, axis=0)
