"""`Table`: the interface of rows in partitions of blocks, and `View`: a table whose blocks pass through a function."""

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from posteriori.arrays import AnyArray, Array, Indices
from posteriori.tables.block import Block, stacked
from posteriori.tables.schema import Schema

#: Values in a block: 2 MiB of float64, so that a block and what is computed from it stay in the nearer caches.
BLOCK_VALUES = 2**18
#: Numbers of the first rows of partitions whose lengths are not known are multiples of this.
UNCOUNTED = 2**40


class BlockMap(ABC):
    """A pure, picklable function from a block to a block of the same rows: a frozen dataclass.

    `per_row_only` says that it neither reads nor changes the features; a table in memory then applies it once.
    """

    per_row_only: ClassVar[bool] = False

    @abstractmethod
    def __call__(self, block: Block) -> Block:
        """Return the block with other features or other values per row."""

    def schema(self, schema: Schema) -> Schema:
        """Return the columns of the blocks that the function returns."""
        return schema


class Table(ABC):
    """A schema, and rows in partitions of blocks. Nothing outside this package and the engines uses more than this.

    No block crosses a partition. Blocks depend on the table only, never on the machine, so the same table gives the
    same bits everywhere. Rows are numbered in order (`Block.first_row`): 0, 1, … if the table knows how many it has; if
    not, those of partition p from p times `UNCOUNTED` (`Engine.numbered` counts them).
    """

    schema: Schema

    @property
    def classes(self) -> AnyArray | None:
        """The labels of the class codes of the targets; None if they are known elsewhere, or if there are none."""
        return None

    @property
    @abstractmethod
    def n_rows(self) -> int | None:
        """The number of rows; None if only a sweep tells (`Engine.n_rows`)."""

    @property
    @abstractmethod
    def n_partitions(self) -> int:
        """The number of partitions."""

    @abstractmethod
    def blocks(self, partition: int) -> Iterator[Block]:
        """Yield the blocks of one partition in order; there may be none."""

    @property
    def root(self) -> "Table":
        """The table that is read, if this is a view of it."""
        return self

    @property
    def kind(self) -> str:
        """The name of such a table, for messages: by default that of its class."""
        return type(self).__name__

    def row_number(self, row: int) -> int:
        """Return the number of a row in the user's data."""
        return row

    def origin(self, row: int) -> str:
        """Return where a row is in the user's data, for messages: ``row 17``."""
        return f"row {self.row_number(row)}"

    def in_user_rows(self, values: Array, fill: float) -> Array:
        """Return values of the rows in the order of the user's data, with `fill` for rows of weight zero."""
        return values

    @property
    def is_sparse(self) -> bool:
        """Whether blocks are CSR."""
        return False

    def view(self, each: BlockMap) -> "Table":
        """Return the same rows, each block passed through a function."""
        return View(self, each)

    @property
    def source(self) -> "Table | None":
        """The table before its features were mapped; None if these are the user's own columns."""
        return None

    def gather(self, rows: Indices) -> Block:
        """Return a few rows by their numbers, in increasing order, as one block; reads the whole table by default."""
        wanted = np.sort(np.asarray(rows))
        parts = [part for number in range(self.n_partitions) for part in _picked(self.blocks(number), wanted)]
        return stacked(parts)

    def unknown_values(self, column: int) -> list[Any]:
        """Return examples of values of a column of categories that are not in its dictionary, if they are known."""
        return []

    @property
    def library(self) -> str | None:
        """The library of the frame that has the rows, in which frames of results are built; None without a frame."""
        return None

    @property
    def drops_rows(self) -> bool:
        """Whether some rows of the user's data have weight zero and are not read."""
        return False

    def whole(self) -> Block | None:
        """Return all rows as one block, if they are one array in memory already."""
        return None

    def for_wide_statistics(self) -> "Table":
        """Return the same rows in blocks that suit statistics as large as a block; the same blocks by default."""
        return self

    @property
    def n_columns(self) -> int:
        """The number of columns."""
        return len(self.schema.columns)


def first_rows(table: Table, most: int) -> Block:
    """Return some rows at the beginning of a table, at most this many; there is at least one."""
    blocks = (block for number in range(table.n_partitions) for block in table.blocks(number) if block.n_rows)
    first = next(blocks)
    return first.picked(np.arange(min(most, first.n_rows)))


def _picked(blocks: Iterator[Block], wanted: Indices) -> Iterator[Block]:
    for block in blocks:
        first, last = np.searchsorted(wanted, (block.first_row, block.first_row + block.n_rows))
        if last > first:
            yield block.picked(wanted[first:last] - block.first_row)


@dataclass(frozen=True)
class View(Table):
    """A table whose blocks pass through a function when they are read."""

    table: Table
    each: BlockMap

    @property
    def schema(self) -> Schema:  # type: ignore[override]
        """The columns after the function."""
        return self.each.schema(self.table.schema)

    @property
    def classes(self) -> AnyArray | None:
        """The labels of the class codes."""
        return self.table.classes

    @property
    def n_rows(self) -> int | None:
        """The number of rows."""
        return self.table.n_rows

    @property
    def n_partitions(self) -> int:
        """The number of partitions."""
        return self.table.n_partitions

    @property
    def root(self) -> Table:
        """The table that is read."""
        return self.table.root

    @property
    def kind(self) -> str:
        """The name of the table that is read, for messages."""
        return self.table.kind

    def blocks(self, partition: int) -> Iterator[Block]:
        """Yield the blocks of one partition, each passed through the function."""
        return map(self.each, self.table.blocks(partition))

    def row_number(self, row: int) -> int:
        """Return the number of a row in the user's data."""
        return self.table.row_number(row)

    def origin(self, row: int) -> str:
        """Return where a row is in the user's data."""
        return self.table.origin(row)

    def in_user_rows(self, values: Array, fill: float) -> Array:
        """Return values of the rows in the order of the user's data."""
        return self.table.in_user_rows(values, fill)

    def unknown_values(self, column: int) -> list[Any]:
        """Return examples of values that are not in the dictionary of one of the user's own columns."""
        return self.table.unknown_values(column) if self.source is None else []

    @property
    def library(self) -> str | None:
        """The library of the frame that has the rows."""
        return self.table.library

    @property
    def drops_rows(self) -> bool:
        """Whether some rows of the user's data have weight zero and are not read."""
        return self.table.drops_rows

    @property
    def is_sparse(self) -> bool:
        """Whether blocks are CSR."""
        return self.each.per_row_only and self.table.is_sparse

    @property
    def source(self) -> Table | None:
        """The table before its features were mapped."""
        return self.table.source if self.each.per_row_only else self.table

    def for_wide_statistics(self) -> Table:
        """Return the view of blocks that suit statistics as large as a block."""
        return View(self.table.for_wide_statistics(), self.each)


@dataclass(frozen=True)
class Renumbered(BlockMap):
    """Rows numbered over the table, not by partition; `starts` has the number of the first row per partition."""

    per_row_only: ClassVar[bool] = True
    starts: tuple[int, ...]

    def __call__(self, block: Block) -> Block:
        """Return the block with the number of its first row in the table."""
        partition, row = divmod(block.first_row, UNCOUNTED)
        return replace(block, first_row=self.starts[partition] + row)


@dataclass(frozen=True)
class Numbered(View):
    """A table whose rows were counted and are numbered from zero."""

    each: Renumbered
    counted: int

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.counted

    def row_number(self, row: int) -> int:
        """Return the number of a row in the user's data."""
        return self.table.row_number(self._of_table(row))

    def origin(self, row: int) -> str:
        """Return where a row is in the user's data."""
        return self.table.origin(self._of_table(row))

    def _of_table(self, row: int) -> int:
        starts = self.each.starts
        partition = bisect_right(starts, row) - 1
        return partition * UNCOUNTED + row - starts[partition]


def rows_per_block(values_per_row: float) -> int:
    """Return the number of rows in a block, from the shape alone.

    >>> rows_per_block(50), rows_per_block(2), rows_per_block(100_000)
    (4096, 65536, 128)
    """
    rows = int(BLOCK_VALUES / max(values_per_row, 1.0))
    return 1 << (min(max(rows, 128), 65536).bit_length() - 1)
