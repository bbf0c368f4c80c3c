"""`SigmoidBasis`: sigmoid functions with fixed centres."""

from typing import Any

from posteriori.bases.columnwise import SigmoidPhi
from posteriori.bases.parameters import read_centers, read_width
from posteriori.estimators.bases.base import Basis
from posteriori.estimators.parameters import parameters
from posteriori.storable import storable
from posteriori.tables.table import Table


@storable
@parameters(kw_only=False)
class SigmoidBasis(Basis):
    """Sigmoid functions 1 / (1 + exp(-(x - mu) / s)) of each column with centres mu and width s: d m columns.

    Book: [Bishop] §4.3.1.

    Parameters
    ----------
    centers : (m,)
    width : s, a positive number or one per centre, (m,)

    Examples
    --------
    >>> import posteriori as pt
    >>> basis = pt.SigmoidBasis([0.0, 1.0], 0.5).fit([[0.0]])
    >>> basis.transform([[1.0]]).round(4).tolist()
    [[0.8808, 0.5]]
    """

    centers: Any
    width: Any

    def bind(self, table: Table) -> SigmoidPhi:
        """Check centres and widths."""
        centers = read_centers(self.centers, vectors=False)
        return SigmoidPhi(centers, read_width("width", self.width, len(centers)), table.n_columns)
