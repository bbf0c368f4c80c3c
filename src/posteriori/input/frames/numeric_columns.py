"""Columns of plain numbers, read together: one step for thousands of columns."""

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array

Frame = nw.DataFrame[Any]

#: The numeric types of numpy.
PLAIN = (
    nw.Float64, nw.Float32, nw.Int64, nw.Int32, nw.Int16, nw.Int8, nw.UInt64, nw.UInt32, nw.UInt16, nw.UInt8,
)  # fmt: skip


def plain_types(frame: Frame, names: Sequence[str]) -> list[str]:
    """Return the named columns that have a numeric type of numpy."""
    schema = frame.schema
    return [name for name in names if schema[name] in PLAIN]


def plain_numbers(frame: Frame, names: Sequence[str]) -> tuple[list[str], Array]:
    """Return the named columns that have plain numbers, and their cells, (n, columns); missing values are NaN.

    >>> import pandas as pd
    >>> frame = nw.from_native(pd.DataFrame({"a": [1, 2], "b": ["x", "y"], "c": [0.5, None]}))
    >>> names, cells = plain_numbers(frame, ["c", "b", "a"])
    >>> names, cells.tolist()
    (['c', 'a'], [[0.5, 1.0], [nan, 2.0]])
    """
    plain = plain_types(frame, names)
    cells: NDArray[Any] = frame.select(plain).to_numpy() if plain else np.empty((len(frame), 0))
    if cells.dtype.kind not in "fiu":  # extension types, read one by one
        return [], np.empty((len(frame), 0))
    return plain, cells.astype(np.float64, copy=False)
