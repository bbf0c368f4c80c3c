"""Checks of the classifiers that others wrap, and of their probabilities."""

import inspect
from typing import Any

import numpy as np
from sklearn.base import is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from posteriori.arrays import Array
from posteriori.messages.errors import DataError, DataTypeError


def is_fitted(model: Any) -> bool:
    """Return whether a classifier is fitted, by scikit-learn's definition."""
    try:
        check_is_fitted(model)
    except NotFittedError:
        return False
    return True


def check_probabilities(probabilities: Array, model: Any, n_classes: int) -> Array:
    """Raise unless these are finite probabilities, (n, K); return them."""
    name = type(model).__name__
    if probabilities.ndim != 2 or probabilities.shape[1] != n_classes:
        raise DataError(f"{name} returned probabilities of shape {probabilities.shape} for {n_classes} classes.")
    bad = ~np.isfinite(probabilities).all(axis=1)
    if bad.any():
        raise DataError(
            f"{name} returned probabilities that are not finite for {int(bad.sum())} row(s), first in row "
            f"{int(bad.argmax())}: they allow no decision."
        )
    return probabilities


def require_classifier(model: Any, what: str) -> None:
    """Raise for a class instead of an instance, for what cannot fit and predict, and for a regressor."""
    if isinstance(model, type):
        raise DataTypeError(f"{what} is a class: pass an instance, {model.__name__}(...).")
    if not (hasattr(model, "fit") and hasattr(model, "predict")):
        raise DataTypeError(f"{what} cannot fit and predict: it is of type {type(model).__name__}.")
    if hasattr(model, "__sklearn_tags__") and is_regressor(model):
        raise DataTypeError(f"{what} is a regressor ({type(model).__name__}): it has no classes.")


def require_probabilities(model: Any, wrapper: str) -> None:
    """Raise for a classifier that has scores only."""
    if not hasattr(model, "predict_proba"):
        raise DataTypeError(
            f"{wrapper} needs probabilities, and {type(model).__name__} has no predict_proba. Use a classifier that "
            "has it, or wrap this one in scikit-learn's CalibratedClassifierCV."
        )


def check_weights_accepted(model: Any, params: dict[str, Any]) -> None:
    """Raise if there are sample weights and `fit` of the classifier takes neither these nor any other keywords."""
    if "sample_weight" not in params or has_fit_parameter(model, "sample_weight"):
        return
    kinds = {parameter.kind for parameter in inspect.signature(model.fit).parameters.values()}
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        raise DataError(f"{type(model).__name__} takes no sample_weight.")
