"""The weights of averaged models, and the orders of their classes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from posteriori.arrays import Array
from posteriori.checks.numbers import refuse_masked
from posteriori.estimators.wrappers.layers import layers
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote


def read_models(models: Any) -> list[Any]:
    """Return the models; raise unless they are a list of at least one classifier."""
    if not isinstance(models, list | tuple):
        raise DataTypeError(f"models must be a list of classifiers, not {type(models).__name__}.")
    if not models:
        raise DataError("models is empty: pass at least one classifier.")
    for number, model in enumerate(models):
        if not hasattr(model, "fit") or isinstance(model, type):
            raise DataTypeError(f"models[{number}] is {model!r}, not a classifier.")
    return list(models)


def read_model_weights(weights: Any, models: list[Any]) -> Array:
    """Return weights that sum to one, from the models' evidence or from numbers."""
    if isinstance(weights, str):
        if weights != "evidence":
            raise DataError(f"weights={weights!r} is not known: use 'evidence', or one number per model.")
        return _by_evidence(models)
    refuse_masked(weights, "weights")
    values = np.asarray(weights)
    if values.dtype.kind not in "fiu" or values.shape != (len(models),):
        raise DataError(f"weights must be {len(models)} numbers, one per model, not {weights!r}.")
    values = values.astype(np.float64)
    for bad, word in ((~np.isfinite(values), "not finite"), (values < 0, "negative")):
        if bad.any():
            raise DataError(
                f"weights: {int(bad.sum())} of {len(values)} are {word}, first that of {_first(models, bad)}."
            )
    if not values.any():
        raise DataError(f"weights: all {len(values)} are zero; at least one must be positive.")
    values = values / values.max()  # their sum could overflow
    return np.asarray(values / values.sum())


def _by_evidence(models: list[Any]) -> Array:
    """Return weights proportional to the evidence, exp(log_evidence_)."""
    logs = [_log_evidence(model) for model in models]
    lacking = [number for number, log in enumerate(logs) if log is None]
    if lacking:
        names = ", ".join(f"models[{number}] ({type(models[number]).__name__})" for number in lacking[:5])
        raise DataError(
            f"{len(lacking)} of {len(models)} models have no log_evidence_: {names}. Pass weights as numbers, or use "
            f"models with evidence, such as BayesianLogisticRegression.{_reason(models[lacking[0]])}"
        )
    evidence = np.array(logs, dtype=np.float64)
    bad = ~np.isfinite(evidence)
    if bad.any():
        raise DataError(
            f"the log_evidence_ of {_first(models, bad)} is {evidence[bad.argmax()]:g}, not a finite number."
        )
    return np.asarray(np.exp(evidence - logsumexp(evidence)))


def _log_evidence(model: Any) -> Any:
    """Return the log evidence of the outermost layer that has one, or None."""
    evidences = (getattr(layer.model, "log_evidence_", None) for layer in layers(model))
    return next((evidence for evidence in evidences if evidence is not None), None)


def _reason(model: Any) -> str:
    """Return why a model of a class that has evidence has none."""
    if not hasattr(type(model), "log_evidence_"):
        return ""
    try:
        _ = model.log_evidence_
    except AttributeError as error:
        return f" The first reports: {error}"
    return ""


def _first(models: list[Any], marks: NDArray[np.bool_]) -> str:
    """Return the name of the first model that is marked."""
    number = int(marks.argmax())
    return f"models[{number}] ({type(models[number]).__name__})"


def class_orders(models: list[Any]) -> list[NDArray[np.intp]]:
    """Return the positions of the first model's classes among those of each model; raise if the classes differ."""
    wanted = np.asarray(models[0].classes_).tolist()
    orders = []
    for number, model in enumerate(models):
        classes = np.asarray(model.classes_).tolist()
        if sorted(map(repr, classes)) != sorted(map(repr, wanted)):
            raise DataError(
                f"all models must have the same classes: models[0] ({type(models[0]).__name__}) has "
                f"{quote(wanted)}, models[{number}] ({type(model).__name__}) has {quote(classes)}."
            )
        orders.append(np.array([classes.index(label) for label in wanted], dtype=np.intp))
    return orders
