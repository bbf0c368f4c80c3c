"""Columns that cannot be features: dates, and identifiers, whose values differ in every row."""

import datetime
import re
from collections.abc import Collection
from decimal import Decimal
from typing import Any

import narwhals as nw

from posteriori.input.frames.cells import TEXT
from posteriori.messages.errors import DataError
from posteriori.messages.options import type_option

#: The least number of rows that identify an identifier.
FEWEST = 3
#: Formats of dates and times.
DATES = re.compile(
    r"\s*(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})|\d{1,2}[- ][A-Za-z]{3,9}[- ]\d{2,4})"
    r"([T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\s*(Z|[AaPp][Mm]|[+-]\d{2}:?\d{2})?)?\s*|\s*\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\s*"
)
#: Names of columns that number the rows: ``id``, ``customer_id``, ``rowId``, ``Unnamed: 0``.
NUMBERING = re.compile(r"(?:.*[\W_])?(?:id|uuid|guid|index|idx|row|rownum|key)|.*[a-z](?:Id|ID|Key)|Unnamed: \d+", re.S)


def refuse_no_features(frame: "nw.DataFrame[Any]", declared: Collection[str]) -> None:
    """Raise one error for all columns without a declared type that have dates as text or number the rows."""
    causes = {name: _cause(frame[name]) for name in frame.columns if name not in declared}
    causes = {name: cause for name, cause in causes.items() if cause}
    if not causes:
        return
    first, more = next(iter(causes)), f"; and {len(causes) - 5} more" if len(causes) > 5 else ""
    raise DataError(
        f"{'; '.join(list(causes.values())[:5])}{more}. Leave such columns out ({type_option(first, 'ignore')}), "
        "convert dates to numbers (days since the first, for example), or declare their type if they carry information "
        f"about the class ({type_option(first, 'category', 'number')})."
    )


def _cause(series: "nw.Series[Any]") -> str:
    """Return why a column cannot be a feature; an empty string if it can."""
    rows = len(series) - series.null_count()
    if rows < FEWEST:
        return ""
    if series.dtype in (*TEXT, nw.Object):
        return _cause_of_text(series, rows)
    if series.dtype.is_integer() and _numbers_rows(series.name) and series.drop_nulls().n_unique() == rows:
        return (
            f"column {series.name!r} has a different number in every row ({rows} distinct) and looks like an identifier"
        )
    return ""


def _cause_of_text(series: "nw.Series[Any]", rows: int) -> str:
    try:
        values = series.drop_nulls().unique().to_list()
    except TypeError:  # lists and other unhashable values, which raise elsewhere
        return ""
    if values and all(isinstance(value, datetime.date | datetime.time | datetime.timedelta) for value in values):
        return f"column {series.name!r} has dates or times, such as {min(values)}"
    if all(isinstance(value, Decimal) for value in values):  # numbers
        return ""
    if all(isinstance(value, str) and DATES.fullmatch(value) for value in values):
        return f"column {series.name!r} has dates or times as text, such as {min(values)!r}"
    if len(values) == rows:
        return (
            f"column {series.name!r} has a different value in every row ({rows} distinct, such as "
            f"{min(values, key=str)!r}) and looks like an identifier"
        )
    return ""


def _numbers_rows(name: str) -> bool:
    """Return whether a column may number the rows, by its name.

    >>> [_numbers_rows(name) for name in ("id", "customer_id", "rowId", "ID", "valid", "index", "age")]
    [True, True, True, True, False, True, False]
    """
    return NUMBERING.fullmatch(name) is not None or NUMBERING.fullmatch(name.lower()) is not None
