"""`ColumnwisePhi`: one function of every column about every centre."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from posteriori.arrays import Array
from posteriori.bases.base import Phi, numerals


@dataclass(frozen=True, eq=False)
class ColumnwisePhi(Phi):
    """h((x_j - mu) / s) of every column j and centre mu; the centres of a column lie together.

    Parameters
    ----------
    centers, widths : (m,)
    n_inputs : the number of columns of x (d)
    """

    word: ClassVar[str]
    centers: Array
    widths: Array
    n_inputs: int

    @property
    def n_columns(self) -> int:
        """One for each column and centre."""
        return self.n_inputs * len(self.centers)

    def __call__(self, rows: Array) -> Array:
        """Divide before anything else: the square of a small width would vanish."""
        return self.shape((rows[:, :, None] - self.centers) / self.widths).reshape(len(rows), self.n_columns)

    @abstractmethod
    def shape(self, off: Array) -> Array:
        """Give h in the place of its argument."""

    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Write ``"gauss(x; 0.5)"``."""
        return tuple(f"{self.word}({name}; {center})" for name in names for center in numerals(self.centers.tolist()))
