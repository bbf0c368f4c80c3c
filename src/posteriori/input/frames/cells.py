"""Cells of a frame's column as arrays: numbers, truth values, category codes; a gap is NaN."""

import math
from decimal import Decimal
from typing import Any, get_args

import narwhals as nw
import numpy as np

from posteriori.arrays import Array
from posteriori.input.frames.levels import declared_levels, in_words, word
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote
from posteriori.messages.options import type_option
from posteriori.tables.schema import Kind

Series = nw.Series[Any]

#: Words that may stand for truth values in a column declared boolean.
TRUE, FALSE = ("true", "t", "yes", "y", "1"), ("false", "f", "no", "n", "0")
_TEXT = (nw.String, nw.Categorical, nw.Enum)


def infer_kind(series: Series) -> Kind:
    """Tell a column's kind from its type: truth values, numbers, or (text of any sort) a category."""
    dtype = series.dtype
    if dtype == nw.Boolean:
        return "boolean"
    if dtype.is_numeric() or series.null_count() == len(series):
        return "number"
    if dtype == nw.Object:
        return _kind_of_objects(distinct(series))
    if dtype in _TEXT:
        return "category"
    if dtype.is_temporal():
        raise DataTypeError(
            f"column {series.name!r} is of type {dtype}: dates and times are no features as they are. Turn them into "
            f"numbers (days since the first, say), leave the column out ({type_option(series.name, 'ignore')}), or "
            f"declare it a category ({type_option(series.name, 'category')})."
        )
    raise DataTypeError(
        f"column {series.name!r} is of type {dtype}, which is neither number, boolean nor category. Say which it is by "
        f"its type ({', '.join(get_args(Kind))}), turn it into a number, or leave it out "
        f"({type_option(series.name, 'ignore')})."
    )


def _kind_of_objects(values: list[Any]) -> Kind:
    """Tell the kind of Python objects: truth values, decimal numbers, or a category."""
    if all(isinstance(value, bool | np.bool_) for value in values):
        return "boolean"
    return "number" if all(isinstance(value, Decimal) for value in values) else "category"


def number_cells(series: Series) -> Array:
    """Give a column as float64; text must be all numbers."""
    dtype = series.dtype
    if series.null_count() == len(series):
        return np.full(len(series), np.nan)
    if dtype in (nw.Int128, nw.UInt128):  # no array has them
        series = series.cast(nw.Float64())
    if dtype.is_numeric() or dtype == nw.Boolean:
        values = series.to_numpy()
        if values.dtype.kind not in "fiu":
            values = series.cast(nw.Float64()).to_numpy()
        return values.astype(np.float64, copy=False)  # Arrow's own cast refuses whole numbers beyond 2^53
    if dtype not in (*_TEXT, nw.Object):
        raise DataTypeError(f"column {series.name!r} is of type {dtype} and was to be a number.")
    return _translated(series, {value: _parsed(value) for value in distinct(series)}, "a number")


def boolean_cells(series: Series) -> Array:
    """Give a column as 0, 1 or NaN; numbers must be 0 or 1, text a word for true or false."""
    if series.dtype == nw.Boolean:
        return series.cast(nw.Float64()).to_numpy().astype(np.float64, copy=False)
    if series.dtype.is_numeric() or series.null_count() == len(series):
        cells = number_cells(series)
        strange = ~(np.isnan(cells) | (cells == 0) | (cells == 1))
        if strange.any():
            _refuse(series, [float(cells[strange][0])], int(strange.sum()), "0 or 1")
        return cells
    words = dict.fromkeys(TRUE, 1.0) | dict.fromkeys(FALSE, 0.0)
    table = {value: words.get(str(value).lower(), _zero_or_one(value)) for value in distinct(series)}
    return _translated(series, table, "true or false")


def text_cells(series: Series) -> Series:
    """Give a column as text: 3 and 3.0 are both ``3``, since gaps, which widen integers, change no level."""
    if series.dtype == nw.String:
        return series
    if series.dtype in _TEXT:
        return in_words(series).cast(nw.String())
    if series.dtype.is_integer() and (series.dtype in (nw.Int128, nw.UInt128) or series.null_count()):
        return series.cast(
            nw.String()
        )  # arrays would have float64, in which whole numbers beyond 2^53 are not distinct
    if series.dtype.is_numeric():
        values = series.to_numpy()
        if values.dtype.kind not in "iuf":
            values = number_cells(series)
        different, codes = np.unique(values, return_inverse=True)
        words = np.array([_word(value) for value in different.tolist()], dtype=object)
        return nw.new_series(series.name, words[codes].tolist(), nw.String(), backend=series.implementation)
    if series.null_count() == len(series):
        return nw.new_series(series.name, [None] * len(series), nw.String(), backend=series.implementation)
    found = distinct(series)
    return series.replace_strict(found, [word(value) for value in found], return_dtype=nw.String())


def category_cells(series: Series, levels: tuple[str, ...]) -> Array:
    """Give a column as positions among levels: infinite where it is none of them, NaN where missing."""
    text = text_cells(series)
    position = {level: float(code) for code, level in enumerate(levels)}
    return _translated(text, {value: position.get(value, math.inf) for value in distinct(text)}, "a category")


def level_order(series: Series) -> tuple[str, ...]:
    """List the levels of a category: in the order declared with its type, else sorted."""
    seen = set(text_cells(series).drop_nulls().unique().to_list())
    declared = declared_levels(series)
    if declared is not None:
        return tuple(dict.fromkeys(level for level in map(word, declared) if level in seen))
    if series.dtype.is_numeric():
        return tuple(sorted(seen, key=Decimal))  # float64 would not order whole numbers beyond 2^53
    return tuple(sorted(seen))


def distinct(series: Series) -> list[Any]:
    """Return the different values of a column without missing ones; raise if some cannot be compared."""
    if series.dtype == nw.Object and series.implementation.is_polars():
        raise DataTypeError(
            f"column {series.name!r} holds objects of Python, which polars cannot tell apart: make it text or numbers, "
            f"or leave it out ({type_option(series.name, 'ignore')})."
        )
    try:
        values = series.drop_nulls().unique().to_list()
    except (TypeError, ValueError, ArithmeticError):  # no hash, or a signaling NaN
        values = [()]
    if any(isinstance(value, tuple | frozenset) for value in values):
        raise DataTypeError(f"column {series.name!r} holds values that are neither text nor numbers.")
    return values


def _translated(series: Series, table: dict[Any, float | None], wanted: str) -> Array:
    """Replace each value by its number; those without one are refused by name and count."""
    strange = [value for value, number in table.items() if number is None]
    if strange:
        _refuse(series, strange, int(series.is_in(strange).sum()), wanted)
    if not table:
        return np.full(len(series), np.nan)
    codes = series.replace_strict(list(table), list(table.values()), return_dtype=nw.Float64())
    return codes.to_numpy().astype(np.float64, copy=False)


def _refuse(series: Series, strange: list[Any], count: int, wanted: str) -> None:
    raise DataError(
        f"column {series.name!r} was to be {wanted}: {count} cell(s) are not, such as "
        f"{quote(strange, most=3)}. Correct "
        "them or declare the column a category."
    )


def _parsed(value: Any) -> float | None:
    if isinstance(value, complex | np.complexfloating):  # numpy would leave its imaginary part out
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _zero_or_one(value: Any) -> float | None:
    number = _parsed(value)
    return number if number in (0.0, 1.0) else None


def _word(value: float) -> str | None:
    if isinstance(value, float) and math.isnan(value):
        return None
    return word(value)
