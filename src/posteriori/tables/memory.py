"""`MemoryTable`: a table whose rows are in memory."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from posteriori.arrays import AnyArray, Array, Indices
from posteriori.backends.backend import COMPILED, Backend, backend_for
from posteriori.backends.csr import is_sparse
from posteriori.cached_property import cached_property
from posteriori.tables.block import Block, class_counts
from posteriori.tables.features import Features, RowMap
from posteriori.tables.schema import Schema
from posteriori.tables.table import Table, rows_per_block

#: Partitions of a table in memory: enough for many threads, and few enough to merge at no cost.
PARTITIONS = 16


@dataclass(frozen=True)
class MemoryTable(Table):
    """Rows in memory, which are not copied: a block is a view of them wherever the memory layout allows it.

    Parameters
    ----------
    features, targets, weights, offset : as in `Block`, of all rows; the weights of class counts are their totals
    positive_rows : the numbers of the rows of positive weight if some have weight zero; those are never read
    tallied : the targets as class counts, if they were computed once for all sweeps
    long_blocks : whether blocks of sparse rows are longer
    arrangements : the sum over rows of weight times the log of the multinomial coefficient of their class counts
    given_weights : the weights of the rows as the user passed them
    kernels : the backend of the blocks; None for that of their number of values
    """

    features: Features
    targets: AnyArray | None = None
    weights: Array | None = None
    offset: Array | None = None
    positive_rows: Indices | None = field(default=None, repr=False)
    tallied: Array | None = field(default=None, repr=False)
    long_blocks: bool = False
    arrangements: float = 0.0
    given_weights: Array | None = field(default=None, repr=False)
    kernels: Backend | None = None

    @property
    def schema(self) -> Schema:  # type: ignore[override]
        """The columns."""
        return self.features.schema

    @cached_property
    def n_rows(self) -> int:  # type: ignore[override]
        """The number of rows of positive weight."""
        return self.features.n_rows if self.positive_rows is None else len(self.positive_rows)

    @cached_property
    def backend(self) -> Backend:
        """The kernels that sweeps over the table use."""
        return self.kernels or backend_for(self.n_rows * self.n_columns)

    @property
    def is_grouped(self) -> bool:
        """Whether the targets are class counts, not one class per row."""
        return self.targets is not None and self.targets.ndim == 2

    @property
    def is_sparse(self) -> bool:
        """Whether blocks are CSR."""
        return self.features.phi is None and is_sparse(self.features.values)

    @cached_property
    def block_rows(self) -> int:
        """The number of rows in each block but the last.

        Long blocks of sparse rows have up to about 2^21 cells: if statistics are as wide as the table, fewer blocks
        mean fewer statistics to compute and merge.
        """
        rows = rows_per_block(self.features.values_per_row)
        in_place = self.features.phi is None and not self.is_sparse
        if self.tallied is not None and in_place and self.backend is COMPILED:
            return 4 * rows  # a fused kernel reads a few rows at a time
        if not (self.long_blocks and self.is_sparse):
            return rows
        return max(rows, min(-(-self.n_rows // PARTITIONS), 32 * rows))

    @cached_property
    def n_partitions(self) -> int:  # type: ignore[override]
        """At most `PARTITIONS`, each a run of whole blocks."""
        return min(PARTITIONS, -(-self.n_rows // self.block_rows))

    def blocks(self, partition: int) -> Iterator[Block]:
        """Yield the blocks of one partition, a run of blocks; the numbers of blocks differ by at most one."""
        if self.is_one_block:
            yield self.only_block
            return
        n_blocks = -(-self.n_rows // self.block_rows)
        first = partition * n_blocks // self.n_partitions
        last = (partition + 1) * n_blocks // self.n_partitions
        for number in range(first, last):
            start = number * self.block_rows
            yield self.block(start, min(start + self.block_rows, self.n_rows))

    @cached_property
    def is_one_block(self) -> bool:
        """Whether all rows are one block."""
        return self.n_rows <= self.block_rows

    @cached_property
    def only_block(self) -> Block:
        """All rows as one block, with a cache for what a sweep computes from its features."""
        return replace(self.block(0, self.n_rows), scratch={})

    def block(self, start: int, stop: int) -> Block:
        """Return rows start to stop as one block."""
        rows: Any = slice(start, stop) if self.positive_rows is None else self.positive_rows[start:stop]
        per_row = (self.targets, self.weights, self.offset, self.tallied)
        targets, weights, offset, tallied = (None if values is None else values[rows] for values in per_row)
        return Block(self.features.rows(rows), targets, weights, offset, start, tallied, None, self.backend)

    def class_sizes(self, n_classes: int) -> tuple[Array, Array]:
        """Return the number of rows of each class (by their largest counts) and its weight, (K,) each."""
        assert self.targets is not None
        targets = self.targets if self.positive_rows is None else self.targets[self.positive_rows]
        if targets.ndim == 2:
            rows = np.bincount(targets.argmax(axis=1), minlength=n_classes).astype(np.float64)
            return rows, np.asarray(targets.sum(axis=0), dtype=np.float64)
        rows = np.bincount(targets, minlength=n_classes).astype(np.float64)
        if self.weights is None:
            return rows, rows
        weights = self.weights if self.positive_rows is None else self.weights[self.positive_rows]
        return rows, np.bincount(targets, weights, minlength=n_classes).astype(np.float64)

    def counted(self, n_classes: int) -> "MemoryTable":
        """Return the same table with its targets as class counts, computed once and not in every sweep."""
        if self.targets is None or self.targets.ndim == 2:
            return self
        return replace(self, tallied=class_counts(self.targets, self.weights, n_classes))

    def picked(self, rows: Indices, factor: Array) -> "MemoryTable":
        """Return a table of some of the rows, not copied, with their weights multiplied by factors."""
        at = rows if self.positive_rows is None else self.positive_rows[rows]
        weights = factor if self.weights is None else self.weights[at] * factor
        assert self.targets is not None
        targets = self.targets[at] * factor[:, None] if self.targets.ndim == 2 else self.targets[at]
        offset = None if self.offset is None else self.offset[at]
        return MemoryTable(replace(self.features, picked=at), targets, weights, offset)

    def mapped(self, phi: RowMap) -> "MemoryTable":
        """Return the same rows mapped by a basis, which is evaluated when a block is read."""
        return replace(self, features=self.features.mapped(phi))

    def row_number(self, row: int) -> int:
        """Return the number of a row in the user's data, for messages."""
        return row if self.positive_rows is None else int(self.positive_rows[row])
