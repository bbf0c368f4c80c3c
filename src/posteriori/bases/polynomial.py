"""`PolynomialPhi`: monomials of the columns."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array, Indices
from posteriori.bases.base import Phi
from posteriori.checks.requirements import fail
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

    def check(self, where: str) -> None:
        """Raise unless each monomial is one of the degree before times a column."""
        starts, p = self.starts, len(self.factors)
        if len(starts) < 2 or starts[0] != 0 or starts[-1] != p or any(np.diff(starts) < 1):
            fail(f"{where}.starts", f"does not partition {p} monomials by degree")
        d = starts[1]
        if (self.parents[:d] != -1).any() or not np.array_equal(self.factors[:d], np.arange(d)):
            fail(f"{where}.factors", "does not begin with the columns")
        for before, start, stop in zip(starts, starts[1:], starts[2:], strict=False):
            parents, factors = self.parents[start:stop], self.factors[start:stop]
            if parents.min() < before or parents.max() >= start or factors.min() < 0 or factors.max() >= d:
                fail(f"{where}.parents", "points outside the monomials of the degree before")
