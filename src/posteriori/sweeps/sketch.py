"""The sweep of a random projection of the rows, which shows whether two fits have the same rows and nested columns."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from posteriori.arrays import Array, Hashes
from posteriori.designs.units import Units
from posteriori.links.base import LinkFunction
from posteriori.statistics.curvature import Total
from posteriori.sweeps.base import Sweep
from posteriori.tables.block import Block

#: Number of rows of a sketch; it distinguishes subspaces of fewer dimensions.
BUCKETS = 256
#: Entries that a row of the table has in the projection.
ENTRIES = 2


@dataclass(frozen=True)
class SketchSweep(Sweep):
    """S'Z of the design Z in units, of the class counts and of the offset; S is random, by row number alone.

    If there are more buckets than columns, a column lies in the span of others if and only if its sketch lies in the
    span of theirs (with probability one), so nested models are recognised without their rows. S has a few entries per
    row, each uniform on [-1, 1) in a random bucket.

    Notes
    -----
    Clarkson & Woodruff (2013), Low rank approximation and regression in input sparsity time, STOC.
    """

    link: LinkFunction
    units: Units

    def __call__(self, block: Block) -> Total:
        """Return the sketch of a block, (BUCKETS, p + K + 1 or p + 2 K): design, class counts, offset."""
        rows, counts = self.units.design(block.features).dense(), block.counts(self.link.n_classes)
        whole = np.column_stack([rows, counts, self._offset(block)])
        return Total(projection(block.first_row, block.n_rows).T @ whole)

    def _offset(self, block: Block) -> Array:
        """Return the offset in a form that does not depend on the reference class."""
        two = self.link.n_classes == 2
        if block.offset is None:
            return np.zeros((block.n_rows, 1 if two else self.link.n_classes))
        offset = block.offset if two else self.link.expand(block.offset)
        return offset if two else offset - offset.mean(axis=1, keepdims=True)


def projection(first_row: int, n_rows: int) -> sp.csr_array:
    """Return the rows of S for some rows of a table, (n, BUCKETS).

    >>> whole = projection(5, 4).toarray()
    >>> bool((projection(7, 2).toarray() == whole[2:]).all()), int((whole != 0).sum())
    (True, 8)
    """
    numbers = np.arange(first_row * ENTRIES, (first_row + n_rows) * ENTRIES, dtype=np.uint64)
    mixed = _splitmix(numbers)
    values = (mixed >> np.uint64(11)).astype(np.float64) * 2.0**-52 - 1.0
    buckets = (_splitmix(mixed) % np.uint64(BUCKETS)).astype(np.int32)
    starts = np.arange(n_rows + 1, dtype=np.int32) * ENTRIES
    return sp.csr_array((values, buckets, starts), shape=(n_rows, BUCKETS))


def _splitmix(numbers: Hashes) -> Hashes:
    """Return pseudorandom integers from integers, by splitmix64 (Steele, Lea & Flood 2014)."""
    mixed = numbers * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
