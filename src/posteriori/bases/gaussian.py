"""`GaussianBasis`: bumps about given centres."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from posteriori.bases.base import Array, Basis, Phi, columns_named, numerals, read_centers, read_width
from posteriori.bases.columnwise import ColumnwisePhi
from posteriori.tables.errors import DataError
from posteriori.tables.table import MemoryTable


@dataclass(frozen=True, eq=False)
class ColumnwiseGaussianPhi(ColumnwisePhi):
    """exp(-(x_j - mu)^2 / (2 s^2)) of every column j and centre mu."""

    word: ClassVar[str] = "gauss"

    def shape(self, off: Array) -> Array:
        """Give exp(-u^2 / 2)."""
        off *= off
        off *= -0.5
        return np.exp(off, out=off)


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


class GaussianBasis(Basis):
    """Gaussian bumps exp(-(x - mu)^2 / (2 s^2)) about centres mu of width s.

    Centres of shape (m,) serve every column alike, giving d m columns; centres of shape (m, d) are points, and
    (x - mu)^2 is the squared distance to them, giving m columns.

    Book: [Bishop] §4.3.1, Fig. 4.12.

    Parameters
    ----------
    centers : (m,) or (m, d)
    width : s, a positive number or one for each centre, (m,)

    Notes
    -----
    Two bumps turn two interleaved classes of [Bishop] Fig. 4.12 into classes that a line separates.

    Examples
    --------
    >>> import posteriori as pt
    >>> basis = pt.GaussianBasis([0.0, 1.0], 0.5).fit([[0.0]])
    >>> basis.transform([[0.0]]).round(4).tolist()
    [[1.0, 0.1353]]
    >>> basis.get_feature_names_out(["x"]).tolist()
    ['gauss(x; 0)', 'gauss(x; 1)']
    """

    def __init__(self, centers: Any, width: Any) -> None:
        self.centers = centers
        self.width = width

    def bind(self, table: MemoryTable) -> ColumnwiseGaussianPhi | GaussianPhi:
        """Check centres and widths against the columns."""
        centers = read_centers(self.centers, vectors=True)
        widths = read_width("width", self.width, len(centers))
        if centers.ndim == 1:
            return ColumnwiseGaussianPhi(centers, widths, table.n_columns)
        check_dimension(centers, table)
        return GaussianPhi(centers, widths)


def check_dimension(centers: Array, table: MemoryTable) -> None:
    """Refuse centres that are points of another space than the rows."""
    if centers.shape[1] != table.n_columns:
        raise DataError(
            f"centers have {centers.shape[1]} coordinate(s) each, but X has {columns_named(table)}; a centre needs "
            "one for each."
        )
