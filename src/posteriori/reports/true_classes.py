"""The true classes of rows, from labels or class counts, as weights over the classes of a model."""

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Mask
from posteriori.input.classes.class_values import ClassIndex, as_objects
from posteriori.input.classes.missing_labels import missing_marks
from posteriori.input.targets import ClassCounts, read_targets
from posteriori.messages.errors import DataError


def class_weights(y: Any, n: int, classes: NDArray[Any]) -> tuple[Array, dict[str, Mask], dict[str, int]]:
    """Return the weight of each class in each row, (n, K), masks of excluded rows by reason, and unknown labels.

    A row with a label has weight one in its class; a row of class counts has the counts as weights. An excluded row
    has positive weights, so that it does not also count as a row of weight zero.
    """
    index = ClassIndex.of(classes)
    if isinstance(y, ClassCounts) or (np.ndim(y) == 2 and np.shape(y)[1] > 1):
        return _ordered_counts(y, n, classes), {}, {}
    labels, missing = _labels(y, n)
    distinct, codes = np.unique(labels[~missing], return_inverse=True)
    places = [index.find(label) for label in as_objects(distinct).tolist()]
    of_row = np.full(n, -1)
    of_row[~missing] = np.array([-1 if place is None else place for place in places], dtype=np.intp)[codes.ravel()]
    counts = np.bincount(codes.ravel(), minlength=len(distinct)).tolist()
    unknown = {
        str(label): count
        for label, count, place in zip(distinct.tolist(), counts, places, strict=True)
        if place is None
    }
    weights = np.zeros((n, len(classes)))
    known = np.flatnonzero(of_row >= 0)
    weights[known, of_row[known]] = 1.0
    weights[of_row < 0] = 1.0
    return weights, {"without a class": missing, "of an unknown class": ~missing & (of_row < 0)}, unknown


def _ordered_counts(y: Any, n: int, classes: NDArray[Any]) -> Array:
    """Return class counts with columns in the order of the model's classes."""
    targets = read_targets(y, n, allow_counts=True)
    assert targets.counts is not None
    if targets.n_classes != len(classes):
        raise DataError(f"y has counts of {targets.n_classes} classes; the model has {len(classes)}.")
    index = ClassIndex.of(targets.classes)
    places = [at for at in map(index.find, classes.tolist()) if at is not None]
    return targets.counts[:, places] if len(places) == len(classes) else targets.counts


def _labels(y: Any, n: int) -> tuple[NDArray[Any], Mask]:
    """Return labels as an array of one type, and which of them are missing."""
    is_list = isinstance(y, list | tuple)
    series = None if is_list or isinstance(y, np.ndarray) else nw.from_native(y, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        y = np.asarray(series.to_numpy())
        missing = np.zeros(len(y), np.bool_) if y.dtype == object else series.is_null().to_numpy()
    else:
        y = np.array(y, dtype=object) if is_list else np.asanyarray(y)  # masked arrays keep their mask
        missing = np.zeros(len(y) if y.ndim else 0, np.bool_)
    y = y.ravel() if y.ndim == 2 else y
    if y.ndim != 1 or len(y) != n:
        raise DataError(
            f"Found input variables with inconsistent numbers of samples: X has {n} rows, y has shape {y.shape}."
        )
    missing, labels = missing | missing_marks(y), np.asarray(y)
    if labels.dtype == object and len({type(label) for label in labels[~missing].tolist()}) > 1:
        labels = labels.copy()
        labels[~missing] = [str(label) for label in labels[~missing].tolist()]
    return labels, missing
