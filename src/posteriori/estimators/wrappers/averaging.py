"""Several models as one: their weights, their classes side by side, and the mean of their probabilities."""

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
    """Check that models are a list with at least one classifier in it."""
    if not isinstance(models, list | tuple):
        raise DataTypeError(f"models must be a list of classifiers, not {type(models).__name__}.")
    if not models:
        raise DataError("models is empty: give at least one classifier.")
    for number, model in enumerate(models):
        if not hasattr(model, "fit") or isinstance(model, type):
            raise DataTypeError(f"models[{number}] is {model!r}, which is no classifier.")
    return list(models)


def read_model_weights(weights: Any, models: list[Any]) -> Array:
    """Give weights that sum to one, from evidences or from numbers."""
    if isinstance(weights, str):
        if weights != "evidence":
            raise DataError(f"weights={weights!r} is not known: use 'evidence', or a number for each model.")
        return _by_evidence(models)
    refuse_masked(weights, "weights")
    values = np.asarray(weights)
    if values.dtype.kind not in "fiu" or values.shape != (len(models),):
        raise DataError(f"weights must be {len(models)} numbers, one for each model, not {weights!r}.")
    values = values.astype(np.float64)
    for bad, word in ((~np.isfinite(values), "not finite"), (values < 0, "negative")):
        if bad.any():
            raise DataError(
                f"weights: {int(bad.sum())} of {len(values)} are {word}, the first that of {_name(models, bad)}."
            )
    if not values.any():
        raise DataError(f"weights: all {len(values)} are zero, so no model is left.")
    values = values / values.max()  # their sum could overflow
    return np.asarray(values / values.sum())


def _by_evidence(models: list[Any]) -> Array:
    """Give exp(log evidence), normalised by log-sum-exp."""
    found = [_evidence(model) for model in models]
    lacking = [number for number, evidence in enumerate(found) if evidence is None]
    if lacking:
        names = ", ".join(f"models[{number}] ({type(models[number]).__name__})" for number in lacking[:5])
        raise DataError(
            f"{len(lacking)} of {len(models)} models have no log_evidence_: {names}. Give weights as numbers, or "
            f"models whose evidence is known, such as BayesianLogisticRegression.{_reason(models[lacking[0]])}"
        )
    evidence = np.array(found, dtype=np.float64)
    bad = ~np.isfinite(evidence)
    if bad.any():
        raise DataError(f"the log_evidence_ of {_name(models, bad)} is {evidence[bad.argmax()]:g}: it cannot weigh.")
    return np.asarray(np.exp(evidence - logsumexp(evidence)))


def _evidence(model: Any) -> Any:
    evidences = (getattr(layer.model, "log_evidence_", None) for layer in layers(model))
    return next((evidence for evidence in evidences if evidence is not None), None)


def _reason(model: Any) -> str:
    """Repeat what a model that could have an evidence says about having none."""
    if not hasattr(type(model), "log_evidence_"):
        return ""
    try:
        _ = model.log_evidence_
    except AttributeError as error:
        return f" The first says: {error}"
    return ""


def _name(models: list[Any], marks: NDArray[np.bool_]) -> str:
    number = int(marks.argmax())
    return f"models[{number}] ({type(models[number]).__name__})"


def aligned(models: list[Any]) -> list[NDArray[np.intp]]:
    """Give, for each model, the places of the first model's classes among its own; refuse other classes by name."""
    wanted = np.asarray(models[0].classes_).tolist()
    orders = []
    for number, model in enumerate(models):
        classes = np.asarray(model.classes_).tolist()
        if sorted(map(repr, classes)) != sorted(map(repr, wanted)):
            raise DataError(
                f"all models must be over the same classes: models[0] ({type(models[0]).__name__}) has "
                f"{quote(wanted)}, models[{number}] ({type(model).__name__}) has {quote(classes)}."
            )
        orders.append(np.array([classes.index(label) for label in wanted], dtype=np.intp))
    return orders


def average(found: list[tuple[float, Array]]) -> Array:
    """Give sum_m w_m P_m, (n, K), of weights and probabilities.

    >>> average([(0.75, np.array([[1.0, 0.0]])), (0.25, np.array([[0.0, 1.0]]))]).tolist()
    [[0.75, 0.25]]
    """
    mean: Array = np.sum([weight * p for weight, p in found], axis=0)
    return mean


def average_logs(found: list[tuple[float, Array]]) -> Array:
    """Give log sum_m w_m P_m, (n, K), of weights and log probabilities, by log-sum-exp."""
    logs: Array = logsumexp(
        np.stack([logs for _, logs in found]), axis=0, b=np.array([w for w, _ in found])[:, None, None]
    )
    return logs
