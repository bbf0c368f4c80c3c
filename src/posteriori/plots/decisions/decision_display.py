"""`DecisionDisplay`: what the Displays share that are computed from predicted probabilities and true classes."""

from abc import ABC, abstractmethod
from functools import wraps
from typing import Any, Self

from posteriori.plots.decisions.predicted_probabilities import predict, read_probabilities, read_rows
from posteriori.plots.shared.signatures import options_of, split_options


class DecisionDisplay(ABC):
    """A Display of the decisions of a classifier, drawn from a fitted one or from predicted probabilities."""

    def __init_subclass__(cls) -> None:
        """Show the options of `computed` in the signatures of the methods that draw."""
        for method in (DecisionDisplay.from_estimator, DecisionDisplay.from_predictions):
            setattr(cls, method.__name__, _with_options(method, cls.computed))

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


def _with_options(method: Any, reference: Any) -> Any:
    """Return a copy of a class method of `DecisionDisplay` whose signature shows the options of another method."""

    @wraps(method.__func__)
    def drawn(cls: Any, *rows: Any, **options: Any) -> Any:
        return method.__func__(cls, *rows, **options)

    return classmethod(options_of(reference)(drawn))
