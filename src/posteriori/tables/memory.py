"""`MemoryTable`: rows in memory, read in place."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sp

from posteriori.arrays import AnyArray, Array, Indices
from posteriori.backends.select import COMPILED_FROM
from posteriori.cached_property import cached_property
from posteriori.tables.block import Block, class_counts
from posteriori.tables.features import Features, RowMap
from posteriori.tables.schema import Schema
from posteriori.tables.table import Table, rows_per_block

#: Partitions of a table in memory: enough for many threads, few enough that merging costs nothing.
PARTITIONS = 16


@dataclass(frozen=True)
class MemoryTable(Table):
    """Rows in memory, read in place: a block is a view wherever the memory allows one.

    `kept` lists the rows that count, where some have weight zero: those are never read. `arrangements` is the sum over
    rows of weight times the log of the multinomial coefficient of their class counts. `given_weights` are the rows'
    weights as the user gave them: `weights` of class counts are their totals.
    """

    features: Features
    targets: AnyArray | None = None
    weights: Array | None = None
    offset: Array | None = None
    kept: Indices | None = field(default=None, repr=False)
    tallied: Array | None = field(default=None, repr=False)
    long_blocks: bool = False
    arrangements: float = 0.0
    given_weights: Array | None = field(default=None, repr=False)

    @property
    def schema(self) -> Schema:  # type: ignore[override]
        """The columns."""
        return self.features.schema

    @cached_property
    def n_rows(self) -> int:  # type: ignore[override]
        """The number of rows that count."""
        return self.features.n_rows if self.kept is None else len(self.kept)

    @property
    def is_grouped(self) -> bool:
        """Whether the targets are class counts, not one class per row."""
        return self.targets is not None and self.targets.ndim == 2

    @property
    def is_sparse(self) -> bool:
        """Whether blocks are CSR."""
        return self.features.phi is None and bool(sp.issparse(self.features.values))

    @cached_property
    def block_rows(self) -> int:
        """Rows in each block but the last.

        Long blocks of sparse rows hold up to some 2^21 cells: where statistics are as wide as the table, they are
        made, and merged, for fewer blocks.
        """
        rows = rows_per_block(self.features.values_per_row)
        in_place = self.features.phi is None and not self.is_sparse
        if self.tallied is not None and in_place and self.size >= COMPILED_FROM:
            return 4 * rows  # a fused kernel goes through a block a few rows at a time
        if not (self.long_blocks and self.is_sparse):
            return rows
        return max(rows, min(-(-self.n_rows // PARTITIONS), 32 * rows))

    @cached_property
    def n_partitions(self) -> int:  # type: ignore[override]
        """At most `PARTITIONS`, each a run of whole blocks."""
        return min(PARTITIONS, -(-self.n_rows // self.block_rows))

    def blocks(self, partition: int) -> Iterator[Block]:
        """Yield the blocks of one partition: runs of blocks, as even as they go."""
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
        """All rows as one block, which keeps what a sweep made of it for the next."""
        return replace(self.block(0, self.n_rows), scratch={})

    def block(self, start: int, stop: int) -> Block:
        """Give rows start to stop as one block."""
        rows: Any = slice(start, stop) if self.kept is None else self.kept[start:stop]
        return Block(
            features=self.features.rows(rows),
            targets=None if self.targets is None else self.targets[rows],
            weights=None if self.weights is None else self.weights[rows],
            offset=None if self.offset is None else self.offset[rows],
            first_row=start,
            tallied=None if self.tallied is None else self.tallied[rows],
        )

    def class_sizes(self, n_classes: int) -> tuple[Array, Array]:
        """Give for each class how many rows it has (by its largest count) and how much weight, (K,) each."""
        assert self.targets is not None
        targets = self.targets if self.kept is None else self.targets[self.kept]
        if targets.ndim == 2:
            rows = np.bincount(targets.argmax(axis=1), minlength=n_classes).astype(np.float64)
            return rows, np.asarray(targets.sum(axis=0), dtype=np.float64)
        rows = np.bincount(targets, minlength=n_classes).astype(np.float64)
        if self.weights is None:
            return rows, rows
        weights = self.weights if self.kept is None else self.weights[self.kept]
        return rows, np.bincount(targets, weights, minlength=n_classes).astype(np.float64)

    def counted(self, n_classes: int) -> "MemoryTable":
        """Give the same table with its targets laid out as class counts once, not in every sweep."""
        if self.targets is None or self.targets.ndim == 2:
            return self
        return replace(self, tallied=class_counts(self.targets, self.weights, n_classes))

    def picked(self, rows: Indices, factor: Array) -> "MemoryTable":
        """Give some rows, read in place, with their weights multiplied by a factor each."""
        at = rows if self.kept is None else self.kept[rows]
        weights = factor if self.weights is None else self.weights[at] * factor
        assert self.targets is not None
        targets = self.targets[at] * factor[:, None] if self.targets.ndim == 2 else self.targets[at]
        offset = None if self.offset is None else self.offset[at]
        return MemoryTable(replace(self.features, picked=at), targets, weights, offset)

    def mapped(self, phi: RowMap) -> "MemoryTable":
        """Give the same rows through a basis, applied to each block as it is read."""
        return replace(self, features=self.features.mapped(phi))

    def row_number(self, row: int) -> int:
        """Give the user's number of a row of this table, for messages."""
        return row if self.kept is None else int(self.kept[row])
