"""`PolynomialBasis`: powers and products of the columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.bases.base import Array, Basis, Phi, columns_named
from posteriori.tables.errors import DataError
from posteriori.tables.table import MemoryTable

#: Columns beyond which a polynomial is refused: their names alone would fill the memory.
MOST_COLUMNS = 1_000_000


@dataclass(frozen=True, eq=False)
class PolynomialPhi(Phi):
    """Monomials, each the product of one of lower degree and a column.

    Parameters
    ----------
    starts : where the monomials of each degree begin, and where the last end
    parents : (p,) the monomial of lower degree; -1 for those of degree 1
    factors : (p,) the column it is multiplied by
    """

    starts: tuple[int, ...]
    parents: NDArray[np.intp]
    factors: NDArray[np.intp]

    @property
    def n_columns(self) -> int:
        """How many monomials there are."""
        return len(self.factors)

    def __call__(self, rows: Array) -> Array:
        """Multiply degree by degree."""
        phi = np.empty((len(rows), self.n_columns))
        phi[:, : self.starts[1]] = rows
        for start, stop in zip(self.starts[1:-1], self.starts[2:], strict=True):
            phi[:, start:stop] = phi[:, self.parents[start:stop]] * rows[:, self.factors[start:stop]]
        return phi

    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Write ``"x"``, ``"x^2"``, ``"x y"``: factors come in the order of the columns."""
        powers: list[tuple[tuple[int, int], ...]] = []
        for parent, factor in zip(self.parents.tolist(), self.factors.tolist(), strict=True):
            before = powers[parent] if parent >= 0 else ()
            if before and before[-1][0] == factor:
                powers.append((*before[:-1], (factor, before[-1][1] + 1)))
            else:
                powers.append((*before, (factor, 1)))
        words = (((names[j] if power == 1 else f"{names[j]}^{power}") for j, power in each) for each in powers)
        return tuple(" ".join(each) for each in words)


class PolynomialBasis(Basis):
    """All products of up to `degree` columns: x, y, x^2, x y, y^2, … without the constant.

    phi has C(d + M, M) - 1 columns for d columns and degree M. Degree 2 makes quadratic boundaries.

    Book: [Bishop] §4.3.1; [Deuschle] §3.3.3, Fig. 3.4-3.5.

    Parameters
    ----------
    degree : the highest total degree, from 1 up

    Examples
    --------
    >>> import posteriori as pt
    >>> basis = pt.PolynomialBasis(2).fit([[2.0, 3.0]])
    >>> basis.get_feature_names_out(["x", "y"]).tolist()
    ['x', 'y', 'x^2', 'x y', 'y^2']
    >>> basis.transform([[2.0, 3.0]]).tolist()
    [[2.0, 3.0, 4.0, 6.0, 9.0]]
    """

    def __init__(self, degree: int) -> None:
        self.degree = degree

    def bind(self, table: MemoryTable) -> PolynomialPhi:
        """Lay out the monomials of so many columns."""
        d, degree = table.n_columns, self.degree
        if not isinstance(degree, int | np.integer) or isinstance(degree, bool) or degree < 1:
            raise DataError(f"degree={degree!r} must be a whole number from 1 up.")
        if (p := comb(d + int(degree), int(degree)) - 1) > MOST_COLUMNS:
            raise DataError(
                f"a polynomial of degree {degree} in {columns_named(table)} has {p} terms, more than {MOST_COLUMNS}. "
                "Take a lower degree or fewer columns."
            )
        return _monomials(d, int(degree))


def _monomials(d: int, degree: int) -> PolynomialPhi:
    """List the monomials: each of one degree times every column from its last on."""
    pairs: list[tuple[int, int]] = [(-1, j) for j in range(d)]
    starts = [0, d]
    for _ in range(degree - 1):
        ones = range(starts[-2], starts[-1])
        pairs += [(parent, j) for parent in ones for j in range(pairs[parent][1], d)]
        starts.append(len(pairs))
    table: NDArray[Any] = np.array(pairs, dtype=np.intp)
    return PolynomialPhi(tuple(starts), table[:, 0].copy(), table[:, 1].copy())
