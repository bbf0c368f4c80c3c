"""Invalid cells of a table: which column, how many, the first row, and what to do."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import NDArray

from posteriori.messages.errors import DataError, UnseenCategoryWarning
from posteriori.messages.notes import Note, quote
from posteriori.tables.memory import MemoryTable
from posteriori.tables.schema import Schema
from posteriori.tables.table import Table


class Tallied(Protocol):
    """Counts of bad cells by column with the first row and value: `statistics.invalid_cells.InvalidCells`."""

    @property
    def count(self) -> NDArray[np.int64]:
        """How many, by column."""

    @property
    def first_row(self) -> NDArray[np.int64]:
        """The number of the first."""

    @property
    def first_value(self) -> NDArray[np.float64]:
        """What it holds."""


def refuse_cells(
    table: Table, tally: Tallied, expected: str, *, columns: Sequence[int] | None = None, remedy: str = ""
) -> None:
    """Raise a `DataError` if any cell was tallied as amiss: which column, how many, the first row and value.

    Parameters
    ----------
    table : the table that was read, for the names of columns and the user's row numbers
    tally : of bad cells, column by column
    expected : what cells may be, such as ``"0 or 1"``
    columns : the table's columns that the tally is about, in its order; all of them by default
    remedy : a sentence that says what to do
    """
    bad = np.flatnonzero(tally.count)
    if not len(bad):
        return
    mapped = isinstance(table, MemoryTable) and table.features.phi is not None
    if mapped:  # the user's own cells come first: phi may have hidden where the fault lies
        assert isinstance(table, MemoryTable)
        refuse_not_finite(replace(table, features=table.features.unmapped()), remedy)
        remedy = "Give X in other units, or take a basis that grows more slowly."
    indices = range(len(tally.count)) if columns is None else columns
    first = int(bad[tally.first_row[bad].argmin()])
    value = float(tally.first_value[first])
    row = table.row_number(int(tally.first_row[first]))
    where = f"{table.schema.describe(indices[first])}: {int(tally.count[first])} cell(s), the first in row {row}"
    others = [table.schema.columns[indices[j]].name for j in bad.tolist() if j != first]
    if others:
        where += f"; {int(tally.count.sum() - tally.count[first])} more in column(s) {quote(others)}"
    lead = "The basis makes numbers that are not finite." if mapped else _lead(value, expected)
    raise DataError(f"{lead} In {where}. {remedy}".strip())


@dataclass(frozen=True)
class _Cells:
    """A tally made here, where statistics cannot be used."""

    count: NDArray[np.int64]
    first_row: NDArray[np.int64]
    first_value: NDArray[np.float64]


def refuse_not_finite(table: MemoryTable, remedy: str = "Fill or leave out those cells.") -> None:
    """Raise a `DataError` if a cell of the table is not finite; one reading, block by block."""
    d = table.n_columns
    cells = _Cells(np.zeros(d, np.int64), np.zeros(d, np.int64), np.zeros(d))
    for partition in range(table.n_partitions):
        for block in table.blocks(partition):
            values = block.features if isinstance(block.features, np.ndarray) else block.features.data
            if np.isfinite(values).all():
                continue
            dense = block.dense()
            bad = ~np.isfinite(dense)
            new = np.flatnonzero(bad.any(axis=0) & (cells.count == 0))
            at = bad[:, new].argmax(axis=0)
            cells.first_row[new], cells.first_value[new] = at + block.first_row, dense[at, new]
            cells.count[:] += bad.sum(axis=0)
    refuse_cells(table, cells, "finite numbers", remedy=remedy)


def _lead(value: float, expected: str) -> str:
    """Begin as scikit-learn does where it has a sentence for the fault."""
    if np.isnan(value):
        return "Input X contains NaN."
    if np.isinf(value):
        return "Input X contains infinity or a value too large for dtype('float64')."
    if expected == "zero or positive":
        return f"Negative values in data: cells must be zero or positive, not {value:g}."
    return f"Cells must be {expected}, not {value:g}."


def refuse_causeless(rows: Sequence[int], label: Any) -> NoReturn:
    """Raise a `DataError` for rows of a class that no trigger explains, under a noisy-OR without a leak."""
    raise DataError(
        f"{len(rows)} row(s) of class {label!r} have no trigger (every column is zero): {quote(rows)}. Without a leak "
        "nothing can have caused them, so their probability is zero. Use leak=True, or leave those rows out."
    )


def refuse_subnormal(schema: Schema, scale: NDArray[np.float64], columns: Sequence[int]) -> None:
    """Raise a `DataError` for columns whose greatest value has lost digits below the normal float range."""
    tiny = np.flatnonzero((scale > 0) & (scale < np.finfo(np.float64).tiny))
    if len(tiny):
        worst = columns[int(tiny[0])]
        raise DataError(
            f"{schema.describe(worst)} is below the normal float range: its greatest value is under "
            f"{2 * scale[tiny[0]]:.3g}, where digits are lost. Give it in other units ({len(tiny)} such)."
        )


def unseen_note(schema: Schema, features: Any, tally: Tallied, columns: Sequence[int]) -> Note:
    """Say which categories training never showed, how often, and up to three of them a column."""
    found = [j for j in range(len(columns)) if tally.count[j]]
    strange = {j: quote(features.strangers(columns[j]), most=3) for j in found}
    places = [f"{schema.describe(columns[j])} ({int(tally.count[j])}: {strange[j]})" for j in found]
    return Note(
        "unseen-category",
        f"{int(tally.count.sum())} cell(s) hold categories that training never showed, in "
        f"{', '.join(places[:5])}: they tell nothing about the class.",
        tuple(schema.columns[columns[j]].name for j in found),
        remedy="Fit on rows that show them, or correct them.",
        category=UnseenCategoryWarning,
    )
