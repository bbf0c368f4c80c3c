"""Dense arrays as numbers: masked cells are missing; errors about text, dates and other objects name the place."""

import datetime
from typing import Any, NoReturn

import numpy as np

from posteriori.arrays import AnyArray, Array, Mask
from posteriori.messages.errors import DataError, DataTypeError

DATES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)
#: What to do about text, and about dates and times.
TEXT = (
    "Arrays of text are never parsed as numbers; convert them to numbers, or give a DataFrame, whose text columns are "
    "categories."
)
TIMES = (
    "Turn dates and times into numbers in a unit of your choice, the same in fit and in predict: "
    "(X - X.min()) / np.timedelta64(1, 'D') gives days since the first."
)


def plain_array(X: Any) -> Any:
    """Return lists and array-likes as plain arrays, with masked cells as NaN; ragged lists are returned unchanged.

    An array without masked cells is not copied.
    """
    X = _unmasked(X)
    if isinstance(X, list | tuple) or (hasattr(X, "__array__") and not isinstance(X, np.ndarray)):
        try:
            return np.asarray(X)
        except ValueError:  # rows of different lengths
            return X
    return X


def _unmasked(X: Any) -> Any:
    if isinstance(X, list | tuple) and any(isinstance(row, np.ma.MaskedArray) for row in X):
        X = np.ma.array(X)  # type: ignore[no-untyped-call]
    if not isinstance(X, np.ma.MaskedArray):
        return X
    masked = np.ma.getmaskarray(X)  # type: ignore[no-untyped-call]
    if X.dtype.kind not in "fiubO" or not masked.any():
        return np.asarray(X.data)
    cells = X.data.astype(object if X.dtype.kind == "O" else np.float64)
    cells[masked] = np.nan
    return cells


def refuse_masked(values: Any, name: str) -> None:
    """Raise if some of the labels, weights or other values for each row are masked."""
    masked = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None  # type: ignore[no-untyped-call]
    if masked is not None and masked.any():
        raise DataError(
            f"Input {name} contains NaN. {int(masked.sum())} of {masked.size} values of {name} are masked, the first "
            f"is row {int(np.argwhere(masked)[0][0])}: leave those rows out, or give them a value."
        )


def read_numbers(values: Any, name: str) -> Array:
    """Return weights, an offset or counts as float64; raise for masked values and objects that are not numbers."""
    refuse_masked(values, name)
    try:
        array = np.asarray(values)
    except ValueError as error:  # sequences among the values
        raise DataTypeError(f"{name} must be numbers: {error}.") from None
    if array.dtype.kind not in "fiubO":
        raise DataTypeError(f"{name} must be numbers, not {array.dtype}.")
    refuse_no_numbers(array, name)
    return array.astype(np.float64, copy=False)


def refuse_no_numbers(values: AnyArray, name: str = "X") -> None:
    """Raise if an array contains text, dates, complex numbers or other objects; the message names the first."""
    kind = values.dtype.kind
    if kind in "US" and values.size:
        _refuse(values, np.ones(values.shape, np.bool_), name)
    if kind in "mM":
        raise DataTypeError(f"{name} contains dates or times ({values.dtype}), which are not numbers. {TIMES}")
    if kind == "V":
        raise DataTypeError(f"{name} is an array of records ({values.dtype}): give its fields as columns of numbers.")
    if kind == "O":
        odd = np.fromiter((_is_odd(value) for value in values.flat), np.bool_, values.size).reshape(values.shape)
        if odd.any():
            _refuse(values, odd, name)


def _is_odd(value: Any) -> bool:
    """Return whether numpy cannot convert a value to a float, or converts it to a different number."""
    if value is None or isinstance(value, float):
        return False
    no_number = isinstance(value, (str, bytes, complex, np.complexfloating, *DATES)) or value is np.ma.masked
    return no_number or _as_float(value) is not None


def _as_float(value: Any) -> Exception | None:
    """Return the error of converting a value to a float, or None."""
    try:
        with np.errstate(over="ignore"):
            number = float(value)
    except (TypeError, ValueError, OverflowError) as error:
        return error
    if np.isinf(number) and value != number:  # numpy's longer floats and Decimal raise no error
        return OverflowError("it is beyond the largest float")
    return None


def _refuse(values: AnyArray, odd: Mask, name: str) -> NoReturn:
    first = tuple(int(i) for i in np.argwhere(odd)[0])
    value, lead = values[first], "" if name == "X" else f"{name} must be numbers. "
    more = f"and {int(odd.sum()) - 1} more."
    where = f" In row {first[0]}, {more}" if values.ndim == 1 else ""
    where = f" In column {first[1]}, row {first[0]}, {more}" if values.ndim == 2 else where
    if isinstance(value, str | bytes):
        raise DataError(f"{lead}could not convert string to float: {value!r}.{where} {TEXT}")
    if isinstance(value, complex | np.complexfloating):
        raise DataError(f"{lead}Complex data not supported: {value!r} is complex.{where}")
    if isinstance(value, DATES):
        raise DataTypeError(f"{lead}{value!r} is a date or a time, not a number.{where} {TIMES}")
    if value is np.ma.masked:
        raise DataError(f"{lead}A masked value is in an array of objects.{where} Use np.nan, or a masked array.")
    error = _as_float(value)
    if isinstance(error, OverflowError):
        raise DataError(f"{lead}A number is beyond the largest float, {np.finfo(np.float64).max:.3g}.{where}")
    raise DataTypeError(f"{lead}A {type(value).__name__} is not a number: {error}.{where}")
