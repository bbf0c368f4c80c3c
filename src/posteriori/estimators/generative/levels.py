"""The dictionaries of columns of categories, found in the rows that count."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.engines.select import engine_for
from posteriori.input.faults import refuse_cells
from posteriori.messages.errors import DataError
from posteriori.sweeps.generative import LevelSweep
from posteriori.tables.memory import MemoryTable

#: What numbers may be categories.
WHOLE = "categories: whole numbers from zero up (or text)"
#: The least whole number that another one may become as float64.
LARGEST = 2.0**53


def with_dictionaries(table: MemoryTable, columns: tuple[int, ...], any_number: bool = False) -> MemoryTable:
    """Give the table with these columns as codes of the values they show; text has its codes already.

    A category that only rows of weight zero show is not learned: then text, too, is read again. Numbers must be
    whole and not negative, unless `any_number` may be a category.
    """
    text = {j: levels for j in columns if (levels := table.schema.columns[j].levels) is not None}
    sought = tuple(j for j in columns if j not in text or table.kept is not None)
    if not sought:
        return table
    tally, levels = engine_for(table).run(LevelSweep(sought, table.size)).parts
    if not any_number:
        refuse_cells(table, tally, WHOLE, columns=sought)
    found = dict(zip(sought, levels.values, strict=True))
    _refuse_merged(table, {j: values for j, values in found.items() if j not in text})
    features = table.features.coded_by(found)
    return replace(
        table,
        features=_with_text(features, {j: text[j][found[j].astype(np.intp)] for j in found if j in text}),
    )


def _with_text(features: Any, levels: dict[int, NDArray[Any]]) -> Any:
    """Put the words back that the codes of some columns stand for."""
    columns = tuple(
        replace(column, levels=levels[j]) if j in levels else column for j, column in enumerate(features.schema.columns)
    )
    return replace(features, schema=replace(features.schema, columns=columns))


def _refuse_merged(table: MemoryTable, levels: dict[int, NDArray[Any]]) -> None:
    """Raise if a column of categories has whole numbers that float64 does not hold apart."""
    for j, values in levels.items():
        if len(values) and max(abs(values[0]), abs(values[-1])) >= LARGEST:
            raise DataError(
                f"{table.schema.describe(j)} holds categories from 2^53 up ({values[-1]:.17g}, say): different whole "
                "numbers of that size become one as float64. Give them as text, in a DataFrame with .astype(str), or "
                "number them from 0 up."
            )
