"""`Phi`: the interface of a basis map, a pure function of rows."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from posteriori.arrays import Array


class Phi(ABC):
    """A basis for d columns: a pure map from rows (n, d) to columns phi(x), (n, p). Concrete maps are frozen values."""

    @abstractmethod
    def __call__(self, rows: Array) -> Array:
        """Return phi of some rows; each row is mapped by itself."""

    @property
    @abstractmethod
    def width(self) -> int:
        """The number of columns of x (d)."""

    @property
    @abstractmethod
    def n_columns(self) -> int:
        """The number of columns of phi (p)."""

    @abstractmethod
    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the p columns, from the names of the d columns of x."""


class ColumnsPhi(Phi):
    """Functions of the columns of x, whose number is stored as `n_inputs`."""

    n_inputs: int

    @property
    def width(self) -> int:
        """The number of columns of x."""
        return self.n_inputs


class CentredPhi(Phi):
    """One function for each centre, a point in the space of x; `centers` are (m, d)."""

    centers: Array

    @property
    def width(self) -> int:
        """The dimension of the centres."""
        return int(self.centers.shape[1])

    @property
    def n_columns(self) -> int:
        """One per centre."""
        return len(self.centers)


def gaussian(off: Array) -> Array:
    """Return exp(-u^2 / 2) in the place of its argument u."""
    off *= off
    off *= -0.5
    return np.exp(off, out=off)


def numerals(values: Sequence[float]) -> list[str]:
    """Return short decimals of numbers, unless two different numbers would look the same.

    >>> numerals([0.5, 2.0]), numerals([0.1234567, 0.1234568])
    (['0.5', '2'], ['0.1234567', '0.1234568'])
    """
    short = [f"{value:g}" for value in values]
    return short if len(set(short)) == len(set(values)) else [repr(float(value)) for value in values]
