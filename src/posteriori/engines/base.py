"""`Engine`: the interface that executes sweeps over the rows of a table."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import reduce
from typing import Any, Self, TypeVar

import numpy as np

from posteriori.arrays import Array, Indices, Integers
from posteriori.cached_property import cached_property
from posteriori.messages.errors import DataError
from posteriori.statistics.base import Statistics
from posteriori.statistics.row_summary import RowSummary
from posteriori.sweeps.base import Sweep
from posteriori.sweeps.row_summary import LengthSweep, RowSweep
from posteriori.tables.block import Block, stacked
from posteriori.tables.table import BlockMap, Numbered, Renumbered, Table
from posteriori.tables.views import ComputedOffset, WithoutColumns

State = TypeVar("State")
#: Receives each block with its result, in the order of the table.
Sink = Callable[[Block, Array], None]
#: Values above which `Engine.collect` does not bring all rows to one place.
COLLECTED = 2**31


class Engine(ABC):
    """Executes sweeps over the rows of one table.

    The statistics of the blocks of a partition are merged in order (`partition_statistics`), those of the partitions in
    a fixed tree (`merge_tree`). So the same table gives the same bits for any number of threads or workers.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self._summaries: dict[int, RowSummary] = {}

    @abstractmethod
    def run(self, sweep: Sweep) -> Any:
        """Return the statistics of a sweep over all rows."""

    @abstractmethod
    def map(self, function: Callable[[Block], Array], into: Sink | None = None) -> Array:
        """Apply a function to every block; return its rows in the order of the table.

        A sink is called with each block and its result, in order: results wait only for those before them.
        """

    @abstractmethod
    def fold(self, function: Callable[[State, Block], State], state: State, order: Indices | None = None) -> State:
        """Update a state by every block, strictly in order; an engine that cannot keep the order raises an error.

        `order` (n,) has the places in the table of the rows, if they are to be visited in another order.
        """

    def on(self, table: Table) -> Self:
        """Return an engine of the same kind for another table of the same rows, or some of them."""
        return type(self)(table)

    def view(self, each: BlockMap) -> Self:
        """Return an engine for the same rows, each block passed through a function."""
        return self.on(self.table.view(each))

    def with_offset(self, offset: Callable[[Block], Array]) -> Self:
        """Return an engine for the same rows with offsets computed from each block, (n, q)."""
        return self.view(ComputedOffset(offset))

    def rows(self, n_classes: int) -> RowSummary:
        """Return counts, weights and offsets of all rows: one sweep that does not read the features, the first time."""
        if n_classes not in self._summaries:
            self._summaries[n_classes] = self.view(WithoutColumns()).run(RowSweep(n_classes))
        return self._summaries[n_classes]

    @cached_property
    def partition_lengths(self) -> Integers:
        """The number of rows of each partition of a table that does not know how many it has: one sweep."""
        lengths: Integers = self.view(WithoutColumns()).run(LengthSweep(self.table.n_partitions)).values
        return lengths.astype(np.int64)

    @property
    def n_rows(self) -> int:
        """The number of rows, counted if the table does not know it."""
        known = self.table.n_rows
        return int(self.partition_lengths.sum()) if known is None else known

    def numbered(self) -> Self:
        """Return an engine for the same rows, counted and numbered over the table."""
        if self.table.n_rows is not None:
            return self
        starts = np.cumsum(self.partition_lengths) - self.partition_lengths
        return self.on(Numbered(self.table, Renumbered(tuple(starts.tolist())), self.n_rows))

    def collect(self, reason: str) -> Block:
        """Return all rows as one block, for what needs them in one place; raise if they are too many.

        Parameters
        ----------
        reason : which method needs all rows, and what to do where that is impossible
        """
        values = self.n_rows * max(self.table.n_columns, 1)
        if values > COLLECTED:
            raise DataError(f"{reason} The table has {self.n_rows} rows, which are too many for one place.")
        return stacked([block for part in range(self.table.n_partitions) for block in self.table.blocks(part)])


def partition_statistics(table: Table, sweep: Sweep, number: int) -> Any:
    """Return the statistics of a partition, its blocks merged in order; None if it has no rows."""
    return reduce(_merged, (sweep(block) for block in table.blocks(number) if block.n_rows), None)


def _merged(left: Any, right: Any) -> Any:
    return right if left is None else left.merge(right)


def merge_tree(parts: list[Any]) -> Statistics:
    """Merge neighbours pairwise until one remains: a fixed tree, in which rounding grows as log n.

    >>> import numpy as np
    >>> from posteriori.statistics.counts import Counts
    >>> merge_tree([Counts(np.array([1.0])), Counts(np.array([2.0])), Counts(np.array([4.0]))]).values
    array([7.])
    """
    parts = [part for part in parts if part is not None]
    if not parts:
        raise DataError("the table has no rows.")
    while len(parts) > 1:
        merged = [left.merge(right) for left, right in zip(parts[::2], parts[1::2], strict=False)]
        parts = merged + ([parts[-1]] if len(parts) % 2 else [])
    whole: Statistics = parts[0]
    return whole
