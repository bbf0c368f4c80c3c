"""Invalid cells of a table: which column, how many, the first row, and what to do."""

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from posteriori.engines.select import engine_for
from posteriori.messages.errors import DataError, UnseenCategoryWarning
from posteriori.messages.notes import Note, quote
from posteriori.statistics.invalid_cells import InvalidCells
from posteriori.sweeps.survey import FiniteSweep
from posteriori.tables.schema import Schema
from posteriori.tables.table import Table


def refuse_cells(
    table: Table, tally: InvalidCells, expected: str, *, columns: Sequence[int] | None = None, remedy: str = ""
) -> None:
    """Raise a `DataError` if any cell is invalid, with the column, the number, the first row and its value.

    Parameters
    ----------
    table : the table that was read, for the names of columns and the user's row numbers
    tally : counts of invalid cells by column
    expected : description of valid cells, such as ``"0 or 1"``
    columns : the columns of the table in the tally, in its order; all of them by default
    remedy : a sentence with what to do
    """
    bad = np.flatnonzero(tally.count)
    if not len(bad):
        return
    source = table.source
    if source is not None:  # the user's own cells come first: the basis may hide the position of the error
        refuse_not_finite(source, remedy)
        remedy = "Rescale X, or use a basis that grows more slowly."
    indices = range(len(tally.count)) if columns is None else columns
    first = int(bad[tally.first_row[bad].argmin()])
    value = float(tally.first_value[first])
    origin = table.origin(int(tally.first_row[first]))
    where = f"{table.schema.describe(indices[first])}: {int(tally.count[first])} cell(s), the first in {origin}"
    others = [table.schema.columns[indices[j]].name for j in bad.tolist() if j != first]
    if others:
        where += f"; {int(tally.count.sum() - tally.count[first])} more in column(s) {quote(others)}"
    lead = "The basis has values that are not finite." if source is not None else _lead(value, expected)
    raise DataError(f"{lead} In {where}. {remedy}".strip())


def refuse_not_finite(table: Table, remedy: str = "Fill in those values or drop the rows.") -> None:
    """Raise a `DataError` if a cell of the table is not finite; one sweep."""
    refuse_cells(table, engine_for(table).run(FiniteSweep()), "finite numbers", remedy=remedy)


def _lead(value: float, expected: str) -> str:
    """Return the first sentence, in scikit-learn's wording where it has one."""
    if np.isnan(value):
        return "Input X contains NaN."
    if np.isinf(value):
        return "Input X contains infinity or a value too large for dtype('float64')."
    if expected == "zero or positive":
        return f"Negative values in data: cells must be zero or positive, not {value:g}."
    return f"Cells must be {expected}, not {value:g}."


def refuse_causeless(rows: Sequence[int], label: Any) -> NoReturn:
    """Raise a `DataError` for positive rows without any active cause, in a noisy-OR model without a leak."""
    raise DataError(
        f"{len(rows)} row(s) of class {label!r} have no active cause (every column is zero): {quote(rows)}. Without a "
        "leak their probability is zero. Use leak=True, or drop those rows."
    )


def refuse_subnormal(schema: Schema, scale: NDArray[np.float64], columns: Sequence[int]) -> None:
    """Raise a `DataError` for columns whose largest value is a subnormal number, which has lost digits."""
    tiny = np.flatnonzero((scale > 0) & (scale < np.finfo(np.float64).tiny))
    if len(tiny):
        worst = columns[int(tiny[0])]
        raise DataError(
            f"{schema.describe(worst)} is below the normal float range: its largest value is under "
            f"{2 * scale[tiny[0]]:.3g}, where digits are lost. Rescale it ({len(tiny)} such column(s))."
        )


def unseen_note(table: Table, tally: InvalidCells, columns: Sequence[int]) -> Note:
    """Return the note on categories that were not in the training data, with up to three of them per column."""
    schema = table.schema
    affected = [j for j in range(len(columns)) if tally.count[j]]
    places = [
        f"{schema.describe(columns[j])} ({int(tally.count[j])}: {quote(table.unknown_values(columns[j]), most=3)})"
        for j in affected
    ]
    return Note(
        "unseen-category",
        f"{int(tally.count.sum())} cell(s) have categories that were not in the training data, in "
        f"{', '.join(places[:5])}: they are treated as missing.",
        tuple(schema.columns[columns[j]].name for j in affected),
        remedy="Fit to data that include them, or correct them.",
        category=UnseenCategoryWarning,
    )
