"""`GroupSums`: sums of vectors by group of rows."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array, Integers
from posteriori.statistics.base import Statistics


@dataclass(frozen=True)
class GroupSums(Statistics):
    """Sums of vectors over the rows of each group; a group may have rows in any number of blocks.

    Parameters
    ----------
    keys : (g,) codes of the groups, ascending
    sums : (g, m) the sum of each

    Examples
    --------
    >>> left = GroupSums(np.array([0, 2]), np.array([[1.0], [2.0]]))
    >>> left.merge(GroupSums(np.array([2, 5]), np.array([[10.0], [20.0]]))).sums.ravel().tolist()
    [1.0, 12.0, 20.0]
    """

    keys: Integers
    sums: Array

    @classmethod
    def of(cls, codes: Integers, vectors: Array) -> "GroupSums":
        """Sum vectors (n, m) by the code of each."""
        keys, place = np.unique(codes, return_inverse=True)
        order = np.argsort(place, kind="stable")
        starts = np.searchsorted(place[order], np.arange(len(keys)))
        return cls(keys.astype(np.int64), np.add.reduceat(vectors[order], starts, axis=0))

    def merge(self, other: "GroupSums") -> "GroupSums":
        """Add the sums of common groups; copy the others."""
        keys = np.union1d(self.keys, other.keys)
        sums = np.zeros((len(keys), self.sums.shape[1]))
        sums[np.searchsorted(keys, self.keys)] = self.sums
        sums[np.searchsorted(keys, other.keys)] += other.sums
        return GroupSums(keys, sums)

    def zero(self) -> "GroupSums":
        """Return the sums of no groups."""
        return GroupSums(self.keys[:0], self.sums[:0])

    def outer(self) -> Array:
        """Return the sum over groups of vector vector', (m, m): the middle matrix of a cluster-robust covariance."""
        return self.sums.T @ self.sums
