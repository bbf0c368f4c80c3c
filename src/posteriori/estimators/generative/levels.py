"""The levels of categorical columns: those of the training rows in a fit, those of the fit in predictions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.engines.select import engine_for
from posteriori.input.faults import refuse_cells
from posteriori.messages.errors import DataError
from posteriori.sweeps.generative import LevelSweep
from posteriori.tables.schema import Schema
from posteriori.tables.table import Table
from posteriori.tables.views import CodedColumns

#: Numbers that may be categories.
WHOLE = "categories: whole numbers from zero up (or text)"
#: The smallest whole number from which float64 does not represent all whole numbers.
LARGEST = 2.0**53


def with_levels(table: Table, columns: tuple[int, ...], any_number: bool = False) -> Table:
    """Return the table with these columns as codes of their values; text is coded already.

    A category that occurs only in rows of weight zero is not a level: then text, too, is read again. Numbers must be
    whole and not negative, unless `any_number` may be a category.
    """
    text = {j: levels for j in columns if (levels := table.schema.columns[j].levels) is not None}
    uncoded = tuple(j for j in columns if j not in text or table.drops_rows)
    if not uncoded:
        return table
    tally, observed = engine_for(table).run(LevelSweep(uncoded)).parts
    if not any_number:
        refuse_cells(table, tally, WHOLE, columns=uncoded)
    values = dict(zip(uncoded, observed.values, strict=True))
    _refuse_merged(table, {j: levels for j, levels in values.items() if j not in text})
    words = {j: text[j][values[j].astype(np.intp)] for j in values if j in text}
    return table.view(CodedColumns(values, words))


def coded(table: Table, schema: Schema) -> Table:
    """Code rows to predict by the levels of the fit; the text columns of a frame are coded already."""
    levels = {
        j: column.levels
        for j, column in enumerate(schema.columns)
        if column.levels is not None and table.schema.columns[j].levels is not column.levels
    }
    for j, values in levels.items():
        if values.dtype.kind not in "fiub" or table.schema.columns[j].kind == "category":
            raise DataError(
                f"{schema.describe(j)} had values such as {values.tolist()[0]!r} in fit and has another type now: pass "
                "a frame, as in fit."
            )
    return table.view(CodedColumns(levels)) if levels else table


def _refuse_merged(table: Table, levels: dict[int, NDArray[Any]]) -> None:
    """Raise if a categorical column has whole numbers that are not distinct as float64."""
    for j, values in levels.items():
        if len(values) and max(abs(values[0]), abs(values[-1])) >= LARGEST:
            raise DataError(
                f"{table.schema.describe(j)} has categories of 2^53 or more (such as {values[-1]:.17g}): whole numbers "
                "of that size are not distinct as float64. Pass them as text, in a DataFrame with .astype(str), or "
                "number them from 0 up."
            )
