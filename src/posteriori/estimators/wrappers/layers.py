"""The classifiers that wrap one another in a model: decisions, tables, pipelines, searches, and the innermost one."""

from dataclasses import dataclass
from typing import Any, Literal

from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline

from posteriori.estimators.tables.table_classifier import TableClassifier
from posteriori.input.coding.coding import Coding
from posteriori.input.formula.coding import FormulaCoding
from posteriori.models.base import FittedModel
from posteriori.tables.schema import Schema


@dataclass(frozen=True)
class Layer:
    """One of the classifiers that wrap one another.

    Parameters
    ----------
    model : the classifier
    kind : "decision" for `CostSensitive`, `RejectOption` and `PriorShift`; "table" for `TableClassifier`; "pipeline",
        "search" and "frozen" for scikit-learn's; "classifier" for the innermost one
    """

    model: Any
    kind: Literal["decision", "table", "pipeline", "search", "frozen", "classifier"]

    @property
    def decision(self) -> bool:
        """Whether the layer has a decision rule or class priors of its own."""
        return self.kind == "decision"

    @property
    def coding(self) -> Coding | FormulaCoding | None:
        """How a fitted table codes the columns of a frame."""
        return getattr(self.model, "coding_", None) if self.kind == "table" else None


def layers(model: Any) -> tuple[Layer, ...]:
    """Return a classifier and those it wraps, outermost first.

    A table or a search that is not fitted wraps nothing yet, and so ends the sequence. `ModelAverage`, `OneVsRest` and
    `OneVsOne`, which wrap several classifiers, end it too.

    >>> import posteriori as pt
    >>> model = pt.RejectOption(pt.GaussianClassifier().fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1]), threshold=0.9)
    >>> [(type(layer.model).__name__, layer.kind) for layer in layers(model)]
    [('RejectOption', 'decision'), ('GaussianClassifier', 'classifier')]
    """
    result = []
    while model is not None:
        layer, model = _unwrap(model)
        result.append(layer)
    return tuple(result)


def _unwrap(model: Any) -> tuple[Layer, Any]:
    """Return the outermost layer, and the classifier it wraps or None."""
    if isinstance(model, FrozenEstimator):  # first, since it has every attribute of the classifier it wraps
        return Layer(model, "frozen"), model.estimator
    if hasattr(model, "_decide"):  # a `DecisionWrapper`, whose module imports this one
        return Layer(model, "decision"), model._inner
    if isinstance(model, TableClassifier):
        return Layer(model, "table"), vars(model).get("estimator_")
    if isinstance(model, Pipeline):
        return Layer(model, "pipeline"), model.steps[-1][1]
    if "best_estimator_" in vars(model):
        return Layer(model, "search"), model.best_estimator_
    return Layer(model, "classifier"), None


def innermost(model: Any) -> Any:
    """Return the classifier inside all others, which is the model itself where it wraps none."""
    return layers(model)[-1].model


def schema_of(model: Any) -> Schema | None:
    """Return the columns of the innermost classifier with their levels, if it is of this library and has levels."""
    value = vars(innermost(model)).get("model_")
    return value.schema if isinstance(value, FittedModel) else None


def table_in(model: Any) -> TableClassifier | None:
    """Return the outermost `TableClassifier` among the layers, or None."""
    return next((layer.model for layer in layers(model) if layer.kind == "table"), None)


def is_frozen(model: Any) -> bool:
    """Return whether `fit` leaves the innermost classifier unchanged: there is a FrozenEstimator among the layers."""
    return any(layer.kind == "frozen" for layer in layers(model))
