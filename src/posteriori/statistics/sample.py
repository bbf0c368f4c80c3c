"""`Sample`: of each class, the rows whose numbers have the smallest hashes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posteriori.statistics.base import Statistics


@dataclass(frozen=True)
class Sample(Statistics):
    """Up to ``quota[k]`` rows of each class k: those whose row-number hashes are smallest.

    Which rows those are depends on the table alone, so a warm start from them is the same on every engine.

    Parameters
    ----------
    quota : (K,) how many rows of each class to keep
    hashes : (m,) in order of class, then hash
    codes : (m,) classes of the rows
    rows : (m,) their numbers in the table
    """

    quota: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    codes: NDArray[np.intp]
    rows: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        quota: NDArray[np.int64],
        hashes: NDArray[np.uint64],
        codes: NDArray[np.intp],
        rows: NDArray[np.int64],
    ) -> "Sample":
        """Put rows in order of class, then hash, and keep each class's quota."""
        order = np.lexsort((hashes, codes))
        hashes, codes, rows = hashes[order], codes[order], rows[order]
        sizes = np.bincount(codes, minlength=len(quota))
        if (sizes > quota).any():
            rank = np.arange(len(codes)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            kept = rank < quota[codes]
            hashes, codes, rows = hashes[kept], codes[kept], rows[kept]
        return cls(quota, hashes, codes, rows)

    def merge(self, other: "Sample") -> "Sample":
        """Keep the smallest hashes of both."""
        return Sample.of(
            self.quota,
            np.concatenate([self.hashes, other.hashes]),
            np.concatenate([self.codes, other.codes]),
            np.concatenate([self.rows, other.rows]),
        )

    def zero(self) -> "Sample":
        """Sample no rows."""
        return Sample(self.quota, self.hashes[:0], self.codes[:0], self.rows[:0])

    def part(self, fraction: float) -> "Sample":
        """Give the sample that a quota of this fraction would have kept."""
        quota = np.ceil(np.bincount(self.codes, minlength=len(self.quota)) * fraction).astype(np.int64)
        return Sample.of(quota, self.hashes, self.codes, self.rows)
