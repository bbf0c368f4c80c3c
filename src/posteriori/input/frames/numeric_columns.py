"""Columns of plain numbers, read together: a frame of thousands of columns takes no step for each."""

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array

Frame = nw.DataFrame[Any]

#: The types of numbers that arrays have too.
PLAIN = (
    nw.Float64, nw.Float32, nw.Int64, nw.Int32, nw.Int16, nw.Int8, nw.UInt64, nw.UInt32, nw.UInt16, nw.UInt8,
)  # fmt: skip


def plain_types(frame: Frame, names: Sequence[str]) -> list[str]:
    """List those of the columns named whose type is that of plain numbers."""
    schema = frame.schema
    return [name for name in names if schema[name] in PLAIN]


def plain_numbers(frame: Frame, names: Sequence[str]) -> tuple[list[str], Array]:
    """Give those of the columns named that hold plain numbers, and their cells, (n, columns); a gap is NaN.

    >>> import pandas as pd
    >>> frame = nw.from_native(pd.DataFrame({"a": [1, 2], "b": ["x", "y"], "c": [0.5, None]}))
    >>> names, cells = plain_numbers(frame, ["c", "b", "a"])
    >>> names, cells.tolist()
    (['c', 'a'], [[0.5, 1.0], [nan, 2.0]])
    """
    plain = plain_types(frame, names)
    cells: NDArray[Any] = frame.select(plain).to_numpy() if plain else np.empty((len(frame), 0))
    if cells.dtype.kind not in "fiu":  # types of a library's own, read one by one
        return [], np.empty((len(frame), 0))
    return plain, cells.astype(np.float64, copy=False)
