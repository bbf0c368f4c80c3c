"""`SigmoidBasis`: smooth steps at given centres."""

from dataclasses import dataclass
from typing import Any, ClassVar

from scipy.special import expit

from posteriori.bases.base import Array, Basis, read_centers, read_width
from posteriori.bases.columnwise import ColumnwisePhi
from posteriori.tables.table import MemoryTable


@dataclass(frozen=True, eq=False)
class SigmoidPhi(ColumnwisePhi):
    """1 / (1 + exp(-(x_j - mu) / s)) of every column j and centre mu."""

    word: ClassVar[str] = "sigmoid"

    def shape(self, off: Array) -> Array:
        """Use the form of the sigmoid in which no exponential overflows."""
        steps: Array = expit(off, out=off)
        return steps


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
