"""Pieces of every classifier around others: whether they are fitted, what they take, what they answer."""

import inspect
from collections.abc import Callable
from types import MethodType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.utils.metadata_routing import MetadataRequest
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from posteriori.arrays import Array
from posteriori.input.classes.class_values import as_objects
from posteriori.messages.errors import DataError, DataTypeError


class FitAsInside:
    """`fit`, naming ``sample_weight`` in its signature only where the classifier inside takes it."""

    def __init__(self, fit: Callable[..., Any]) -> None:
        self.fit, self.__doc__ = fit, fit.__doc__

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self.fit
        return MethodType(self.fit if instance._takes_weights() else self._plain, instance)

    @staticmethod
    def _plain(model: Any, X: Any, y: Any = None, **fit_params: Any) -> Any:
        return type(model).fit(model, X, y, **fit_params)


def is_fitted(model: Any) -> bool:
    """Whether a classifier is fitted, as scikit-learn sees it."""
    try:
        check_is_fitted(model)
    except NotFittedError:
        return False
    return True


def equal(labels: NDArray[Any], y: Any) -> NDArray[np.bool_]:
    """Compare answers with labels one by one, whatever their types."""
    given = y.to_numpy() if hasattr(y, "to_numpy") else np.asarray(y)
    if len(given) != len(labels):
        raise DataError(
            "Found input variables with inconsistent numbers of samples: "
            f"X has {len(labels)} rows and y has {len(given)}."
        )
    given = given.reshape(-1)
    if labels.dtype.kind != given.dtype.kind:
        labels, given = as_objects(labels), as_objects(given)
    return np.asarray(labels == given, dtype=np.bool_)


def checked(probabilities: Array, model: Any, n_classes: int) -> Array:
    """Refuse probabilities that are none."""
    name = type(model).__name__
    if probabilities.ndim != 2 or probabilities.shape[1] != n_classes:
        raise DataError(f"{name} gives probabilities of shape {probabilities.shape} for {n_classes} classes.")
    bad = ~np.isfinite(probabilities).all(axis=1)
    if bad.any():
        raise DataError(
            f"{name} gives probabilities that are not finite for {int(bad.sum())} row(s), the first is row "
            f"{int(bad.argmax())}: no decision can be made on them."
        )
    return probabilities


def scores_by_weight(model: Any) -> MetadataRequest:
    """Give what `score` itself requests, for the routing of a classifier around others: weights, unless told not to.

    Without it a pipeline that ends in such a classifier could not be scored where metadata routing is enabled.
    """
    own, asked = MetadataRequest(owner=model), model._get_metadata_request().score.requests.get("sample_weight")
    own.score.add_request(param="sample_weight", alias=True if asked is None else asked)
    return own


def refuse_no_classifier(model: Any, what: str) -> None:
    """Refuse what is no classifier: a class instead of an instance, a name, a regressor without classes."""
    if isinstance(model, type):
        raise DataTypeError(f"{what} is a class: give an instance, {model.__name__}(...).")
    if not (hasattr(model, "fit") and hasattr(model, "predict")):
        raise DataTypeError(f"{what} cannot fit and predict: it is of type {type(model).__name__}.")
    if hasattr(model, "__sklearn_tags__") and is_regressor(model):
        raise DataTypeError(f"{what} is a regressor ({type(model).__name__}): it has no classes.")


def refuse_without_probabilities(model: Any, wrapper: str) -> None:
    """Refuse a classifier that has scores only."""
    if not hasattr(model, "predict_proba"):
        raise DataTypeError(
            f"{wrapper} needs probabilities, and {type(model).__name__} has no predict_proba. Take a classifier that "
            "has it, or scikit-learn's CalibratedClassifierCV around this one."
        )


def refuse_weights(model: Any, given: dict[str, Any]) -> None:
    """Refuse sample weights for a classifier whose fit neither names them nor takes whatever it is given."""
    if "sample_weight" not in given or has_fit_parameter(model, "sample_weight"):
        return
    kinds = {parameter.kind for parameter in inspect.signature(model.fit).parameters.values()}
    if inspect.Parameter.VAR_KEYWORD not in kinds:
        raise DataError(f"{type(model).__name__} takes no sample_weight.")
