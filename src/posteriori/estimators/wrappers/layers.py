"""What lies inside a classifier that wraps another: its decision, what it learned, whether its fit is frozen."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from posteriori.arrays import Array
from posteriori.decisions.argmax import argmax
from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.input.classes.costs import CostTable


def within(model: Any) -> Any:
    """Give the classifier that a pipeline, a table, a search or a frozen one asks; None where there is none."""
    if isinstance(model, Pipeline):
        return model.steps[-1][1]
    if isinstance(model, TableClassifier):
        return vars(model).get("estimator_")
    if is_frozen(model):
        return model.estimator
    return vars(model).get("best_estimator_")


def is_frozen(model: Any) -> bool:
    """Whether `fit` leaves a model as it is: scikit-learn's FrozenEstimator."""
    from sklearn.frozen import FrozenEstimator

    return isinstance(model, FrozenEstimator)


def holds_frozen(model: Any) -> bool:
    """Whether the classifier that answers in the end is a frozen one."""
    while model is not None:
        if is_frozen(model):
            return True
        model = vars(model).get("estimator_", model.estimator) if hasattr(model, "_decide") else within(model)
    return False


def decide(model: Any, probabilities: Array) -> NDArray[Any]:
    """Give what a model would answer if these were its probabilities, (n,): costs and rejections inside it count."""
    if hasattr(model, "_decide"):
        decided: NDArray[Any] = model._decide(probabilities)
        return decided
    inner = within(model)
    if inner is not None:
        return decide(inner, _reordered(model, probabilities))
    labels: NDArray[Any] = model.classes_[argmax(probabilities)]
    return labels


def overrule(model: Any, probabilities: Array, labels: NDArray[Any]) -> NDArray[Any]:
    """Put the labels of rejection into answers given without regard to rejections inside a model."""
    if hasattr(model, "_overrule"):
        overruled: NDArray[Any] = model._overrule(probabilities, labels)
        return overruled
    inner = within(model)
    return labels if inner is None else overrule(inner, _reordered(model, probabilities), labels)


def rejected(model: Any, probabilities: Array) -> NDArray[np.bool_]:
    """Mark the rows that a model rejects if these are their probabilities, (n,)."""
    if hasattr(model, "_rejected"):
        marked: NDArray[np.bool_] = model._rejected(probabilities)
        return marked
    inner = within(model)
    if inner is None:
        return np.zeros(len(probabilities), np.bool_)
    return rejected(inner, _reordered(model, probabilities))


def outcomes(model: Any) -> NDArray[Any]:
    """List the answers a model may give, rejection apart: actions where there are costs, else classes."""
    if hasattr(model, "_outcomes"):
        listed: NDArray[Any] = model._outcomes()
        return listed
    inner = within(model)
    classes: NDArray[Any] = model.classes_ if inner is None else outcomes(inner)
    return classes


def cost_table(model: Any) -> CostTable | None:
    """Give the costs that a model decides by, its columns in the order of its classes; None where it has none."""
    if hasattr(model, "_cost_table"):
        table: CostTable | None = model._cost_table()
        return table
    inner = within(model)
    found = None if inner is None else cost_table(inner)
    if found is None or not isinstance(model, TableClassifier):
        return found
    return CostTable(found.actions, found.values[:, model.order_])


def _reordered(model: Any, probabilities: Array) -> Array:
    """Put columns in the order of the classifier inside; a table may list two classes the other way round."""
    return probabilities[:, np.argsort(model.order_)] if isinstance(model, TableClassifier) else probabilities
