"""`WarmUp`: the first rows of `partial_fit`, stored until their posterior is close to Gaussian."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.checks.requirements import fail
from posteriori.engines.base import Engine
from posteriori.input.faults import refuse_not_finite
from posteriori.storable import storable
from posteriori.tables.block import Block, class_counts
from posteriori.tables.memory import table_of
from posteriori.tables.schema import Schema
from posteriori.tables.table import Table

#: Rows per coefficient below which rows are stored: the Gaussian of a batch is too inaccurate there.
ROWS_PER_COEFFICIENT = 50
#: Greatest number of cells that are stored: 32 MiB.
MOST_CELLS = 2**22


@storable
@dataclass(frozen=True)
class WarmUp:
    """Rows and class counts so far, to be fitted together with later rows.

    The posterior of few rows is not Gaussian, and the error of a Gaussian approximation depends on which rows came
    first. A model file holds none of these rows.

    Parameters
    ----------
    rows : (n, p) after the basis, if there is one
    counts : (n, K) class counts, weights included
    """

    rows: Array
    counts: Array

    @classmethod
    def of(cls, engine: Engine, n_classes: int) -> "WarmUp":
        """Copy the rows of positive weight of a table; raise if cells are not finite."""
        refuse_not_finite(engine.table)
        block = engine.collect("The first rows of partial_fit are stored.")
        assert block.targets is not None
        counts = block.targets
        if counts.ndim == 1:
            counts = class_counts(counts, block.weights, n_classes)
        return cls(np.array(block.dense(), dtype=np.float64), np.array(counts, dtype=np.float64))

    @staticmethod
    def has_room(n_rows: int, n_columns: int, n_coefficients: int) -> bool:
        """Return whether this number of rows is to be stored."""
        return n_rows < ROWS_PER_COEFFICIENT * n_coefficients and n_rows * n_columns <= MOST_CELLS

    def joined(self, later: "WarmUp") -> "WarmUp":
        """Return these rows and later ones."""
        return WarmUp(np.vstack([self.rows, later.rows]), np.vstack([self.counts, later.counts]))

    def table(self, schema: Schema) -> Table:
        """Return the rows as a table."""
        totals = self.counts.sum(axis=1)
        weights = None if (totals == 1.0).all() else totals
        return table_of(Block(self.rows, self.counts, weights), schema)

    def for_storage(self) -> "WarmUp":
        """Return the value for a model file, without rows."""
        return WarmUp(self.rows[:0], self.counts[:0])

    def check(self, where: str) -> None:
        """Raise unless there are no rows: a model file has none."""
        if self.rows.ndim != 2 or self.counts.ndim != 2 or len(self.rows) or len(self.counts):
            fail(where, "has rows")
