"""Levels of a category: their text, and the order that a type declares."""

from decimal import Decimal
from typing import Any

import narwhals as nw
import numpy as np

Series = nw.Series[Any]


def level_text(value: Any) -> str:
    """Return a level as text: 3 and 3.0 are one level, since missing values convert integers to floats.

    >>> [level_text(value) for value in (3, 3.0, Decimal("3.00"), 0.5, True, "3")]
    ['3', '3', '3', '0.5', 'True', '3']
    """
    whole = isinstance(value, float | np.floating) and value.is_integer()
    whole = whole or (isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value())
    return str(int(value)) if whole else str(value)


def declared_levels(series: Series) -> list[Any] | None:
    """Return the categories of a type in the order that it declares; None if it declares none.

    Categories of pandas have the order of their definition. Those of polars and Arrow are in the order of their first
    rows, unless the type is an Enum or ordered.
    """
    if isinstance(series.dtype, nw.Enum):
        return list(series.dtype.categories)
    if series.dtype != nw.Categorical:
        return None
    native = series.to_native()
    if series.implementation.is_pandas_like():
        categories = getattr(native.dtype, "categories", None)  # Arrow's dictionaries in pandas have none
        return None if categories is None else categories.tolist()
    if series.implementation.is_pyarrow() and native.type.ordered:
        unified = native.unify_dictionaries()
        return unified.chunk(0).dictionary.to_pylist() if unified.num_chunks else []
    return None


def with_text_levels(series: Series) -> Series:
    """Convert the levels of a pandas category to text: they may be intervals or numbers."""
    native = series.to_native()
    categories = getattr(getattr(native, "dtype", None), "categories", None)
    if not series.implementation.is_pandas_like() or categories is None:
        return series
    texts = [level_text(level) for level in categories]
    if len(set(texts)) < len(texts):
        return series
    renamed: Series = nw.from_native(native.cat.rename_categories(texts), series_only=True)
    return renamed
