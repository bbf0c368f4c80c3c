"""`SigmoidBasis`: smooth steps at given centres."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scipy.special import expit

from posteriori.bases.base import Array, Basis, Phi, numerals, read_centers, read_width
from posteriori.tables.table import MemoryTable


@dataclass(frozen=True, eq=False)
class SigmoidPhi(Phi):
    """1 / (1 + exp(-(x_j - mu) / s)) of every column j and centre mu; the centres of a column lie together.

    Parameters
    ----------
    centers, widths : (m,)
    n_inputs : the number of columns of x (d)
    """

    centers: Array
    widths: Array
    n_inputs: int

    @property
    def n_columns(self) -> int:
        """One for each column and centre."""
        return self.n_inputs * len(self.centers)

    def __call__(self, rows: Array) -> Array:
        """Use the form of the sigmoid in which no exponential overflows."""
        off = (rows[:, :, None] - self.centers) / self.widths
        steps: Array = expit(off, out=off).reshape(len(rows), self.n_columns)
        return steps

    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Write ``"sigmoid(x; 0.5)"``."""
        return tuple(f"sigmoid({name}; {center})" for name in names for center in numerals(self.centers.tolist()))


class SigmoidBasis(Basis):
    """Sigmoids 1 / (1 + exp(-(x - mu) / s)) of every column at centres mu of width s: d m columns.

    Book: [Bishop] §4.3.1.

    Parameters
    ----------
    centers : (m,)
    width : s, a positive number or one for each centre, (m,)

    Examples
    --------
    >>> import posteriori as pt
    >>> basis = pt.SigmoidBasis([0.0, 1.0], 0.5).fit([[0.0]])
    >>> basis.transform([[1.0]]).round(4).tolist()
    [[0.8808, 0.5]]
    """

    def __init__(self, centers: Any, width: Any) -> None:
        self.centers = centers
        self.width = width

    def bind(self, table: MemoryTable) -> SigmoidPhi:
        """Check centres and widths."""
        centers = read_centers(self.centers, vectors=False)
        return SigmoidPhi(centers, read_width("width", self.width, len(centers)), table.n_columns)
