"""`GaussianPhi`: Gaussian functions about given centres."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.bases.base import Phi, numerals
from posteriori.bases.columnwise import ColumnwisePhi
from posteriori.storable import storable


@storable
@dataclass(frozen=True, eq=False)
class ColumnwiseGaussianPhi(ColumnwisePhi):
    """exp(-(x_j - mu)^2 / (2 s^2)) of every column j and centre mu."""

    word = "gauss"

    def shape(self, off: Array) -> Array:
        """Give exp(-u^2 / 2)."""
        off *= off
        off *= -0.5
        return np.exp(off, out=off)


@storable
@dataclass(frozen=True, eq=False)
class GaussianPhi(Phi):
    """exp(-|x - mu|^2 / (2 s^2)) of every centre mu, a point in the space of x.

    Parameters
    ----------
    centers : (m, d)
    widths : (m,)
    word : what its columns are called: ``"gauss"`` with the centre, or ``"kernel"`` with the centre's number
    """

    centers: Array
    widths: Array
    word: str = "gauss"

    @property
    def n_columns(self) -> int:
        """One for each centre."""
        return len(self.centers)

    def __call__(self, rows: Array) -> Array:
        """Take differences first: |x|^2 - 2 x'mu + |mu|^2 would lose the digits of near points."""
        from scipy.spatial.distance import cdist

        off: Array = cdist(rows, self.centers)
        off /= self.widths
        off *= off
        off *= -0.5
        return np.exp(off, out=off)

    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Write ``"gauss(x, y; 0.5, 1)"``, or ``"kernel 7"``."""
        if self.word == "kernel":
            return tuple(f"kernel {number}" for number in range(len(self.centers)))
        written = np.array([numerals(column) for column in self.centers.T.tolist()]).T
        return tuple(f"gauss({', '.join(names)}; {', '.join(center)})" for center in written.tolist())
