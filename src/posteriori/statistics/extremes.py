"""`Largest` and `Marked`: the largest values over rows, and the numbers of marked rows."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array, Integers
from posteriori.statistics.base import Statistics


@dataclass(frozen=True)
class Largest(Statistics):
    """The largest value over rows, of one or several quantities."""

    values: Array

    def merge(self, other: "Largest") -> "Largest":
        """Take the larger values."""
        return Largest(np.maximum(self.values, other.values))

    def zero(self) -> "Largest":
        """Return the largest of no values: minus infinity."""
        return Largest(np.full_like(self.values, -np.inf))


@dataclass(frozen=True)
class Marked(Statistics):
    """The numbers of some rows, in order."""

    rows: Integers

    def merge(self, other: "Marked") -> "Marked":
        """Append the rows of later blocks."""
        return Marked(np.concatenate([self.rows, other.rows]))

    def zero(self) -> "Marked":
        """Return no rows."""
        return Marked(self.rows[:0])
