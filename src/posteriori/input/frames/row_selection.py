"""Which rows of a frame count, and the same rows of what goes with it."""

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from posteriori.input.targets import ClassCounts
from posteriori.input.weights import read_weights
from posteriori.messages.errors import DataError


def kept_rows(rows: "nw.DataFrame[Any]", counted: NDArray[np.bool_]) -> "nw.DataFrame[Any]":
    """Keep the rows of a frame that count."""
    return rows if counted.all() else rows.filter(counted.tolist())


def size_of(given: dict[str, Any]) -> tuple[int, float]:
    """Count the rows learned from, and their weight; of class counts, what they count."""
    n_rows = int(_num_samples(given["X"]))
    weights = read_weights(given["sample_weight"], n_rows)
    counts = given["y"].values if isinstance(given["y"], ClassCounts) else given["y"]
    shape: tuple[int, ...] = np.shape(counts) if isinstance(counts, list | tuple) else getattr(counts, "shape", ())
    if len(shape) == 2 and shape[1] > 1:
        counted = np.asarray(counts, dtype=np.float64).sum(axis=1)
        weights = counted if weights is None else counted * weights
    return (n_rows, float(n_rows)) if weights is None else (int((weights > 0).sum()), float(weights.sum()))


def no_label(y: Any, n_rows: int) -> NDArray[np.bool_]:
    """Mark the rows whose target, a column of a frame, is a gap."""
    series = None if y is None else nw.from_native(y, series_only=True, pass_through=True)
    if not isinstance(series, nw.Series) or len(series) != n_rows:
        return np.zeros(n_rows, np.bool_)
    missing: NDArray[np.bool_] = series.is_null().to_numpy().astype(np.bool_)
    return missing


def only(value: Any, counted: NDArray[np.bool_]) -> Any:
    """Keep the rows that count of labels, class counts, weights or an offset."""
    if value is None or counted.all() or (np.ndim(value) == 0 and not isinstance(value, ClassCounts)):
        return value
    if isinstance(value, ClassCounts):
        return ClassCounts(value.values[counted], value.order)
    if len(value) != len(counted):
        raise DataError(
            f"Found input variables with inconsistent numbers of samples: X has {len(counted)} rows and y "
            f"has {len(value)}."
        )
    series = nw.from_native(value, series_only=True, pass_through=True)
    return (
        series.filter(counted.tolist()).to_native() if isinstance(series, nw.Series) else _safe_indexing(value, counted)
    )
