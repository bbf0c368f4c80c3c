"""`InvalidCells`: the number of invalid cells in each column, and the first one."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array, Integers, Mask
from posteriori.statistics.base import Statistics

#: The row number of the first invalid cell if there is none.
NOWHERE = np.iinfo(np.int64).max


@dataclass(frozen=True)
class InvalidCells(Statistics):
    """The number of invalid cells per column, with the row and value of the first, for the error that reports them.

    Parameters
    ----------
    count : (d,)
    first_row : (d,) `NOWHERE` if there is none
    first_value : (d,)
    """

    count: Integers
    first_row: Integers
    first_value: Array

    @classmethod
    def of(cls, bad: Mask, values: Array, first_row: int) -> "InvalidCells":
        """Count the invalid cells of a block: `bad` marks them (n, d), `values` are its cells."""
        count = bad.sum(axis=0, dtype=np.int64)
        if not count.any():
            return cls.none(bad.shape[1])
        at = bad.argmax(axis=0)
        some = count > 0
        value = values[at, np.arange(bad.shape[1])].astype(np.float64)
        return cls(count, np.where(some, at + first_row, NOWHERE), np.where(some, value, 0.0))

    @classmethod
    def none(cls, n_columns: int) -> "InvalidCells":
        """Return that no cell of so many columns is invalid."""
        return cls(np.zeros(n_columns, np.int64), np.full(n_columns, NOWHERE), np.zeros(n_columns))

    def merge(self, other: "InvalidCells") -> "InvalidCells":
        """Add the counts; the smaller row number is the first."""
        if not other.count.any():  # by far the most frequent case, and there may be many columns
            return self
        mine = self.first_row <= other.first_row
        return InvalidCells(
            self.count + other.count,
            np.minimum(self.first_row, other.first_row),
            np.where(mine, self.first_value, other.first_value),
        )

    def zero(self) -> "InvalidCells":
        """Return that no cell is invalid."""
        return InvalidCells.none(len(self.count))
