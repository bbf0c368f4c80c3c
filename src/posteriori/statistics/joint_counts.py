"""`JointCounts`: the weight of each class in each observed cell of a product of discrete columns."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from posteriori.arrays import AnyArray, Array, Codes, Integers
from posteriori.checks.requirements import fail
from posteriori.statistics.base import ClassStatistics
from posteriori.storable import storable

#: Products of dictionary sizes up to this fit a 64-bit integer.
_WORD = 2**62


@storable
@dataclass(frozen=True)
class JointCounts(ClassStatistics):
    """Sums of weights by class and cell, for the cells that occur in the rows.

    Book: [Mitchell] §1.1: # of rows with X = x and Y = k.

    Parameters
    ----------
    codes : (m, d) the cells, as positions in each column's dictionary; in lexicographic order, without repetition
    counts : (K, m)
    """

    codes: Integers
    counts: Array

    @property
    def by_class(self) -> tuple[str, ...]:
        """The arrays whose first axis is the class."""
        return ("counts",)

    @property
    def width(self) -> int:
        """The number of columns."""
        return int(self.codes.shape[1])

    @classmethod
    def of(cls, rows: Integers, codes: Codes, weights: Array, n_classes: int) -> "JointCounts":
        """Count rows (n, d), their classes (n,) and weights (n,)."""
        _, first, cell = np.unique(cell_keys(rows, _sizes(rows)), return_index=True, return_inverse=True)
        m = len(first)
        flat = np.zeros(n_classes * m)
        np.add.at(flat, codes * m + cell.reshape(-1), weights)
        return cls(rows[first], flat.reshape(n_classes, m))

    def merge(self, other: "JointCounts") -> "JointCounts":
        """Add the counts of common cells; copy those of the others."""
        if not len(self.codes) or not len(other.codes):
            return self if len(self.codes) else other
        both = np.concatenate([self.codes, other.codes])
        _, first, cell = np.unique(cell_keys(both, _sizes(both)), return_index=True, return_inverse=True)
        place = cell.reshape(-1)
        counts = np.zeros((len(self.counts), len(first)))
        counts[:, place[: len(self.codes)]] = self.counts
        counts[:, place[len(self.codes) :]] += other.counts
        return JointCounts(both[first], counts)

    def zero(self) -> "JointCounts":
        """Return the counts of no rows."""
        return JointCounts(self.codes[:0], self.counts[:, :0])

    def check(self, where: str) -> None:
        """Raise unless cells are in order, each once."""
        keys = cell_keys(self.codes, [int(size) + 1 for size in self.codes.max(axis=0, initial=0)])
        if not (keys[:-1] < keys[1:]).all():
            fail(f"{where}.codes", "are not in order, each once")


def cell_keys(codes: Integers, sizes: Sequence[int]) -> AnyArray:
    """Return a key (n,) of each cell (n, d) that sorts as the cells do: its number in the product of the columns.

    A product beyond 64 bits is split into words, whose bytes are the key.

    >>> cell_keys(np.array([[0, 2], [1, 0]]), (2, 3)).tolist()
    [2, 3]
    """
    words: list[Integers] = []
    capacity = 0
    for column, size in zip(codes.T, sizes, strict=True):
        if words and capacity * size <= _WORD:
            words[-1] = words[-1] * size + column
            capacity *= size
        else:
            words.append(column.astype(np.int64))
            capacity = max(int(size), 1)
    if len(words) == 1:
        return words[0]
    wide = np.ascontiguousarray(np.stack(words, axis=1).astype(">i8"))
    return wide.view(f"S{8 * len(words)}").reshape(-1)


def _sizes(codes: Integers) -> list[int]:
    """Return sizes of dictionaries that contain these cells; any such sizes give the same order."""
    return [int(size) for size in codes.max(axis=0, initial=0) + 1]
