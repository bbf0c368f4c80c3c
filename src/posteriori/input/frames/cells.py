"""Cells of a frame's column as arrays: numbers, booleans, category codes; a missing value is NaN."""

import math
from typing import Any, NoReturn

import narwhals as nw
import numpy as np

from posteriori.arrays import Array
from posteriori.input.frames.levels import level_text, with_text_levels
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote
from posteriori.messages.options import type_option

Series = nw.Series[Any]

#: Texts of true and false in a column declared boolean.
TRUE, FALSE = ("true", "t", "yes", "y", "1"), ("false", "f", "no", "n", "0")
TEXT = (nw.String, nw.Categorical, nw.Enum)


def number_cells(series: Series) -> Array:
    """Return a column as float64; text must consist of numbers."""
    dtype = series.dtype
    if series.null_count() == len(series):
        return np.full(len(series), np.nan)
    if dtype in (nw.Int128, nw.UInt128):  # numpy has no such types
        series = series.cast(nw.Float64())
    if dtype.is_numeric() or dtype == nw.Boolean:
        values = series.to_numpy()
        if values.dtype.kind not in "fiu":
            values = series.cast(nw.Float64()).to_numpy()
        return values.astype(np.float64, copy=False)  # Arrow's own cast raises for integers beyond 2^53
    if dtype not in (*TEXT, nw.Object):
        raise DataTypeError(f"column {series.name!r} was declared numeric, but it is of type {dtype}.")
    return _translated(series, {value: _parsed(value) for value in distinct(series)}, "numeric")


def boolean_cells(series: Series) -> Array:
    """Return a column as 0, 1 or NaN; numbers must be 0 or 1, text a word for true or false."""
    if series.dtype == nw.Boolean:
        return series.cast(nw.Float64()).to_numpy().astype(np.float64, copy=False)
    if series.dtype.is_numeric() or series.null_count() == len(series):
        cells = number_cells(series)
        invalid = ~(np.isnan(cells) | (cells == 0) | (cells == 1))
        if invalid.any():
            _refuse(series, [float(cells[invalid][0])], int(invalid.sum()), "boolean", "are not 0 or 1")
        return cells
    words = dict.fromkeys(TRUE, 1.0) | dict.fromkeys(FALSE, 0.0)
    table = {value: words.get(str(value).lower(), _zero_or_one(value)) for value in distinct(series)}
    return _translated(series, table, "boolean")


def text_cells(series: Series) -> Series:
    """Return a column as text: 3 and 3.0 are both ``3``, since missing values convert integers to floats."""
    if series.dtype == nw.String:
        return series
    if series.dtype in TEXT:
        return with_text_levels(series).cast(nw.String())
    if series.dtype.is_integer() and (series.dtype in (nw.Int128, nw.UInt128) or series.null_count()):
        return series.cast(nw.String())  # float64 of arrays does not distinguish integers beyond 2^53
    if series.dtype.is_numeric():
        values = series.to_numpy()
        if values.dtype.kind not in "iuf":
            values = number_cells(series)
        unique, codes = np.unique(values, return_inverse=True)
        texts = np.array([None if math.isnan(value) else level_text(value) for value in unique.tolist()], dtype=object)
        return nw.new_series(series.name, texts[codes].tolist(), nw.String(), backend=series.implementation)
    if series.null_count() == len(series):
        return nw.new_series(series.name, [None] * len(series), nw.String(), backend=series.implementation)
    levels = distinct(series)
    return series.replace_strict(levels, [level_text(level) for level in levels], return_dtype=nw.String())


def category_cells(series: Series, levels: tuple[str, ...]) -> Array:
    """Return a column as positions among levels: infinite for other values, NaN for missing ones."""
    text = text_cells(series)
    position = {level: float(code) for code, level in enumerate(levels)}
    return _translated(text, {value: position.get(value, math.inf) for value in distinct(text)}, "a category")


def distinct(series: Series) -> list[Any]:
    """Return the distinct values of a column except missing ones; raise if they cannot be compared."""
    if series.dtype == nw.Object and series.implementation.is_polars():
        raise DataTypeError(
            f"column {series.name!r} has Python objects, which polars cannot compare: convert it to text or numbers, "
            f"or leave it out ({type_option(series.name, 'ignore')})."
        )
    try:
        values = series.drop_nulls().unique().to_list()
    except (TypeError, ValueError, ArithmeticError):  # no hash, or a signaling NaN
        values = [()]
    if any(isinstance(value, tuple | frozenset) for value in values):
        raise DataTypeError(f"column {series.name!r} has values that are neither text nor numbers.")
    return values


def _translated(series: Series, table: dict[Any, float | None], kind: str) -> Array:
    """Replace each value by its number; raise for values without one."""
    invalid = [value for value, number in table.items() if number is None]
    if invalid:
        _refuse(series, invalid, int(series.is_in(invalid).sum()), kind)
    if not table:
        return np.full(len(series), np.nan)
    codes = series.replace_strict(list(table), list(table.values()), return_dtype=nw.Float64())
    return codes.to_numpy().astype(np.float64, copy=False)


def _refuse(series: Series, invalid: list[Any], count: int, kind: str, why: str = "cannot be converted") -> NoReturn:
    raise DataError(
        f"column {series.name!r} was declared {kind}, but {count} cell(s) {why}, such as {quote(invalid, most=3)}. "
        "Correct them or declare the column a category."
    )


def _parsed(value: Any) -> float | None:
    if isinstance(value, complex | np.complexfloating):  # numpy would drop the imaginary part
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _zero_or_one(value: Any) -> float | None:
    number = _parsed(value)
    return number if number in (0.0, 1.0) else None
