"""`SmallestHashes`: the distinct rows with the smallest hashes."""

from dataclasses import dataclass
from typing import Annotated, Self

import numpy as np

from posteriori.arrays import Array, Hashes, Integers
from posteriori.statistics.base import APPENDED, SAME, Statistics


@dataclass(frozen=True)
class SmallestHashes(Statistics):
    """Up to `count` rows with different hashes, the smallest; of rows with one hash the first.

    Parameters
    ----------
    count : how many at most
    hashes : (m,) in increasing order once trimmed
    points : (m, d) the rows
    numbers : (m,) their numbers in the table
    """

    count: Annotated[int, SAME]
    hashes: Annotated[Hashes, APPENDED]
    points: Annotated[Array, APPENDED]
    numbers: Annotated[Integers, APPENDED]

    def merge(self, other: Self) -> Self:
        """Keep the smallest of both."""
        return super().merge(other).trimmed()

    def trimmed(self) -> Self:
        """Return the rows in the order of their hashes, cut to the count."""
        hashes, first = np.unique(self.hashes, return_index=True)
        first = first[: self.count]
        return type(self)(self.count, hashes[: self.count], self.points[first], self.numbers[first])

    def in_order(self) -> Array:
        """Return the rows in the order of the table."""
        return self.points[np.argsort(self.numbers)]
