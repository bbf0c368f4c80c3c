"""The rarer types of pandas' columns as the usual ones that hold the same values."""

from decimal import Decimal
from typing import Any

import numpy as np

from posteriori.messages.errors import DataError


def usual(frame: Any) -> Any:
    """Give a pandas frame whose numbers are of types that every later step knows; one that has no others as it is.

    Sparse columns become dense, numbers of the other byte order and of more than 64 bits plain ones; among objects,
    numpy's longer floats become floats. Signaling NaN, which cannot be compared, and text that is not Unicode (half
    of a surrogate pair) are refused.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"a": pd.arrays.SparseArray([0.0, 2.0]), "b": np.array([1, 2], dtype=">i4")})
    >>> usual(frame).dtypes.astype(str).tolist()
    ['float64', 'int32']
    """
    odd = {kind: plain for kind in set(frame.dtypes) if (plain := _usual_type(kind)) != kind}
    for name in frame.columns:
        _refuse_surrogates(name, "the name of a column")
    if not frame.columns.is_unique:
        return frame
    kinds = {name: odd[kind] for name, kind in frame.dtypes.items() if kind in odd}
    objects = {name: _usual_objects(frame[name]) for name, kind in frame.dtypes.items() if kind == np.dtype(object)}
    changed = {name: column for name, column in objects.items() if column is not None}
    frame = frame.astype(kinds) if kinds else frame.copy(deep=False) if changed else frame
    for name, column in changed.items():
        frame[name] = column
    return frame


def _usual_type(kind: Any) -> Any:
    if type(kind).__name__ == "SparseDtype":
        return _usual_type(kind.subtype)
    if not isinstance(kind, np.dtype) or kind.kind not in "fiu":
        return kind
    if kind.itemsize > 8:
        return np.dtype(np.float64)
    return kind.newbyteorder("=")


def _usual_objects(column: Any) -> Any:
    """Return a column of objects with floats for numpy's longer ones, or None where there are none."""
    try:
        found = column.unique()
    except TypeError:  # some have no hash
        found = column.to_numpy()
        _refuse_signaling(column)
    for value in found:
        _refuse_surrogates(value, f"column {column.name!r}")
    if not any(isinstance(value, np.longdouble) for value in found):
        return None
    with np.errstate(over="ignore"):
        plain = [float(value) if isinstance(value, np.longdouble) else value for value in column]
    return type(column)(plain, index=column.index, dtype=object, name=column.name)


def _refuse_signaling(column: Any) -> None:
    """Raise if some cells are decimal numbers that are signaling NaN."""
    rows = [row for row, value in enumerate(column) if isinstance(value, Decimal) and value.is_snan()]
    if rows:
        raise DataError(
            f"column {column.name!r} holds signaling NaN (Decimal('sNaN')) in {len(rows)} cell(s), the first in row "
            f"{rows[0]}. Give None where a value is missing."
        )


def _refuse_surrogates(value: Any, where: str) -> None:
    """Raise if a value is text that no file and no other library can hold."""
    if not isinstance(value, str) or value.isascii():
        return
    try:
        value.encode()
    except UnicodeEncodeError:
        raise DataError(
            f"{where} holds text that is not Unicode: {value!r} has half of a surrogate pair. Such text comes from "
            "reading bytes with the wrong encoding (errors='surrogateescape'): read it with the right one."
        ) from None
