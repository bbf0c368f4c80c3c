"""`PolynomialPhi`: monomials of the columns."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array, Indices
from posteriori.bases.base import Phi
from posteriori.storable import storable


@storable
@dataclass(frozen=True, eq=False)
class PolynomialPhi(Phi):
    """Monomials, each the product of one of lower degree and a column.

    Parameters
    ----------
    starts : the first monomial of each degree, and the number of monomials
    parents : (p,) the monomial of lower degree; -1 for those of degree 1
    factors : (p,) the column it is multiplied by
    """

    starts: tuple[int, ...]
    parents: Indices
    factors: Indices

    @property
    def width(self) -> int:
        """The number of monomials of degree 1."""
        return self.starts[1]

    @property
    def n_columns(self) -> int:
        """The number of monomials."""
        return len(self.factors)

    def __call__(self, rows: Array) -> Array:
        """Return the monomials, degree by degree."""
        phi = np.empty((len(rows), self.n_columns))
        phi[:, : self.starts[1]] = rows
        for start, stop in zip(self.starts[1:-1], self.starts[2:], strict=True):
            phi[:, start:stop] = phi[:, self.parents[start:stop]] * rows[:, self.factors[start:stop]]
        return phi

    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return names such as ``"x"``, ``"x^2"``, ``"x y"``; factors are in the order of the columns."""
        powers: list[tuple[tuple[int, int], ...]] = []
        for parent, factor in zip(self.parents.tolist(), self.factors.tolist(), strict=True):
            before = powers[parent] if parent >= 0 else ()
            if before and before[-1][0] == factor:
                powers.append((*before[:-1], (factor, before[-1][1] + 1)))
            else:
                powers.append((*before, (factor, 1)))
        words = (((names[j] if power == 1 else f"{names[j]}^{power}") for j, power in each) for each in powers)
        return tuple(" ".join(each) for each in words)
