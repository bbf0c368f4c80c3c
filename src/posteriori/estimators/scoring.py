"""`score`, a method of every classifier: labels and weights are checked as `fit` checks them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.input.classes.class_values import as_objects
from posteriori.input.frames.alignment import aligned
from posteriori.input.targets import read_labels
from posteriori.input.weights import read_weights
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote


def score(self: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
    """Return the accuracy: the fraction of rows, by weight, whose class is predicted.

    An action or a rejection is never the class of a row.

    Parameters
    ----------
    X : (n, d) rows
    y : (n,) labels; a pandas series is put into the order of the index of X
    sample_weight : (n,) weights, zero or positive
    """
    predicted = np.asarray(self.predict(X))
    labels = read_labels(aligned(X, y, "y"), len(predicted))
    _check_same_kind(np.asarray(self.classes_), labels)
    weights = read_weights(aligned(X, sample_weight, "sample_weight"), len(labels))
    return float(np.average(equal_labels(predicted, labels), weights=weights))


def equal_labels(predicted: NDArray[Any], y: Any) -> NDArray[np.bool_]:
    """Return where predictions equal labels, (n,), whatever their types."""
    labels = y.to_numpy() if hasattr(y, "to_numpy") else np.asarray(y)
    if len(labels) != len(predicted):
        raise DataError(
            "Found input variables with inconsistent numbers of samples: "
            f"X has {len(predicted)} rows and y has {len(labels)}."
        )
    labels = labels.reshape(-1)
    if predicted.dtype.kind != labels.dtype.kind:
        predicted, labels = as_objects(predicted), as_objects(labels)
    return np.asarray(predicted == labels, dtype=np.bool_)


def _check_same_kind(classes: NDArray[Any], labels: NDArray[Any]) -> None:
    """Raise if one is text and the other is not: no prediction could be right."""
    text = [all(isinstance(label, str) for label in each.tolist()) for each in (classes, labels)]
    if text[0] != text[1]:
        raise DataTypeError(
            f"Mix of label input types (string and number): y holds {labels.tolist()[0]!r}, and the classes of the "
            f"model are {quote(classes.tolist())}. Pass y as it was passed to fit."
        )
