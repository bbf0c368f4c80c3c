"""Predictions from probabilities, by the costs and rejections of any layer of a classifier."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.decisions.argmax import argmax
from posteriori.estimators.wrappers.layers import Layer, layers
from posteriori.input.classes.costs import CostTable


def decide(model: Any, probabilities: Array) -> NDArray[Any]:
    """Return a model's predictions if these are its probabilities, (n,), by the costs and rejections of its layers."""
    layer, p = _rule(model, probabilities)
    labels: NDArray[Any] = layer.model._decide(p) if layer.decision else layer.model.classes_[argmax(p)]
    return labels


def apply_rejections(model: Any, probabilities: Array, labels: NDArray[Any]) -> NDArray[Any]:
    """Return labels, replaced by the reject label where a `RejectOption` among the layers rejects."""
    layer, p = _rule(model, probabilities)
    return layer.model._apply_rejections(p, labels) if layer.decision else labels


def rejected(model: Any, probabilities: Array) -> NDArray[np.bool_]:
    """Return which rows a model rejects if these are its probabilities, (n,)."""
    layer, p = _rule(model, probabilities)
    return layer.model._rejected(p) if layer.decision else np.zeros(len(p), np.bool_)


def outcomes(model: Any) -> NDArray[Any]:
    """Return the possible predictions of a model other than rejection: actions where there are costs, else classes."""
    layer = _first_rule(model)
    values: NDArray[Any] = layer.model._outcomes() if layer.decision else layer.model.classes_
    return values


def cost_table(model: Any) -> CostTable | None:
    """Return the costs by which a model decides, columns in the order of its classes, or None."""
    layer = _first_rule(model)
    table: CostTable | None = layer.model._cost_table() if layer.decision else None
    if table is None:
        return None
    values = table.values
    for order in reversed(_class_orders(model)):
        values = values[:, order]
    return CostTable(table.actions, values)


def _first_rule(model: Any) -> Layer:
    """Return the outermost layer with a decision rule; the innermost layer where there is none."""
    stack = layers(model)
    return next((layer for layer in stack if layer.decision), stack[-1])


def _class_orders(model: Any) -> list[NDArray[np.intp]]:
    """Return the orders of classes of the tables outside the first decision rule; `positive` may swap two classes."""
    orders: list[NDArray[np.intp]] = []
    for layer in layers(model):
        if layer.decision:
            break
        if layer.kind == "table":
            orders.append(layer.model.order_)
    return orders


def _rule(model: Any, probabilities: Array) -> tuple[Layer, Array]:
    """Return the layer that decides, and the probabilities with columns in the order of its classes."""
    for order in _class_orders(model):
        probabilities = probabilities[:, np.argsort(order)]
    return _first_rule(model), probabilities
