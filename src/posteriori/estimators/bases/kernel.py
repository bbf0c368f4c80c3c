"""`KernelBasis`: Gaussian kernels on training points."""

from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.bases.distances import median_distance
from posteriori.bases.gaussian import GaussianPhi
from posteriori.bases.parameters import check_dimension, read_centers, read_width
from posteriori.engines.select import engine_for
from posteriori.estimators.bases.base import Basis
from posteriori.estimators.parameters import parameters
from posteriori.input.faults import refuse_not_finite
from posteriori.messages.errors import DataError
from posteriori.storable import storable
from posteriori.sweeps.landmarks import LandmarkSweep
from posteriori.tables.table import Table


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

    def bind(self, table: Table) -> GaussianPhi:
        """Choose the centres among the table's rows, then the bandwidth."""
        if isinstance(self.bandwidth, str) and self.bandwidth != "median":
            raise DataError(f"bandwidth={self.bandwidth!r} must be a positive number or 'median'.")
        centers = self._centers(table)
        bandwidth = median_distance(centers) if isinstance(self.bandwidth, str) else self.bandwidth
        return GaussianPhi(centers, read_width("bandwidth", bandwidth, len(centers)), "kernel")

    def _centers(self, table: Table) -> Array:
        centers = self.centers
        if isinstance(centers, str):
            if centers != "all":
                raise DataError(f"centers={centers!r} must be 'all', a number of rows, or points of shape (m, d).")
            refuse_not_finite(table)
            return np.unique(
                engine_for(table).collect("centers='all' needs all rows in one place: pass a number of rows.").dense()
                + 0.0,
                axis=0,
            )  # -0.0 and 0.0 are one number
        if isinstance(centers, int | np.integer) and not isinstance(centers, bool):
            if centers < 1:
                raise DataError(f"centers={centers} must be a number of rows from 1 up.")
            refuse_not_finite(table)
            return np.unique(engine_for(table).run(LandmarkSweep(int(centers))).points, axis=0)
        points = read_centers(centers, vectors=True)
        if points.ndim != 2:
            raise DataError(f"centers must be points of shape (m, d); they have shape {points.shape}.")
        check_dimension(points, table)
        return points
