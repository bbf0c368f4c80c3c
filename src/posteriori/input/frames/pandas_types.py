"""Conversion of pandas' rarer types to the supported ones."""

from decimal import Decimal
from typing import Any

import numpy as np

from posteriori.messages.errors import DataError


def supported_types(frame: Any) -> Any:
    """Convert a pandas frame to the supported types of numbers.

    Sparse columns become dense; numbers of the other byte order or of more than 64 bits become native ones, also among
    objects. Signaling NaN, which cannot be compared, and text that is not Unicode (half of a surrogate pair) are
    errors.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"a": pd.arrays.SparseArray([0.0, 2.0]), "b": np.array([1, 2], dtype=">i4")})
    >>> supported_types(frame).dtypes.astype(str).tolist()
    ['float64', 'int32']
    """
    converted = {kind: plain for kind in set(frame.dtypes) if (plain := _supported_type(kind)) != kind}
    for name in frame.columns:
        _refuse_surrogates(name, "the name of a column")
    if not frame.columns.is_unique:
        return frame
    kinds = {name: converted[kind] for name, kind in frame.dtypes.items() if kind in converted}
    objects = {name: _supported_objects(frame[name]) for name, kind in frame.dtypes.items() if kind == np.dtype(object)}
    changed = {name: column for name, column in objects.items() if column is not None}
    frame = frame.astype(kinds) if kinds else frame.copy(deep=False) if changed else frame
    for name, column in changed.items():
        frame[name] = column
    return frame


def _supported_type(kind: Any) -> Any:
    if type(kind).__name__ == "SparseDtype":
        return _supported_type(kind.subtype)
    if not isinstance(kind, np.dtype) or kind.kind not in "fiu":
        return kind
    if kind.itemsize > 8:
        return np.dtype(np.float64)
    return kind.newbyteorder("=")


def _supported_objects(column: Any) -> Any:
    """Return a column of objects with numpy's longer floats as floats; None if there are none."""
    try:
        values = column.unique()
    except TypeError:  # some have no hash
        values = column.to_numpy()
        _refuse_signaling(column)
    for value in values:
        _refuse_surrogates(value, f"column {column.name!r}")
    if not any(isinstance(value, np.longdouble) for value in values):
        return None
    with np.errstate(over="ignore"):
        plain = [float(value) if isinstance(value, np.longdouble) else value for value in column]
    return type(column)(plain, index=column.index, dtype=object, name=column.name)


def _refuse_signaling(column: Any) -> None:
    """Raise for cells that are signaling NaN of `Decimal`."""
    rows = [row for row, value in enumerate(column) if isinstance(value, Decimal) and value.is_snan()]
    if rows:
        raise DataError(
            f"column {column.name!r} has signaling NaN (Decimal('sNaN')) in {len(rows)} cell(s), the first in row "
            f"{rows[0]}. Use None for missing values."
        )


def _refuse_surrogates(value: Any, where: str) -> None:
    """Raise for text that cannot be encoded."""
    if not isinstance(value, str) or value.isascii():
        return
    try:
        value.encode()
    except UnicodeEncodeError:
        raise DataError(
            f"{where} is not valid Unicode: {value!r} has half of a surrogate pair. Such text results from decoding "
            "bytes with the wrong encoding (errors='surrogateescape'): read it with the right one."
        ) from None
