"""The rarer types of pandas' columns as the usual ones that hold the same values."""

from typing import Any

import numpy as np


def usual(frame: Any) -> Any:
    """Give a pandas frame whose numbers are of types that every later step knows; one that has no others as it is.

    Sparse columns become dense, numbers of the other byte order and of more than 64 bits plain ones.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"a": pd.arrays.SparseArray([0.0, 2.0]), "b": np.array([1, 2], dtype=">i4")})
    >>> usual(frame).dtypes.astype(str).tolist()
    ['float64', 'int32']
    """
    odd = {kind: plain for kind in set(frame.dtypes) if (plain := _usual_type(kind)) != kind}
    if not odd or not frame.columns.is_unique:
        return frame
    return frame.astype({name: odd[kind] for name, kind in frame.dtypes.items() if kind in odd})


def _usual_type(kind: Any) -> Any:
    if type(kind).__name__ == "SparseDtype":
        return _usual_type(kind.subtype)
    if not isinstance(kind, np.dtype) or kind.kind not in "fiu":
        return kind
    if kind.itemsize > 8:
        return np.dtype(np.float64)
    return kind.newbyteorder("=")
