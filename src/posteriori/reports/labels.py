"""What rows are in truth: labels or class counts, matched with the classes that a model knows."""

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array, Mask
from posteriori.input.classes.class_values import ClassIndex, as_objects
from posteriori.input.classes.missing_labels import missing_marks
from posteriori.input.targets import ClassCounts, read_targets
from posteriori.messages.errors import DataError


def read_truth(y: Any, n: int, classes: NDArray[Any]) -> tuple[Array, tuple[Mask, dict[str, int]], Mask]:
    """Give weights by class of each row (n, K), the rows of unknown classes with their labels, and those without."""
    nothing = np.zeros(n, np.bool_)
    if isinstance(y, ClassCounts) or (np.ndim(y) == 2 and np.shape(y)[1] > 1):
        counted = read_targets(y, n, allow_counts=True)
        assert counted.counts is not None
        if counted.n_classes != len(classes):
            raise DataError(f"y counts {counted.n_classes} classes; the model has {len(classes)}.")
        order = [ClassIndex.of(counted.classes).find(label) for label in classes.tolist()]
        columns = [at for at in order if at is not None]
        own = counted.counts[:, np.array(columns)] if len(columns) == len(classes) else counted.counts
        return own, (nothing, {}), nothing
    labels, without = _labels(y, n)
    seen, inverse = np.unique(labels[~without], return_inverse=True)
    index = ClassIndex.of(classes)
    found = [index.find(label) for label in as_objects(seen).tolist()]
    places = np.full(n, -1)
    places[~without] = np.array([-1 if at is None else at for at in found], dtype=np.intp)[inverse.ravel()]
    strange = ~without & (places < 0)
    counts = np.bincount(inverse.ravel(), minlength=len(seen))
    unknown = {str(label): int(k) for label, k, at in zip(seen.tolist(), counts, found, strict=True) if at is None}
    weights = np.zeros((n, len(classes)))
    known = np.flatnonzero(places >= 0)
    weights[known, places[known]] = 1.0
    weights[strange | without] = 1.0  # left out for a better reason than their weight
    return weights, (strange, unknown), without


def _labels(y: Any, n: int) -> tuple[NDArray[Any], Mask]:
    """Give labels as an array, and mark those that are missing."""
    series = (
        None if isinstance(y, np.ndarray | list | tuple) else nw.from_native(y, series_only=True, pass_through=True)
    )
    if isinstance(series, nw.Series):
        labels = np.asarray(series.to_numpy())
        missing = np.zeros(len(labels), np.bool_) if labels.dtype == object else series.is_null().to_numpy()
    else:
        labels = np.array(y, dtype=object) if isinstance(y, list | tuple) else np.asanyarray(y)  # a mask is kept
        missing = np.zeros(len(labels) if labels.ndim else 0, np.bool_)
    labels = labels.ravel() if labels.ndim == 2 else labels
    if labels.ndim != 1 or len(labels) != n:
        raise DataError(
            f"Found input variables with inconsistent numbers of samples: X has {n} rows, y has shape {labels.shape}."
        )
    missing, labels = missing | missing_marks(labels), np.asarray(labels)
    kinds = {type(label) for label in labels[~missing].tolist()} if labels.dtype == object else set()
    if len(kinds) > 1:
        labels = labels.copy()
        labels[~missing] = [str(label) for label in labels[~missing].tolist()]
    return labels, missing
