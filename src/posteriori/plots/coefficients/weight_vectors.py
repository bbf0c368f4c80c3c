"""Weights without standard errors."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.estimators.kernels.base import KernelClassifier
from posteriori.estimators.regression.noisy_or import NoisyOr
from posteriori.inference.coefficients.fitted import INTERCEPT
from posteriori.input.classes.class_values import as_objects, known_as
from posteriori.messages.errors import DataError
from posteriori.messages.notes import quote
from posteriori.models.infinite_codes import limits
from posteriori.plots.coefficients.estimates import ALIASED, INFINITE, OK, Estimates, with_reference


def of_vectors(model: Any, exponentiate: bool, reference: Any, reversed_classes: bool, target: str = "y") -> Estimates:
    """Read weights without standard errors; the description of their scale names the target."""
    names, weights, classes, odds = _vectors(model)
    if exponentiate and not odds:
        raise DataError(
            f"the exponential of a weight of {type(model).__name__} is not an odds ratio: omit exponentiate."
        )
    known = as_objects(classes).tolist()
    reference = known_as(reference, known)
    if reference is not None and reference not in known:
        raise DataError(f"reference={reference!r} is none of the classes {quote(known, most=20)}.")
    scale = "log odds" if odds else "theta" if isinstance(model, NoisyOr) else "weight in the score"
    labels = list(known)
    if len(known) == 2:
        base = int(reversed_classes) if reference is None else known.index(reference)
        weights = weights if base == 0 else -weights
        labels = [known[1 - base]]
    elif odds or reference is not None:
        base = 0 if reference is None else known.index(reference)
        with np.errstate(invalid="ignore"):
            weights = np.delete(weights - weights[base], base, axis=0)
        labels = [label for label in known if label != known[base]]
    else:
        base = -1
    title = f"{scale} of each class" if base < 0 else with_reference(scale, target, known, known[base])
    values = weights.ravel()
    states = tuple(ALIASED if np.isnan(value) else INFINITE if np.isinf(value) else OK for value in values.tolist())
    if exponentiate:
        with np.errstate(over="ignore"):
            values, title = np.exp(values), title.replace("log odds", "odds ratio")
    missing = np.full(len(values), np.nan)
    foot = f"no intervals: {type(model).__name__} has no standard errors"
    return Estimates(
        tuple(names) * len(labels), tuple(label for label in labels for _ in names), values, missing, missing, states,
        title, exponentiate, foot,
    )  # fmt: skip


def _vectors(model: Any) -> tuple[list[str], Array, NDArray[Any], bool]:
    """Return names, weights, classes, and whether the weights are log odds.

    The intercept comes first: weights are (1, p) for two classes, (K, p) for more.
    """
    if isinstance(model, KernelClassifier):
        raise DataError(f"the weights of {type(model).__name__} belong to its centres, not to columns of X.")
    classes = np.asarray(getattr(model, "classes_", ()))
    if hasattr(model, "as_linear"):
        form = model.as_linear()
        weights = np.column_stack([form.intercept, form.coef])
        with np.errstate(invalid="ignore"):
            weights = weights[1:] - weights[:1] if len(classes) == 2 else weights
        return [INTERCEPT, *form.feature_names], weights, classes, True
    if not hasattr(model, "coef_"):
        raise DataError(f"{type(model).__name__} has no coefficients: it needs coef_, as_linear() or summary().")
    coef = np.atleast_2d(np.asarray(model.coef_, dtype=np.float64))
    if coef.ndim != 2 or len(coef) != (1 if len(classes) == 2 else len(classes)):
        raise DataError(
            f"coef_ of {type(model).__name__} has shape {coef.shape} for {len(classes)} classes: expected one "
            "vector for two classes, otherwise one per class."
        )
    lead = np.broadcast_to(np.asarray(getattr(model, "intercept_", 0.0), dtype=np.float64), (len(coef),))
    weights = np.column_stack([lead, coef])
    codes = getattr(model, "infinite_", None)
    if codes is not None:  # there coef_ is a finite point, not an estimate
        weights = limits(weights, np.asarray(codes))
    return [INTERCEPT, *_names(model, coef.shape[1])], weights, classes, _is_logistic(model)


def _names(model: Any, width: int) -> list[str]:
    own = getattr(model, "coefficient_names_", None)
    own = getattr(model, "feature_names_in_", None) if own is None else own
    return [f"x{j}" for j in range(width)] if own is None or len(own) != width else [str(name) for name in own]


def _is_logistic(model: Any) -> bool:
    from sklearn.linear_model import LogisticRegression, LogisticRegressionCV

    return isinstance(model, LogisticRegression | LogisticRegressionCV)
