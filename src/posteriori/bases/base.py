"""The contract of a basis map phi: a pure function of rows."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from posteriori.arrays import Array


class Phi(ABC):
    """A bound basis: a pure map from rows (n, d) to the columns phi(x), (n, p). Concrete ones are frozen values."""

    @property
    @abstractmethod
    def n_columns(self) -> int:
        """How many columns phi has (p)."""

    @abstractmethod
    def __call__(self, rows: Array) -> Array:
        """Give phi of some rows, each from itself alone."""

    @abstractmethod
    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Name the p columns, given the names of the d columns of x."""


def numerals(values: Sequence[float]) -> list[str]:
    """Write numbers shortly, as long as they stay different.

    >>> numerals([0.5, 2.0]), numerals([0.1234567, 0.1234568])
    (['0.5', '2'], ['0.1234567', '0.1234568'])
    """
    short = [f"{value:g}" for value in values]
    return short if len(set(short)) == len(set(values)) else [repr(float(value)) for value in values]
