"""`DrawnRows`: a sample with its rows, as tables that stand for all rows."""

from dataclasses import dataclass

import numpy as np

from posteriori.arrays import Array
from posteriori.engines.base import Engine
from posteriori.engines.select import engine_for
from posteriori.statistics.sample import Sample
from posteriori.tables.block import Block
from posteriori.tables.memory import table_of
from posteriori.tables.schema import Schema


@dataclass(frozen=True)
class DrawnRows:
    """The rows of a sample, in the order of their numbers.

    Parameters
    ----------
    sample : their numbers, classes and hashes
    rows : the rows themselves
    schema : the columns
    """

    sample: Sample
    rows: Block
    schema: Schema

    @classmethod
    def of(cls, engine: Engine, sample: Sample) -> "DrawnRows":
        """Read the rows of a sample of a table."""
        return cls(sample, engine.table.gather(sample.rows), engine.table.schema)

    def part(self, fraction: float, class_rows: Array | None = None) -> Engine:
        """Return a fraction of the rows as a table, weighted to represent `class_rows` (K,) rows of each class."""
        some = self.sample if fraction == 1.0 else self.sample.trimmed(fraction)
        rows = self.rows.picked(np.searchsorted(self.sample.rows, some.rows))
        if class_rows is not None:
            factor = class_rows / np.maximum(np.bincount(some.codes, minlength=len(class_rows)), 1)
            rows = rows.weighted(factor[some.codes])
        return engine_for(table_of(rows, self.schema))
