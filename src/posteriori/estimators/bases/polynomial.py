"""`PolynomialBasis`: powers and products of the columns."""

from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.bases.parameters import columns_named
from posteriori.bases.polynomial import PolynomialPhi
from posteriori.estimators.bases.base import Basis
from posteriori.estimators.parameters import parameters
from posteriori.messages.errors import DataError
from posteriori.storable import storable
from posteriori.tables.table import Table

#: Maximum number of columns, whose names alone take much memory.
MOST_COLUMNS = 1_000_000


@storable
@parameters(kw_only=False)
class PolynomialBasis(Basis):
    """All products of up to `degree` columns: x, y, x^2, x y, y^2, … without the constant.

    phi has C(d + M, M) - 1 columns for d columns and degree M. Degree 2 has quadratic boundaries.

    Book: [Bishop] §4.3.1; [Deuschle] §3.3.3, Fig. 3.4-3.5.

    Parameters
    ----------
    degree : the highest total degree, at least 1

    Examples
    --------
    >>> import posteriori as pt
    >>> basis = pt.PolynomialBasis(2).fit([[2.0, 3.0]])
    >>> basis.get_feature_names_out(["x", "y"]).tolist()
    ['x', 'y', 'x^2', 'x y', 'y^2']
    >>> basis.transform([[2.0, 3.0]]).tolist()
    [[2.0, 3.0, 4.0, 6.0, 9.0]]
    """

    degree: int

    def bind(self, table: Table) -> PolynomialPhi:
        """Return the monomials of the columns."""
        d, degree = table.n_columns, self.degree
        if not isinstance(degree, int | np.integer) or isinstance(degree, bool) or degree < 1:
            raise DataError(f"degree={degree!r} must be a whole number from 1 up.")
        if (p := comb(d + int(degree), int(degree)) - 1) > MOST_COLUMNS:
            raise DataError(
                f"a polynomial of degree {degree} in {columns_named(table)} has {p} terms, more than {MOST_COLUMNS}. "
                "Use a lower degree or fewer columns."
            )
        return _monomials(d, int(degree))


def _monomials(d: int, degree: int) -> PolynomialPhi:
    """Return the monomials: those of each degree are those of the previous one times each column from its last on."""
    pairs: list[tuple[int, int]] = [(-1, j) for j in range(d)]
    starts = [0, d]
    for _ in range(degree - 1):
        ones = range(starts[-2], starts[-1])
        pairs += [(parent, j) for parent in ones for j in range(pairs[parent][1], d)]
        starts.append(len(pairs))
    table: NDArray[Any] = np.array(pairs, dtype=np.intp)
    return PolynomialPhi(tuple(starts), table[:, 0].copy(), table[:, 1].copy())
