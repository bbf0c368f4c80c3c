"""`GaussianKernel`: the kernels of kernel models, for data of any size."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist

from posteriori.bases.base import Array, Phi

#: Powers of two beyond which a bandwidth calls for other units: squares of distances would leave the range of floats.
FAR = 300


@dataclass(frozen=True, eq=False)
class GaussianKernel(Phi):
    """k(x, c) = exp(-|x - c|^2 / (2 h^2)) of every centre c.

    Book: [Sugiyama] §28.1, Fig. 28.2.

    Parameters
    ----------
    centers : (m, d)
    bandwidth : h

    Examples
    --------
    >>> GaussianKernel(np.array([[0.0], [1e6]]), 1.0)(np.array([[1e6 + 1.0]])).round(4).tolist()
    [[0.0, 0.6065]]
    """

    centers: Array
    bandwidth: float

    @property
    def n_columns(self) -> int:
        """One for each centre."""
        return len(self.centers)

    def exponents(self, rows: Array) -> Array:
        """Give -|x - c|^2 / (2 h^2), (n, m); minus infinity where the square is beyond the range of floats.

        Differences come first: |x|^2 - 2 x'c + |c|^2 would lose the digits of near points far from the origin.
        """
        centers, bandwidth = self.centers, self.bandwidth
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
        """Give the kernels of some rows, (n, m)."""
        off = self.exponents(rows)
        with np.errstate(under="ignore"):
            return np.exp(off, out=off)

    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Write ``"kernel 7"``."""
        return tuple(f"kernel {number}" for number in range(len(self.centers)))
