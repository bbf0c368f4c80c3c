"""`Cells`: how much weight each class has in each cell of a product of discrete columns; only cells seen."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.statistics.base import Statistics
from posteriori.statistics.classes import with_classes
from posteriori.storable import storable

#: Products of dictionary sizes up to this fit an integer of 64 bits.
_WORD = 2**62


@storable
@dataclass(frozen=True)
class Cells(Statistics):
    """Sums of weights by class and cell, of the cells that rows were in.

    Book: [Mitchell] §1.1: # of rows with X = x and Y = k.

    Parameters
    ----------
    codes : (m, d) the cells, as positions in each column's dictionary; in lexicographic order, each once
    counts : (K, m)
    """

    codes: NDArray[np.int64]
    counts: NDArray[np.float64]

    @classmethod
    def of(
        cls, rows: NDArray[np.int64], codes: NDArray[np.intp], weights: NDArray[np.float64], n_classes: int
    ) -> "Cells":
        """Count rows (n, d), their classes (n,) and weights (n,)."""
        _, first, cell = np.unique(cell_keys(rows, _sizes(rows)), return_index=True, return_inverse=True)
        m = len(first)
        flat = np.zeros(n_classes * m)
        np.add.at(flat, codes * m + cell.reshape(-1), weights)
        return cls(rows[first], flat.reshape(n_classes, m))

    def merge(self, other: "Cells") -> "Cells":
        """Add the counts of cells that both have seen; keep those of the others."""
        if not len(self.codes) or not len(other.codes):
            return self if len(self.codes) else other
        both = np.concatenate([self.codes, other.codes])
        _, first, cell = np.unique(cell_keys(both, _sizes(both)), return_index=True, return_inverse=True)
        place = cell.reshape(-1)
        counts = np.zeros((len(self.counts), len(first)))
        counts[:, place[: len(self.codes)]] = self.counts
        counts[:, place[len(self.codes) :]] += other.counts
        return Cells(both[first], counts)

    def zero(self) -> "Cells":
        """Count nothing."""
        return Cells(self.codes[:0], self.counts[:, :0])


@with_classes.register
def _(statistics: Cells, places: NDArray[np.intp], n_classes: int) -> Cells:
    counts = np.zeros((n_classes, statistics.counts.shape[1]))
    counts[places] = statistics.counts
    return replace(statistics, counts=counts)


def cell_keys(codes: NDArray[np.int64], sizes: Sequence[int]) -> NDArray[Any]:
    """Give each cell (n, d) a key, (n,), that sorts as the cells do: its number in the product of the columns.

    A product beyond 64 bits is cut into words, whose bytes are the key.

    >>> cell_keys(np.array([[0, 2], [1, 0]]), (2, 3)).tolist()
    [2, 3]
    """
    words: list[NDArray[np.int64]] = []
    room = 0
    for column, size in zip(codes.T, sizes, strict=True):
        if words and room * size <= _WORD:
            words[-1] = words[-1] * size + column
            room *= size
        else:
            words.append(column.astype(np.int64))
            room = max(int(size), 1)
    if len(words) == 1:
        return words[0]
    wide = np.ascontiguousarray(np.stack(words, axis=1).astype(">i8"))
    return wide.view(f"S{8 * len(words)}").reshape(-1)


def _sizes(codes: NDArray[np.int64]) -> list[int]:
    """Give sizes of dictionaries that hold these cells; order does not depend on which."""
    return [int(size) for size in codes.max(axis=0, initial=0) + 1]
