"""The class priors that a classifier's probabilities were learned under."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import compute_sample_weight
from sklearn.utils.validation import _num_samples

from posteriori.arrays import Array
from posteriori.estimators.wrappers.layers import is_frozen, layers
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import as_frame, pick
from posteriori.input.targets import Targets, read_targets
from posteriori.input.weights import read_weights

#: Where classifiers keep the priors they use: ours, and those of scikit-learn.
ATTRIBUTES = ("class_priors_", "class_prior_", "priors_", "class_log_prior_")


def kept_priors(model: Any) -> Array | None:
    """Give the priors or class totals that a fitted classifier has kept, in the order of its classes, or None."""
    orders: list[NDArray[np.intp]] = []
    for layer in layers(model):
        priors = None if layer.kind == "table" else _own_priors(layer.model)
        if priors is not None:
            for order in reversed(orders):
                priors = priors[order]
            return priors
        if layer.kind == "table":
            orders.append(layer.model.order_)
    return None


def _own_priors(model: Any) -> Array | None:
    for name in ATTRIBUTES:
        values = getattr(model, name, None)
        if isinstance(values, np.ndarray) and values.shape == (len(model.classes_),):
            return np.exp(values) if name == "class_log_prior_" else _normalized(values)
    totals = getattr(getattr(model, "information_", None), "totals", None)  # of LogisticRegression and its like
    return None if totals is None else _normalized(totals)


def _normalized(totals: Array) -> Array:
    frequencies: Array = np.asarray(totals, dtype=np.float64) / float(np.sum(totals))
    return frequencies


def seen_priors(model: Any, X: Any, y: Any, given: dict[str, Any]) -> Array | None:
    """Give the classes' shares of the weight that `fit` passed on; None where the fit learned nothing from it.

    Class weights of scikit-learn's classifiers count: they are what makes "balanced" probabilities what they are.
    """
    if is_frozen(model):
        return None
    frame = as_frame(X) if isinstance(y, str) else None
    n_rows = _num_samples(X)
    weight = _weights_of(model, given)
    if frame is not None:
        y, weight = pick(frame, y), pick(frame, weight)
    y, weight = aligned(X, y, "y"), aligned(X, weight, "sample_weight")
    weights = read_weights(weight, n_rows)
    targets = read_targets(y, n_rows, weights, allow_counts=True)
    totals = _totals(targets, np.ones(n_rows) if weights is None else weights, _class_weight(model))
    if targets.counts is None:  # a classifier may list its classes otherwise, or some that have no weight
        found = dict(zip(targets.classes.tolist(), totals.tolist(), strict=True))
        totals = np.array([found.get(label, 0.0) for label in np.asarray(model.classes_).tolist()])
    return _normalized(totals)


def _totals(targets: Targets, weights: Array, class_weight: Any) -> Array:
    if targets.counts is not None:
        counted: Array = weights @ targets.counts
        return counted
    if class_weight is not None:
        labels = targets.classes[targets.codes]
        weights = weights * compute_sample_weight("balanced" if isinstance(class_weight, str) else class_weight, labels)
    assert targets.codes is not None
    summed: Array = np.bincount(targets.codes, weights=weights, minlength=targets.n_classes).astype(np.float64)
    return summed


def _weights_of(model: Any, given: dict[str, Any]) -> Any:
    """Find the sample weights among what `fit` was given: a pipeline takes them under its last step's name."""
    if "sample_weight" in given or not hasattr(model, "steps"):
        return given.get("sample_weight")
    return given.get(f"{model.steps[-1][0]}__sample_weight")


def _class_weight(model: Any) -> Any:
    weights = (getattr(layer.model, "class_weight", None) for layer in layers(model))
    return next((weight for weight in weights if weight is not None), None)
