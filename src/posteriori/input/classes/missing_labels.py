"""Missing labels: masked, NaN, NaT, None or pandas' NA."""

from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray


def is_missing(value: Any) -> bool:
    """Return whether a value is None, NaN, NaT, NA or masked.

    >>> [is_missing(value) for value in (None, float("nan"), Decimal("sNaN"), np.ma.masked, "", 0)]
    [True, True, True, True, False, False]
    """
    if value is None or value is np.ma.masked:
        return True
    if isinstance(value, Decimal):  # a signaling NaN cannot be compared
        return value.is_nan()
    unequal = value != value  # noqa: PLR0124
    return not isinstance(unequal, bool | np.bool_) or bool(unequal)  # pd.NA != pd.NA is pd.NA


def missing_marks(labels: NDArray[Any]) -> NDArray[np.bool_]:
    """Return a mask (n,) of missing labels, masked or by their value."""
    if labels.dtype == object:
        marks = np.fromiter(map(is_missing, labels), np.bool_, len(labels))
    elif labels.dtype.kind == "f":
        marks = np.isnan(labels)
    elif labels.dtype.kind in "mM":
        marks = np.isnat(labels)
    else:
        marks = np.zeros(len(labels), np.bool_)
    if isinstance(labels, np.ma.MaskedArray):
        marks = np.asarray(marks) | np.ma.getmaskarray(labels)  # type: ignore[no-untyped-call]
    return np.asarray(marks)
