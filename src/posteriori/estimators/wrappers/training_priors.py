"""The class priors that a classifier was trained under."""

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

#: The attributes in which classifiers of this library and of scikit-learn store their class priors.
ATTRIBUTES = ("class_priors_", "class_prior_", "priors_", "class_log_prior_")


def stored_priors(model: Any) -> Array | None:
    """Return the class priors that a fitted classifier stores, in the order of its classes, or None."""
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
    totals = getattr(getattr(model, "information_", None), "totals", None)  # of regressions
    return None if totals is None else _normalized(totals)


def _normalized(totals: Array) -> Array:
    return np.asarray(totals, dtype=np.float64) / float(np.sum(totals))


def training_frequencies(model: Any, X: Any, y: Any, params: dict[str, Any]) -> Array | None:
    """Return the weighted class frequencies of the rows passed to `fit`; None for a frozen classifier.

    Class weights of scikit-learn's classifiers are included, since their probabilities reflect them.
    """
    if is_frozen(model):
        return None
    frame = as_frame(X) if isinstance(y, str) else None
    n_rows = _num_samples(X)
    weight = _weights_of(model, params)
    if frame is not None:
        y, weight = pick(frame, y), pick(frame, weight)
    y, weight = aligned(X, y, "y"), aligned(X, weight, "sample_weight")
    weights = read_weights(weight, n_rows)
    targets = read_targets(y, n_rows, weights, allow_counts=True)
    totals = _totals(targets, np.ones(n_rows) if weights is None else weights, _class_weight(model))
    if targets.counts is None:  # the classifier may order its classes otherwise, or have some without weight
        by_label = dict(zip(targets.classes.tolist(), totals.tolist(), strict=True))
        totals = np.array([by_label.get(label, 0.0) for label in np.asarray(model.classes_).tolist()])
    return _normalized(totals)


def _totals(targets: Targets, weights: Array, class_weight: Any) -> Array:
    if targets.counts is not None:
        return weights @ targets.counts
    if class_weight is not None:
        labels = targets.classes[targets.codes]
        weights = weights * compute_sample_weight("balanced" if isinstance(class_weight, str) else class_weight, labels)
    assert targets.codes is not None
    return np.bincount(targets.codes, weights=weights, minlength=targets.n_classes).astype(np.float64)


def _weights_of(model: Any, params: dict[str, Any]) -> Any:
    """Return the sample weights passed to `fit`; a pipeline takes them under the name of its last step."""
    if "sample_weight" in params or not hasattr(model, "steps"):
        return params.get("sample_weight")
    return params.get(f"{model.steps[-1][0]}__sample_weight")


def _class_weight(model: Any) -> Any:
    weights = (getattr(layer.model, "class_weight", None) for layer in layers(model))
    return next((weight for weight in weights if weight is not None), None)
