"""`PositiveCells`: the number of positive cells of each column and class, and the smallest of them."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array, Integers
from posteriori.statistics.base import Statistics


@dataclass(frozen=True)
class PositiveCells(Statistics):
    """The positive cells of each column in the rows of each class.

    Parameters
    ----------
    rows : (K, d) their number
    least : (K, d) the smallest of them, infinite if there is none
    """

    rows: Integers
    least: Array

    def merge(self, other: "PositiveCells") -> "PositiveCells":
        """Add the numbers, take the smaller cells."""
        return PositiveCells(self.rows + other.rows, np.minimum(self.least, other.least))

    def zero(self) -> "PositiveCells":
        """Return the numbers of no rows."""
        return PositiveCells(np.zeros_like(self.rows), np.full_like(self.least, np.inf))
