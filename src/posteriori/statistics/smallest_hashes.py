"""`SmallestHashes`: the distinct rows with the smallest hashes."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array, Hashes, Integers
from posteriori.statistics.base import Statistics


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

    count: int
    hashes: Hashes
    points: Array
    numbers: Integers

    def merge(self, other: "SmallestHashes") -> "SmallestHashes":
        """Keep the smallest of both."""
        return SmallestHashes(
            self.count,
            np.concatenate([self.hashes, other.hashes]),
            np.concatenate([self.points, other.points]),
            np.concatenate([self.numbers, other.numbers]),
        ).trimmed()

    def zero(self) -> "SmallestHashes":
        """Return no rows."""
        return SmallestHashes(self.count, self.hashes[:0], self.points[:0], self.numbers[:0])

    def trimmed(self) -> "SmallestHashes":
        """Return the rows in the order of their hashes, cut to the count."""
        hashes, first = np.unique(self.hashes, return_index=True)
        first = first[: self.count]
        return SmallestHashes(self.count, hashes[: self.count], self.points[first], self.numbers[first])

    def in_order(self) -> Array:
        """Return the rows in the order of the table."""
        return self.points[np.argsort(self.numbers)]
