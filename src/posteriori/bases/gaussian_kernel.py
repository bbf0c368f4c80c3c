"""`GaussianKernel`: the kernel functions of kernel models, for cells of any size."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from posteriori.arrays import Array
from posteriori.bases.base import CentredPhi
from posteriori.cached_property import cached_property

#: Exponent of a bandwidth beyond which squares of distances leave the range of floats, so that units are changed.
FAR = 300


@dataclass(frozen=True, eq=False)
class GaussianKernel(CentredPhi):
    """k(x, c) = exp(-|x - c|^2 / (2 h^2)) for every centre c, with columns divided by their scales, if there are some.

    Book: [Sugiyama] §28.1, Fig. 28.2.

    Parameters
    ----------
    centers : (m, d)
    bandwidth : h
    scale : (d,) the units of the columns, in which h is measured, too; None for the units of the data

    Examples
    --------
    >>> GaussianKernel(np.array([[0.0], [1e6]]), 1.0)(np.array([[1e6 + 1.0]])).round(4).tolist()
    [[0.0, 0.6065]]
    >>> GaussianKernel(np.array([[0.0, 0.0]]), 1.0, np.array([1.0, 1e9]))(np.array([[0.0, 1e9]])).round(4).tolist()
    [[0.6065]]
    """

    centers: Array
    bandwidth: float
    scale: Array | None = None

    @cached_property
    def scaled_centers(self) -> Array:
        """The centres in units of `scale`, (m, d)."""
        return self._measured(self.centers)

    def _measured(self, rows: Array) -> Array:
        return rows if self.scale is None else measured(rows, self.centers[0], self.scale)

    def exponents(self, rows: Array) -> Array:
        """Return -|x - c|^2 / (2 h^2), (n, m); minus infinity where the square is beyond the range of floats.

        Computed from differences: |x|^2 - 2 x'c + |c|^2 would lose the digits of near points far from the origin.
        """
        rows, centers, bandwidth = self._measured(rows), self.scaled_centers, self.bandwidth
        power = int(np.frexp(bandwidth)[1])
        with np.errstate(over="ignore", under="ignore"):
            if abs(power) > FAR:
                rows, centers = np.ldexp(rows, -power), np.ldexp(centers, -power)
                bandwidth = float(np.ldexp(bandwidth, -power))
            off: Array = cdist(rows, centers)
            off /= bandwidth
            off *= off
            off *= -0.5
        return off

    def __call__(self, rows: Array) -> Array:
        """Return the kernels of some rows, (n, m)."""
        off = self.exponents(rows)
        with np.errstate(under="ignore"):
            return np.exp(off, out=off)

    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return names such as ``"kernel 7"``."""
        return tuple(f"kernel {number}" for number in range(len(self.centers)))


def measured(rows: Array, origin: Array, scale: Array) -> Array:
    """Return (x - origin) / scale; the origin is subtracted first, so that a column far from zero keeps its digits.

    >>> measured(np.array([[1e9 + 1.0, 1.7e308]]), np.array([1e9, -1.7e308]), np.array([0.5, 1.7e308])).tolist()
    [[2.0, 2.0]]
    """
    with np.errstate(over="ignore", under="ignore"):
        off: Array = rows - origin
        if np.isfinite(off).all():
            off /= scale
            return off
        halves: Array = (0.5 * rows - 0.5 * origin) / scale
        halves *= 2.0
        return halves
