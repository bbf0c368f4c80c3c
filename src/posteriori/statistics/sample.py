"""`Sample`: of each class, the rows whose numbers have the smallest hashes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from posteriori.statistics.base import Statistics
from posteriori.tables.block import Block


def hash_rows(first_row: int, n_rows: int) -> NDArray[np.uint64]:
    """Hash row numbers (the finaliser of splitmix64), so that a sample needs no random state.

    >>> hash_rows(0, 2).tolist()
    [0, 6238072747940578789]
    """
    with np.errstate(over="ignore"):
        h = np.arange(first_row, first_row + n_rows, dtype=np.uint64)
        h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return h ^ (h >> np.uint64(31))


@dataclass(frozen=True)
class Sample(Statistics):
    """Up to ``quota[k]`` rows of each class k: those whose row-number hashes are smallest.

    Which rows those are depends on the table alone, so a warm start from them is the same on every engine.

    Parameters
    ----------
    quota : (K,) how many rows of each class to keep
    hashes : (m,) in order of class, then hash
    codes : (m,) classes of the rows
    rows : the rows themselves: features, targets, weights, offset, each with m rows, or None
    """

    quota: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    codes: NDArray[np.intp]
    rows: tuple[Any, Any, Any, Any]

    @classmethod
    def of(cls, block: Block, quota: NDArray[np.int64], threshold: NDArray[np.uint64]) -> "Sample":
        """Sample a block: only hashes up to the class's threshold are looked at, to keep merging cheap."""
        hashes, codes = hash_rows(block.first_row, block.n_rows), block.codes()
        picked = np.flatnonzero(hashes <= threshold[codes])
        picked = picked[np.lexsort((hashes[picked], codes[picked]))]
        rows = tuple(
            None if part is None else part[picked]
            for part in (block.features, block.targets, block.weights, block.offset)
        )
        return cls(quota, hashes[picked], codes[picked], rows)._within_quota()  # type: ignore[arg-type]

    def merge(self, other: "Sample") -> "Sample":
        """Keep the smallest hashes of both."""
        hashes = np.concatenate([self.hashes, other.hashes])
        codes = np.concatenate([self.codes, other.codes])
        order = np.lexsort((hashes, codes))
        rows = tuple(_stack(mine, yours, order) for mine, yours in zip(self.rows, other.rows, strict=True))
        return Sample(self.quota, hashes[order], codes[order], rows)._within_quota()  # type: ignore[arg-type]

    def zero(self) -> "Sample":
        """Sample no rows."""
        rows = tuple(None if part is None else part[:0] for part in self.rows)
        return Sample(self.quota, self.hashes[:0], self.codes[:0], rows)  # type: ignore[arg-type]

    def _within_quota(self) -> "Sample":
        sizes = np.bincount(self.codes, minlength=len(self.quota))
        if (sizes <= self.quota).all():
            return self
        rank = np.arange(len(self.codes)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        kept = rank < self.quota[self.codes]
        rows = tuple(None if part is None else part[kept] for part in self.rows)
        return Sample(self.quota, self.hashes[kept], self.codes[kept], rows)  # type: ignore[arg-type]


def _stack(mine: Any, yours: Any, order: NDArray[np.intp]) -> Any:
    if mine is None:
        return None
    if sp.issparse(mine):
        return sp.vstack([mine, yours], format="csr")[order]
    return np.concatenate([mine, yours])[order]
