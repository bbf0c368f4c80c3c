"""The union of the class labels, or category values, of two sets of rows."""

import numpy as np

from posteriori.arrays import AnyArray
from posteriori.messages.errors import DataError


def union_of_labels(first: AnyArray, second: AnyArray, what: str) -> AnyArray:
    """Return the union of two sorted lists of values; raise if their types differ."""
    if not len(first) or not len(second):
        return first if len(first) else second
    text = [values.dtype.kind in "US" for values in (first, second)]
    if text[0] != text[1] or (first.dtype.kind == "O") != (second.dtype.kind == "O"):
        raise DataError(f"{what} are of type {first.dtype} in one model and {second.dtype} in the other.")
    return first if np.array_equal(first, second) else np.union1d(first, second)
