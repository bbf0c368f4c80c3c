"""`WarmUp`: the first rows of a stream, kept until there are enough of them for their posterior to be Gaussian."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.input.faults import refuse_not_finite
from posteriori.storable import storable
from posteriori.tables.block import class_counts
from posteriori.tables.features import Features
from posteriori.tables.memory import MemoryTable
from posteriori.tables.schema import Schema

#: Rows for each coefficient up to which rows are kept: with fewer, each batch made Gaussian costs too much.
ROWS_PER_COEFFICIENT = 50
#: Cells beyond which no rows are kept, whatever their number: 32 MiB.
MOST_CELLS = 2**22


@storable
@dataclass(frozen=True)
class WarmUp:
    """Rows and class counts seen so far, to be fitted together with those that come next.

    A posterior of few rows is not Gaussian, and what a Gaussian in its place loses depends on which rows came first. A
    model file holds none of them.

    Parameters
    ----------
    rows : (n, p) behind the basis, if there is one
    counts : (n, K) class counts, weights included
    """

    rows: Array
    counts: Array

    @classmethod
    def of(cls, table: MemoryTable, n_classes: int) -> "WarmUp":
        """Copy the rows of a table that count, once their cells are known to be finite."""
        refuse_not_finite(table)
        block = table.block(0, table.n_rows)
        dense = block.dense()
        assert block.targets is not None
        counts = block.targets
        if counts.ndim == 1:
            counts = class_counts(counts, block.weights, n_classes)
        return cls(np.array(dense, dtype=np.float64), np.array(counts, dtype=np.float64))

    @staticmethod
    def has_room(n_rows: int, n_columns: int, n_coefficients: int) -> bool:
        """Say whether so many rows are few enough to be kept."""
        return n_rows < ROWS_PER_COEFFICIENT * n_coefficients and n_rows * n_columns <= MOST_CELLS

    def joined(self, later: "WarmUp") -> "WarmUp":
        """Give these rows and later ones."""
        return WarmUp(np.vstack([self.rows, later.rows]), np.vstack([self.counts, later.counts]))

    def table(self, schema: Schema) -> MemoryTable:
        """Lay the rows out as a table."""
        totals = self.counts.sum(axis=1)
        weights = None if (totals == 1.0).all() else totals
        return MemoryTable(Features(self.rows, schema), targets=self.counts, weights=weights)

    def for_storage(self) -> "WarmUp":
        """Give what a model file holds: no rows."""
        return WarmUp(self.rows[:0], self.counts[:0])
