"""`Table`: the interface of rows in partitions of blocks."""

from abc import ABC, abstractmethod
from collections.abc import Iterator

from posteriori.tables.block import Block
from posteriori.tables.schema import Schema

#: Values in a block: 2 MiB of float64, so that a block and what is computed from it stay in the nearer caches.
BLOCK_VALUES = 2**18


class Table(ABC):
    """A schema, and rows in partitions of blocks.

    No block crosses a partition. The number of rows per block depends on the shape of the table only, never on the
    machine, so the same table gives the same bits everywhere.

    Notes
    -----
    `MemoryTable` is the only table so far. Sweeps read blocks only, but fits use more of it than this interface:
    weights, offsets, class sizes, samples of rows, and row numbers that count across partitions. A table of another
    kind must provide these, too.
    """

    schema: Schema

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """The number of rows."""

    @property
    @abstractmethod
    def n_partitions(self) -> int:
        """The number of partitions."""

    @abstractmethod
    def blocks(self, partition: int) -> Iterator[Block]:
        """Yield the blocks of one partition in order."""

    def row_number(self, row: int) -> int:
        """Return the number of a row in the user's data, for messages."""
        return row

    @property
    def n_columns(self) -> int:
        """The number of columns."""
        return len(self.schema.columns)


def rows_per_block(values_per_row: float) -> int:
    """Return the number of rows in a block, from the shape alone.

    >>> rows_per_block(50), rows_per_block(2), rows_per_block(100_000)
    (4096, 65536, 128)
    """
    rows = int(BLOCK_VALUES / max(values_per_row, 1.0))
    return 1 << (min(max(rows, 128), 65536).bit_length() - 1)
