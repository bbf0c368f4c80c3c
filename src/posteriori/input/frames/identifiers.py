"""Columns that are no features: dates, and identifiers, which differ in every row and so tell nothing of new ones."""

import datetime
import re
from collections.abc import Collection
from decimal import Decimal
from typing import Any

import narwhals as nw

from posteriori.messages.errors import DataError
from posteriori.messages.options import type_option

#: Types of columns that may hold dates or names.
TEXT = (nw.String, nw.Categorical, nw.Enum, nw.Object)
#: Fewer rows than this may differ all by chance.
FEWEST = 3
#: Ways a date or a time is written.
DATES = re.compile(
    r"\s*(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})|\d{1,2}[- ][A-Za-z]{3,9}[- ]\d{2,4})"
    r"([T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\s*(Z|[AaPp][Mm]|[+-]\d{2}:?\d{2})?)?\s*|\s*\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?\s*"
)
#: Names that columns of numbers have which only number the rows: ``id``, ``customer_id``, ``rowId``, ``Unnamed: 0``.
NUMBERING = re.compile(r"(?:.*[\W_])?(?:id|uuid|guid|index|idx|row|rownum|key)|.*[a-z](?:Id|ID|Key)|Unnamed: \d+", re.S)


def refuse_no_features(frame: "nw.DataFrame[Any]", declared: Collection[str]) -> None:
    """Refuse columns, whose type was not declared, that hold dates as text or number the rows.

    One error names them all, and says how to leave them out or to declare their type.
    """
    asked = {name: kind for name, kind in frame.schema.items() if name not in declared and _may_be_none(name, kind)}
    found = {name: _fault(frame[name]) for name in asked}
    faults = [fault for fault in found.values() if fault]
    if not faults:
        return
    first = next(name for name, fault in found.items() if fault)
    raise DataError(
        f"{'; '.join(faults[:5])}{f'; and {len(faults) - 5} more' if len(faults) > 5 else ''}. Leave such columns out "
        f"({type_option(first, 'ignore')}), convert dates to numbers (days since the first, for example), or declare "
        f"their type if they carry information about the class ({type_option(first, 'category', 'number')})."
    )


def _may_be_none(name: str, kind: Any) -> bool:
    """Tell by its type, and of whole numbers by its name, whether a column may be no feature."""
    return kind in TEXT or (kind.is_integer() and _numbers_rows(name))


def _fault(series: "nw.Series[Any]") -> str:
    """Say why a column is no feature; nothing where it may be one."""
    rows = len(series) - series.null_count()
    if rows < FEWEST:
        return ""
    if series.dtype in TEXT:
        return _fault_of_text(series, rows)
    if series.drop_nulls().n_unique() == rows:
        return (
            f"column {series.name!r} has another number in each of {rows} rows, so it is an identifier, not a feature"
        )
    return ""


def _fault_of_text(series: "nw.Series[Any]", rows: int) -> str:
    try:
        values = series.drop_nulls().unique().to_list()
    except TypeError:  # lists and the like, which are refused by their type
        return ""
    if values and all(isinstance(value, datetime.date | datetime.time | datetime.timedelta) for value in values):
        return f"column {series.name!r} holds dates or times, such as {min(values)}"
    if all(isinstance(value, Decimal) for value in values):  # numbers
        return ""
    if all(isinstance(value, str) and DATES.fullmatch(value) for value in values):
        return f"column {series.name!r} holds dates or times as text, such as {min(values)!r}"
    if len(values) == rows:
        return (
            f"column {series.name!r} has another value in each of {rows} rows (such as {min(values, key=str)!r}), so "
            "it is an identifier, not a feature"
        )
    return ""


def _numbers_rows(name: str) -> bool:
    """Tell by its name whether a column may number the rows.

    >>> [_numbers_rows(name) for name in ("id", "customer_id", "rowId", "ID", "valid", "index", "age")]
    [True, True, True, True, False, True, False]
    """
    return NUMBERING.fullmatch(name) is not None or NUMBERING.fullmatch(name.lower()) is not None
