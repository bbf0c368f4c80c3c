"""`Table`: where the rows are: a schema, and partitions of blocks."""

from abc import ABC, abstractmethod
from collections.abc import Iterator

from posteriori.tables.block import Block
from posteriori.tables.schema import Schema

#: Values in a block: 2 MiB of float64, so that a block and its scratch stay in the nearer caches.
BLOCK_VALUES = 2**18


class Table(ABC):
    """What the user gave: a schema, and rows in partitions of blocks.

    Blocks never straddle partitions, and how rows fall into blocks depends on the table alone, never on
    the machine: that is what makes the same table give the same bits everywhere.
    """

    schema: Schema

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """The number of rows."""

    @property
    @abstractmethod
    def n_partitions(self) -> int:
        """How many partitions there are."""

    @abstractmethod
    def blocks(self, partition: int) -> Iterator[Block]:
        """Yield the blocks of one partition in order."""

    def row_number(self, row: int) -> int:
        """Give the user's number of a row of this table, for messages."""
        return row

    @property
    def n_columns(self) -> int:
        """The number of columns."""
        return len(self.schema.columns)

    @property
    def size(self) -> int:
        """Rows times columns, by which kernels are chosen."""
        return self.n_rows * self.n_columns


def rows_per_block(values_per_row: float) -> int:
    """Choose how many rows make a block from the shape alone.

    >>> rows_per_block(50), rows_per_block(2), rows_per_block(100_000)
    (4096, 65536, 128)
    """
    rows = int(BLOCK_VALUES / max(values_per_row, 1.0))
    return 1 << (min(max(rows, 128), 65536).bit_length() - 1)
