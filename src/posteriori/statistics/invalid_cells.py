"""`Tally`: how many cells of each column are amiss, and where the first one is."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posteriori.statistics.base import Statistics

NOWHERE = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Tally(Statistics):
    """Counts of bad cells per column with the first row and its value, for the message that refuses them.

    Parameters
    ----------
    count : (d,)
    first_row : (d,) `NOWHERE` where there is none
    first_value : (d,)
    """

    count: NDArray[np.int64]
    first_row: NDArray[np.int64]
    first_value: NDArray[np.float64]

    @classmethod
    def of(cls, bad: NDArray[np.bool_], values: NDArray[np.float64], first_row: int) -> "Tally":
        """Tally a block: `bad` marks its cells (n, d), `values` holds them."""
        count = bad.sum(axis=0, dtype=np.int64)
        if not count.any():
            return cls.none(bad.shape[1])
        at = bad.argmax(axis=0)
        found = count > 0
        value = values[at, np.arange(bad.shape[1])].astype(np.float64)
        return cls(count, np.where(found, at + first_row, NOWHERE), np.where(found, value, 0.0))

    @classmethod
    def none(cls, n_columns: int) -> "Tally":
        """Tally nothing amiss in so many columns."""
        return cls(np.zeros(n_columns, np.int64), np.full(n_columns, NOWHERE), np.zeros(n_columns))

    def merge(self, other: "Tally") -> "Tally":
        """Add counts; the smaller row number is the first."""
        if not other.count.any():  # the most frequent case by far, and columns may be many
            return self
        mine = self.first_row <= other.first_row
        return Tally(
            self.count + other.count,
            np.minimum(self.first_row, other.first_row),
            np.where(mine, self.first_value, other.first_value),
        )

    def zero(self) -> "Tally":
        """Tally nothing."""
        return Tally.none(len(self.count))
