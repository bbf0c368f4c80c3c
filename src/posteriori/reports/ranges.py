"""Ranges of columns that end at round numbers, so that they do not reveal the values of rows."""

from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.input.frames.native import as_frame, frame_of


def range_of(X: Any) -> Any:
    """Return two rows in the container of X that span its columns: the lower and the upper round bounds."""
    frame = as_frame(X)
    if frame is None:
        return np.column_stack([round_bounds(column) for column in np.asarray(X, dtype=np.float64).T])
    spans = {name: round_bounds(frame[name].to_numpy().astype(np.float64)) for name in frame.columns}
    return frame_of(spans, like=frame)


def round_bounds(values: Array) -> Array:
    """Return the range of values, widened to numbers of about two digits; bounds above 0, or below 1, stay so.

    >>> [round_bounds(np.array(ends)).tolist() for ends in ([32.13, 59.62], [0.0712, 0.0714], [0.3, 9.1], [0, 1])]
    [[30.0, 60.0], [0.0712, 0.0714], [0.1, 9.5], [0.0, 1.0]]
    """
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    width = (high - low) or abs(low) or 1.0
    whole = not np.mod(values[~np.isnan(values)], 1.0).any()
    step = max(_power_of_ten(width) / 2.0, 1.0 if whole else 0.0)
    first, last = np.floor(low / step) * step, np.ceil(high / step) * step
    if first <= 0 < low:
        first = _power_of_ten(low)
    if high < 1 <= last:
        last = 1.0 - _power_of_ten(1.0 - high)
    return np.round([first, last], int(max(2, 3 - np.floor(np.log10(step)))))


def _power_of_ten(value: float) -> float:
    """Return the largest power of ten below a number."""
    return float(10.0 ** np.floor(np.log10(value)))
