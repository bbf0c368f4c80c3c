"""Infinite numbers: errors with the row numbers of the file."""

from collections.abc import Iterable
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
    import pyarrow as pa
    import pyarrow.compute as pc

    for column in columns:
        cells = table.column(column)
        if not pa.types.is_floating(cells.type):
            continue
        infinite = pc.is_inf(cells.cast(pa.float64()))
        count = pc.sum(infinite).as_py() or 0
        if count:
            row = before + pc.index(infinite, True).as_py() + 1
            raise DataError(
                f"{name}: Input X contains infinity, or a number too large: {count} cell(s) of column {column!r}, the "
                f"first in row {row} below the header. Correct these cells or leave them empty."
            )
