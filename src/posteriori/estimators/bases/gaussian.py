"""`GaussianBasis`: Gaussian functions with fixed centres."""

from typing import Any

from posteriori.bases.columnwise import ColumnwiseGaussianPhi
from posteriori.bases.gaussian import GaussianPhi
from posteriori.bases.parameters import check_dimension, read_centers, read_width
from posteriori.estimators.bases.base import Basis
from posteriori.estimators.parameters import parameters
from posteriori.storable import storable
from posteriori.tables.table import Table


@storable
@parameters(kw_only=False)
class GaussianBasis(Basis):
    """Gaussian functions exp(-(x - mu)^2 / (2 s^2)) with centres mu and width s.

    Centres of shape (m,) apply to each column, which makes d m columns; centres of shape (m, d) are points, and
    (x - mu)^2 is the squared distance to them, which makes m columns.

    Book: [Bishop] §4.3.1, Fig. 4.12.

    Parameters
    ----------
    centers : (m,) or (m, d)
    width : s, a positive number or one per centre, (m,)

    Notes
    -----
    With two of these functions the interleaved classes of [Bishop] Fig. 4.12 are linearly separable.

    Examples
    --------
    >>> import posteriori as pt
    >>> basis = pt.GaussianBasis([0.0, 1.0], 0.5).fit([[0.0]])
    >>> basis.transform([[0.0]]).round(4).tolist()
    [[1.0, 0.1353]]
    >>> basis.get_feature_names_out(["x"]).tolist()
    ['gauss(x; 0)', 'gauss(x; 1)']
    """

    centers: Any
    width: Any

    def bind(self, table: Table) -> ColumnwiseGaussianPhi | GaussianPhi:
        """Check centres and widths against the columns."""
        centers = read_centers(self.centers, vectors=True)
        widths = read_width("width", self.width, len(centers))
        if centers.ndim == 1:
            return ColumnwiseGaussianPhi(centers, widths, table.n_columns)
        check_dimension(centers, table)
        return GaussianPhi(centers, widths)
