"""Infinite numbers: errors with the row numbers of the file."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from posteriori.messages.errors import DataError


def refuse_infinite(name: str, table: Any, columns: Iterable[str], before: int = 0) -> None:
    """Raise a `DataError` for the first column with an infinite cell: inf, or a number such as 1e400.

    Parameters
    ----------
    name : of the file, for messages
    table : Arrow
    columns : the columns to check
    before : how many rows of the file come before these
    """
    cells = InfiniteCells(tuple(columns))
    cells.add(table, before)
    cells.refuse(name)


@dataclass
class InfiniteCells:
    """The number of infinite cells of some columns, and the row of the first of each."""

    columns: tuple[str, ...]
    cells: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add(self, table: Any, before: int) -> None:
        """Count the infinite cells of an Arrow table; `before` is the number of rows before it."""
        import pyarrow as pa
        import pyarrow.compute as pc

        for column in self.columns:
            cells = table.column(column)
            if not pa.types.is_floating(cells.type):
                continue
            infinite = pc.is_inf(cells.cast(pa.float64()))
            count = pc.sum(infinite).as_py() or 0
            if count:
                earlier, first = self.cells.get(column, (0, before + pc.index(infinite, True).as_py() + 1))
                self.cells[column] = earlier + count, first

    def refuse(self, name: str) -> None:
        """Raise for the first column with infinite cells; `name` is that of the file."""
        for column in self.columns:
            if column in self.cells:
                count, row = self.cells[column]
                raise DataError(
                    f"{name}: Input X contains infinity, or a number too large: {count} cell(s) of column {column!r}, "
                    f"the first in row {row} below the header. Correct these cells or leave them empty."
                )
