"""`GaussianPhi`: Gaussian functions about points."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.bases.base import CentredPhi, gaussian, numerals
from posteriori.checks.requirements import fail
from posteriori.storable import storable


@storable
@dataclass(frozen=True, eq=False)
class GaussianPhi(CentredPhi):
    """exp(-|x - mu|^2 / (2 s^2)) for every centre mu, a point in the space of x.

    Parameters
    ----------
    centers : (m, d)
    widths : (m,)
    word : the names of its columns: ``"gauss"`` with the centre, or ``"kernel"`` with the number of the centre
    """

    centers: Array
    widths: Array
    word: str = "gauss"

    def __call__(self, rows: Array) -> Array:
        """Return phi, from differences: |x|^2 - 2 x'mu + |mu|^2 would lose the digits of near points."""
        from scipy.spatial.distance import cdist

        off: Array = cdist(rows, self.centers)
        off /= self.widths
        return gaussian(off)

    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return names such as ``"gauss(x, y; 0.5, 1)"``, or ``"kernel 7"``."""
        if self.word == "kernel":
            return tuple(f"kernel {number}" for number in range(len(self.centers)))
        written = np.array([numerals(column) for column in self.centers.T.tolist()]).T
        return tuple(f"gauss({', '.join(names)}; {', '.join(center)})" for center in written.tolist())

    def check(self, where: str) -> None:
        """Raise unless there are centres, and a known word."""
        if not self.centers.size:
            fail(f"{where}.centers", "is empty")
        if self.word not in ("gauss", "kernel"):
            fail(f"{where}.word", f"is {self.word!r}")
