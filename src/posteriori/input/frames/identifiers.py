"""Columns that cannot be features: dates, and identifiers, whose values differ in every row."""

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import narwhals as nw
import numpy as np

from posteriori.input.frames.cells import TEXT, Series
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


@dataclass(frozen=True)
class Identity:
    """What shows whether a column has dates or identifies its rows.

    Parameters
    ----------
    n : number of values, without missing ones
    type : "text" (also of objects), "integer", "other"
    dates, dates_as_text, decimals : whether all values are dates or times, texts of them, or decimal numbers
    least : the smallest of dates, or of texts of dates; the first in the order of the texts otherwise
    distinct : the distinct values, by batch, if none occurs twice within a batch; otherwise None
    """

    n: int
    type: str
    dates: bool = False
    dates_as_text: bool = False
    decimals: bool = False
    least: Any = None
    distinct: tuple[Any, ...] | None = None

    @classmethod
    def of(cls, series: Series) -> "Identity":
        """Return what the values of a column show."""
        n = len(series) - series.null_count()
        if series.dtype.is_integer() and _numbers_rows(series.name):
            unique = series.drop_nulls().unique()
            return cls(n, "integer", distinct=(unique.to_numpy(),) if len(unique) == n else None)
        if n == 0 or series.dtype not in (*TEXT, nw.Object):
            return cls(n, "other")
        try:
            values = series.drop_nulls().unique().to_list()
        except TypeError:  # lists and other unhashable values, which raise elsewhere
            return cls(n, "other")
        dates = all(isinstance(value, datetime.date | datetime.time | datetime.timedelta) for value in values)
        dates_as_text = all(isinstance(value, str) and DATES.fullmatch(value) for value in values)
        decimals = all(isinstance(value, Decimal) for value in values)
        distinct = len(values) == n
        least = min(values) if dates or dates_as_text else min(values, key=str) if distinct else None
        return cls(n, "text", dates, dates_as_text, decimals, least, (values,) if distinct else None)

    def merge(self, other: "Identity") -> "Identity":
        """Return what the values of both batches show."""
        if 0 in (self.n, other.n):
            return other if self.n == 0 else self
        dates, texts = self.dates and other.dates, self.dates_as_text and other.dates_as_text
        known = [part for part in (self.least, other.least) if part is not None]
        distinct = None
        if self.distinct is not None and other.distinct is not None:
            distinct = (*self.distinct, *other.distinct)
        return Identity(
            self.n + other.n,
            self.type if self.type == other.type else "other",
            dates,
            texts,
            self.decimals and other.decimals,
            min(known, default=None) if dates or texts else min(known, key=str, default=None),
            distinct,
        )

    def cause(self, name: str) -> str:
        """Return why the column cannot be a feature; an empty string if it can."""
        if self.n < FEWEST or self.type == "other" or self.decimals:
            return ""
        if self.dates:
            return f"column {name!r} has dates or times, such as {self.least}"
        if self.dates_as_text:
            return f"column {name!r} has dates or times as text, such as {self.least!r}"
        if not self._identifies_rows:
            return ""
        if self.type == "integer":
            return (
                f"column {name!r} has a different number in every row ({self.n} distinct) and looks like an identifier"
            )
        return (
            f"column {name!r} has a different value in every row ({self.n} distinct, such as {self.least!r}) and looks "
            "like an identifier"
        )

    @property
    def _identifies_rows(self) -> bool:
        if self.distinct is None or len(self.distinct) == 1:
            return self.distinct is not None
        if self.type == "integer":
            return len(np.unique(np.concatenate(self.distinct))) == self.n
        return len({value for part in self.distinct for value in part}) == self.n


def refuse_no_features(identities: Mapping[str, Identity]) -> None:
    """Raise one error for all columns that have dates as text or number the rows."""
    causes = {name: cause for name, identity in identities.items() if (cause := identity.cause(name))}
    if not causes:
        return
    first, more = next(iter(causes)), f"; and {len(causes) - 5} more" if len(causes) > 5 else ""
    raise DataError(
        f"{'; '.join(list(causes.values())[:5])}{more}. Leave such columns out ({type_option(first, 'ignore')}), "
        "convert dates to numbers (days since the first, for example), or declare their type if they carry information "
        f"about the class ({type_option(first, 'category', 'number')})."
    )


def _numbers_rows(name: str) -> bool:
    """Return whether a column may number the rows, by its name.

    >>> [_numbers_rows(name) for name in ("id", "customer_id", "rowId", "ID", "valid", "index", "age")]
    [True, True, True, True, False, True, False]
    """
    return NUMBERING.fullmatch(name) is not None or NUMBERING.fullmatch(name.lower()) is not None
