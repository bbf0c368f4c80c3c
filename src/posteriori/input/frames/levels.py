"""Levels of a category: the words for them, and the order that a type declares."""

from decimal import Decimal
from typing import Any

import narwhals as nw
import numpy as np

Series = nw.Series[Any]


def word(value: Any) -> str:
    """Give a level as text: 3 and 3.0 are one level, since gaps widen whole numbers.

    >>> [word(value) for value in (3, 3.0, Decimal("3.00"), 0.5, True, "3")]
    ['3', '3', '3', '0.5', 'True', '3']
    """
    whole = isinstance(value, float | np.floating) and value.is_integer()
    whole = whole or (isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value())
    return str(int(value)) if whole else str(value)


def declared_levels(series: Series) -> list[Any] | None:
    """Give the categories of a type that lists them in an order of its own; None where it has none.

    Categories of pandas are listed by whoever made them, ordered or not. Those of polars and Arrow are in the order in
    which the rows happen to show them, unless the type is an Enum or says that it is ordered.
    """
    if isinstance(series.dtype, nw.Enum):
        return list(series.dtype.categories)
    if series.dtype != nw.Categorical:
        return None
    native = series.to_native()
    if series.implementation.is_pandas_like():
        categories = getattr(native.dtype, "categories", None)  # Arrow's dictionaries inside pandas have none
        return None if categories is None else categories.tolist()
    if series.implementation.is_pyarrow() and native.type.ordered:
        unified = native.unify_dictionaries()
        return unified.chunk(0).dictionary.to_pylist() if unified.num_chunks else []
    return None


def in_words(series: Series) -> Series:
    """Give a category of pandas with its levels in words, which need not be text: intervals, numbers."""
    native = series.to_native()
    categories = getattr(getattr(native, "dtype", None), "categories", None)
    if not series.implementation.is_pandas_like() or categories is None:
        return series
    words = [word(level) for level in categories]
    if len(set(words)) < len(words):
        return series
    worded: Series = nw.from_native(native.cat.rename_categories(words), series_only=True)
    return worded
