"""`DecisionDisplay`: what the Displays share that are computed from predicted probabilities and true classes."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import wraps
from typing import Any, ClassVar, Self

from posteriori.plots.decisions.predicted_probabilities import (
    PredictedProbabilities,
    check_named,
    predict,
    read_probabilities,
    read_rows,
)
from posteriori.plots.shared.signatures import options_of, split_options


def _with_options(method: Any, reference: Any, without: Sequence[str]) -> Any:
    """Return a copy of a class method whose signature shows the options of another one."""

    @wraps(method.__func__)
    def drawn(cls: Any, *rows: Any, **options: Any) -> Any:
        return method.__func__(cls, *rows, **options)

    return classmethod(options_of(reference, without=without)(drawn))


class DecisionDisplay(ABC):
    """A Display of the decisions of a classifier, drawn from a fitted one or from predicted probabilities."""

    #: The methods that draw, whose signatures show the options of `computed`; with those that one does not take.
    drawing: ClassVar[dict[str, tuple[str, ...]]] = {"from_estimator": (), "from_predictions": ()}

    def __init_subclass__(cls) -> None:
        """Show the options of `computed` in the signatures of the methods that draw."""
        for name, without in cls.drawing.items():
            setattr(cls, name, _with_options(getattr(cls, name), cls.computed, without))

    @classmethod
    @abstractmethod
    def computed(cls, *rows: Any, **options: Any) -> Self:
        """Compute the Display without drawing, which `plot` does.

        Parameters
        ----------
        rows : the predicted probabilities; then the model that predicted them, and its rows, if there are any
        options : keyword-only parameters of the subclass
        """

    @abstractmethod
    def plot(self, ax: Any = None) -> Self:
        """Draw on the axes `ax`, or on new ones."""

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, sample_weight: Any = None, ax: Any = None, **params: Any
    ) -> Self:
        """Draw the Display of a fitted classifier.

        Parameters
        ----------
        estimator : with ``predict_proba``, of this library or scikit-learn's
        X : (n, d) rows that the model was not fitted to; a frame, an array or a sparse matrix
        y : (n,) their classes, or the name of a column of X
        sample_weight : (n,) or the name of a column; a row of weight k counts as k rows, one of weight zero is dropped
        ax : matplotlib axes, default new ones
        **params : the options of `computed`; others are passed to the classifier's methods, such as ``offset``
        """
        options, others = split_options(cls.computed, params)
        rows = read_rows(X, y, sample_weight, others)
        return cls.computed(predict(estimator, rows), estimator, rows, **options).plot(ax)

    @classmethod
    def from_predictions(
        cls,
        y: Any,
        probabilities: Any,
        classes: Any = None,
        *,
        sample_weight: Any = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the Display of predicted probabilities.

        Parameters
        ----------
        y : (n,) classes
        probabilities : (n, K), one column per class; for two classes also (n,), those of the second
        classes : (K,) the labels of the columns, default the sorted distinct labels of y; required if y lacks some
        sample_weight, ax : as in `from_estimator`
        **options : those of `computed`
        """
        return cls.computed(read_probabilities(y, probabilities, classes, sample_weight), **options).plot(ax)


class CurvesDisplay(DecisionDisplay):
    """A Display with one curve per model."""

    drawing: ClassVar[dict[str, tuple[str, ...]]] = {**DecisionDisplay.drawing, "from_estimators": ("name",)}

    @classmethod
    def from_estimators(
        cls, estimators: Mapping[str, Any], X: Any, y: Any, *, sample_weight: Any = None, ax: Any = None, **params: Any
    ) -> Self:
        """Draw one curve per model on the same axes; curves that are already on them stay.

        Parameters
        ----------
        estimators : {name: fitted classifier with ``predict_proba``}
        X, y, sample_weight, ax, **params : as in `from_estimator`
        """
        options, others = split_options(cls.computed, params)
        rows = read_rows(X, y, sample_weight, others)
        predicted = {name: predict(model, rows) for name, model in check_named(estimators).items()}
        options |= cls.common_options(predicted, options)
        displays = [cls.computed(predicted[name], estimators[name], rows, **options, name=name) for name in predicted]
        return cls.together(displays).plot(ax)

    @classmethod
    def common_options(
        cls, predicted: Mapping[str, PredictedProbabilities], options: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return options of all curves that depend on the models; by default none."""
        return {}

    @classmethod
    @abstractmethod
    def together(cls, displays: Sequence[Self]) -> Self:
        """Return one Display with the curves of several."""
