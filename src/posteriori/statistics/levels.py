"""`Levels`: the distinct values of columns."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import AnyArray
from posteriori.statistics.base import Statistics


@dataclass(frozen=True)
class Levels(Statistics):
    """The distinct values of each of some columns, sorted, without missing ones.

    Parameters
    ----------
    values : one sorted array per column
    """

    values: tuple[AnyArray, ...]

    def merge(self, other: "Levels") -> "Levels":
        """Return the union of the values, column by column."""
        pairs = zip(self.values, other.values, strict=True)
        return Levels(tuple(a if np.array_equal(a, b) else np.union1d(a, b) for a, b in pairs))

    def zero(self) -> "Levels":
        """Return no values."""
        return Levels(tuple(values[:0] for values in self.values))
