"""Selection of rows of a frame and of the values that belong to them."""

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from posteriori.input.targets import ClassCounts, inconsistent_lengths
from posteriori.input.weights import read_weights
from posteriori.messages.errors import DataError


def filter_rows(rows: "nw.DataFrame[Any]", mask: NDArray[np.bool_]) -> "nw.DataFrame[Any]":
    """Return the rows of a frame that are True in a mask."""
    return rows if mask.all() else rows.filter(mask.tolist())


def size_of(data: dict[str, Any]) -> tuple[int, float]:
    """Return the number of training rows and their total weight; the weight of class counts is their sum."""
    n_rows = int(_num_samples(data["X"]))
    weights = read_weights(data["sample_weight"], n_rows)
    counts = data["y"].values if isinstance(data["y"], ClassCounts) else data["y"]
    shape: tuple[int, ...] = np.shape(counts) if isinstance(counts, list | tuple) else getattr(counts, "shape", ())
    if len(shape) == 2 and shape[1] > 1:
        totals = np.asarray(counts, dtype=np.float64).sum(axis=1)
        weights = totals if weights is None else totals * weights
    return (n_rows, float(n_rows)) if weights is None else (int((weights > 0).sum()), float(weights.sum()))


def missing_labels(y: Any, n_rows: int) -> NDArray[np.bool_]:
    """Return a mask of the rows whose target, a column of a frame, is missing."""
    series = None if y is None else nw.from_native(y, series_only=True, pass_through=True)
    if not isinstance(series, nw.Series) or len(series) != n_rows:
        return np.zeros(n_rows, np.bool_)
    missing: NDArray[np.bool_] = series.is_null().to_numpy().astype(np.bool_)
    return missing


def filter_values(values: Any, mask: NDArray[np.bool_]) -> Any:
    """Return the labels, class counts, weights or offsets that are True in a mask."""
    if values is None or mask.all() or (np.ndim(values) == 0 and not isinstance(values, ClassCounts)):
        return values
    if isinstance(values, ClassCounts):
        return ClassCounts(values.values[mask], values.order)
    if len(values) != len(mask):
        raise DataError(inconsistent_lengths(len(mask), len(values)))
    series = nw.from_native(values, series_only=True, pass_through=True)
    return series.filter(mask.tolist()).to_native() if isinstance(series, nw.Series) else _safe_indexing(values, mask)
