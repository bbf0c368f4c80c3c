"""`score` of every classifier: labels and weights are checked as `fit` checks them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from posteriori.estimators.wrappers.parts import equal
from posteriori.input.frames.alignment import aligned
from posteriori.input.targets import read_labels
from posteriori.input.weights import read_weights
from posteriori.messages.errors import DataTypeError
from posteriori.messages.notes import quote


class Scored(ClassifierMixin):
    """A classifier with its accuracy as `score`."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows, by weight, whose class is predicted; an action or a rejection is no class.

        Parameters
        ----------
        X : (n, d) rows
        y : (n,) labels; a pandas series is put into the order of the index of X
        sample_weight : (n,) weights, zero or positive
        """
        predicted = np.asarray(self.predict(X))  # type: ignore[attr-defined]
        labels = read_labels(aligned(X, y, "y"), len(predicted))
        _refuse_other_kind(np.asarray(self.classes_), labels)  # type: ignore[attr-defined]
        weights = read_weights(aligned(X, sample_weight, "sample_weight"), len(labels))
        return float(np.average(equal(predicted, labels), weights=weights))


def _refuse_other_kind(classes: NDArray[Any], labels: NDArray[Any]) -> None:
    """Raise if one is text and the other is not: no prediction could be right."""
    text = [all(isinstance(label, str) for label in each.tolist()) for each in (classes, labels)]
    if text[0] != text[1]:
        raise DataTypeError(
            f"Mix of label input types (string and number): y holds {labels.tolist()[0]!r}, and the classes of the "
            f"model are {quote(classes.tolist())}. Give y as it was given to fit."
        )
