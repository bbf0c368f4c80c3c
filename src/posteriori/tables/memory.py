"""`MemoryTable`: a table whose rows are in memory."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from posteriori.arrays import AnyArray, Array, Indices, Integers
from posteriori.backends.backend import COMPILED, Backend, backend_for
from posteriori.backends.csr import is_sparse
from posteriori.cached_property import cached_property
from posteriori.tables.block import OF_ROWS, PER_ROW, Block, selected
from posteriori.tables.features import Features, no_columns
from posteriori.tables.schema import Schema, numbered
from posteriori.tables.table import BlockMap, Table, rows_per_block
from posteriori.tables.views import CodedColumns, Mapped, WithoutColumns

#: Partitions of a table in memory: enough for many threads, and few enough to merge at no cost.
PARTITIONS = 16


def table_of(block: Block, schema: Schema) -> Table:
    """Return the rows of a block as a table."""
    return MemoryTable(Features(block.features, schema), **block.per_row())


@dataclass(frozen=True)
class MemoryTable(Table):
    """Rows in memory, which are not copied: a block is a view of them wherever the memory layout allows it.

    Parameters
    ----------
    features, targets, weights, offset, tallied, given_weights, log_coefficients, groups, extra : as in `Block`, of all
        rows; the weights of class counts are their totals
    positive_rows : the numbers of the rows of positive weight if some have weight zero; those are never read
    long_blocks : whether blocks of sparse rows are longer
    kernels : the backend of the blocks; None for that of their number of values
    """

    features: Features
    targets: AnyArray | None = None
    weights: Array | None = None
    offset: Array | None = None
    positive_rows: Indices | None = field(default=None, repr=False)
    tallied: Array | None = field(default=None, repr=False)
    long_blocks: bool = False
    given_weights: Array | None = field(default=None, repr=False)
    log_coefficients: Array | None = field(default=None, repr=False)
    groups: Integers | None = field(default=None, repr=False)
    extra: Array | None = field(default=None, repr=False)
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
        rows = slice(start, stop) if self.positive_rows is None else self.positive_rows[start:stop]
        return self._block(rows, start)

    def gather(self, rows: Indices) -> Block:
        """Return some rows as one block."""
        return self._block(rows if self.positive_rows is None else self.positive_rows[rows], 0)

    def _block(self, rows: Any, first_row: int) -> Block:
        return Block(
            self.features.rows(rows), first_row=first_row, backend=self.backend, **selected(self._per_row, rows)
        )

    @property
    def _per_row(self) -> dict[str, Any]:
        return dict(zip(PER_ROW, OF_ROWS(self), strict=True))

    def view(self, each: BlockMap) -> Table:
        """Return the same rows, each block passed through a function; what has one value per row is computed once."""
        if each.per_row_only:
            n_rows = self.features.n_rows
            return replace(self, **each(Block(no_columns(n_rows), **self._per_row)).per_row())
        if isinstance(each, Mapped):
            return replace(self, features=self.features.mapped(each.phi))
        if isinstance(each, CodedColumns):
            return replace(self, features=self.features.coded_by(each.levels, each.schema(self.schema)))
        if isinstance(each, WithoutColumns):
            features = Features(no_columns(self.features.n_rows), numbered(0))
            return replace(self, features=features, kernels=self.backend)
        return super().view(each)

    @property
    def source(self) -> "MemoryTable | None":
        """The table of the user's own columns, if these are mapped by a basis."""
        return None if self.features.phi is None else replace(self, features=self.features.unmapped())

    def unknown_values(self, column: int) -> list[Any]:
        """Return the values of a column of categories that are not in its dictionary."""
        return self.features.strangers(column)

    @property
    def drops_rows(self) -> bool:
        """Whether some rows of the user's data have weight zero and are not read."""
        return self.positive_rows is not None

    def whole(self) -> Block | None:
        """Return all rows as one block, if they are one array already."""
        plain = self.features.phi is None and isinstance(self.features.values, np.ndarray)
        return self.block(0, self.n_rows) if plain and self.positive_rows is None else None

    def for_wide_statistics(self) -> "MemoryTable":
        """Return the same table with longer blocks of sparse rows."""
        return replace(self, long_blocks=True)

    def in_order(self, order: Indices) -> "MemoryTable":
        """Return the same rows in another order, not copied."""
        at = order if self.positive_rows is None else self.positive_rows[order]
        features = replace(self.features, picked=at if self.features.picked is None else self.features.picked[at])
        return MemoryTable(features, **selected(self._per_row, at))

    def with_offset(self, offset: Array) -> "MemoryTable":
        """Return the same rows with other offsets, (n, q)."""
        return replace(self, offset=self.in_user_rows(offset, 0.0))

    def row_number(self, row: int) -> int:
        """Return the number of a row in the user's data."""
        return row if self.positive_rows is None else int(self.positive_rows[row])

    def in_user_rows(self, values: Array, fill: float) -> Array:
        """Return values of the rows in the order of the user's data, with `fill` for rows of weight zero."""
        if self.positive_rows is None:
            return values
        whole = np.full((self.features.n_rows, *values.shape[1:]), fill)
        whole[self.positive_rows] = values
        return whole
