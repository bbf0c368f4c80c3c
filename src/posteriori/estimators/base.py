"""`Classifier`: base class of the classifiers: parameters, learned attributes, predictions, margins."""

from abc import abstractmethod
from collections.abc import Callable, Collection
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.decisions.argmax import argmax
from posteriori.engines.base import Engine
from posteriori.engines.select import engine_for
from posteriori.estimators import scoring
from posteriori.estimators.learned import Learned
from posteriori.estimators.prediction_frame import prediction_frame
from posteriori.input.faults import refuse_cells
from posteriori.input.features import read_table
from posteriori.input.frames.alignment import aligned
from posteriori.messages.notes import Note
from posteriori.models.base import FittedModel
from posteriori.models.linear_scores import InvalidCellsError
from posteriori.models.margins import margins_of
from posteriori.sweeps.row_functions import Then
from posteriori.tables.block import Block
from posteriori.tables.views import Mapped

#: Parameters of scikit-learn, and what corresponds to them in posteriori.
TRANSLATIONS = {
    "C": "C={value} corresponds to prior={inverse} in posteriori (prior = 1/C, the precision of a Gaussian prior)",
    "penalty": "penalty={value!r} corresponds to prior=… in posteriori: None for no penalty, a number for the "
    "precision of an L2 penalty",
    "l1_ratio": "l1_ratio={value} has no counterpart in posteriori: priors are Gaussian (L2 penalties)",
    "class_weight": "class_weight={value!r} corresponds to sample_weight in fit, or to class_priors or PriorShift if "
    "only the decisions should change",
    "n_jobs": "n_jobs={value} corresponds to the context posteriori.options(threads={value})",
    "var_smoothing": "var_smoothing={value} corresponds to estimate=… in posteriori: no constant is added to variances",
    "alpha": "alpha={value} corresponds to smoothing={value} in posteriori",
}
#: The parameter that each message refers to; classes without it may have a penalty named precision, or none.
COUNTERPARTS = {"C": "prior", "penalty": "prior", "var_smoothing": "estimate", "alpha": "smoothing"}


def translate(name: str, parameter: str, value: Any, ours: Collection[str]) -> str:
    """Return the error for a parameter of scikit-learn that has another name here; `ours` are those of the class.

    >>> translate("LogisticRegression", "C", 0.5, ["prior", "tol"])
    "LogisticRegression has no parameter C: scikit-learn's C=0.5 corresponds to prior=2.0 in posteriori (...)"
    >>> translate("LSPC", "C", 0.5, ["precision"])
    "LSPC has no parameter C: scikit-learn's C=0.5 ...; in LSPC the parameter is precision=2.0"
    """
    inverse = 1 / value if isinstance(value, int | float) and value else "…"
    sentence = TRANSLATIONS[parameter].format(value=value, inverse=None if inverse == 0 else inverse)
    counterpart = COUNTERPARTS.get(parameter)
    message = f"{name} has no parameter {parameter}: scikit-learn's {sentence}"
    if counterpart is None or counterpart in ours:
        return message
    if counterpart == "prior" and "precision" in ours:
        return f"{message}; in {name} the parameter is precision={inverse if parameter == 'C' else '…'}"
    return f"{message}; {name} has no parameter {counterpart}"


class Classifier(ClassifierMixin, BaseEstimator):
    """A classifier: parameters, and after a fit one immutable value, ``model_``, from which its attributes are read.

    Subclasses define `fit`, which stores a model by `_hold`, and `decision_function`. A fit that raises stores nothing.
    """

    #: The class of the model.
    _model_type: ClassVar[type[FittedModel]]

    _takes_sparse = False
    _takes_categories = False

    _fits_null_model = False

    #: Basis functions of the columns, for classes that have this parameter.
    basis: Any = None

    model_: FittedModel
    classes_ = Learned[NDArray[Any]]("classes")
    n_features_in_ = Learned[int]("columns.number")
    feature_names_in_ = Learned[NDArray[Any]]("columns.names", optional=True)
    frame_library_ = Learned[str | None]("columns.library")
    n_parameters_ = Learned[int]("n_parameters")
    fit_status_ = Learned[str]("status")
    fit_notes_ = Learned[list[Note]]("list_of_notes")

    def __new__(cls, *args: Any, **parameters: Any) -> Self:
        """Create the estimator; raise for parameters of scikit-learn that have another name here."""
        cls._translate(parameters)
        estimator: Self = super().__new__(cls)
        return estimator

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters; for a parameter of scikit-learn that has another name here, the error names it."""
        self._translate(parameters)
        super().set_params(**parameters)
        return self

    @classmethod
    def _translate(cls, parameters: dict[str, Any]) -> None:
        ours = cls._get_param_names()
        for parameter in TRANSLATIONS.keys() & parameters.keys():
            if parameter not in ours:
                raise TypeError(translate(cls.__name__, parameter, parameters[parameter], ours))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._takes_sparse
        return tags

    # --- fitting

    def _hold(self, model: FittedModel) -> Self:
        """Store the result of a fit, and emit its warnings."""
        self.model_ = model
        for note in model.notes:
            note.warn()
        return self

    @property
    def _earlier_model(self) -> Any:
        """The result of an earlier fit, None before it."""
        return vars(self).get("model_")

    # --- predicting

    def _engine(self, X: Any) -> Engine:
        """Check X against the fit and return the engine that reads it, through the basis functions of the fit."""
        check_is_fitted(self)
        phi, takes = self.model_.columns.phi, {"sparse": self._takes_sparse, "categories": self._takes_categories}
        table = read_table(self, X, schema=self.model_.schema, **takes)
        return engine_for(table if phi is None else table.view(Mapped(phi)))

    @abstractmethod
    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row."""

    def predict_frame(self, X: Any, level: float | None = None, **more: Any) -> Any:
        """Return a frame: the prediction, the probability of each class, and with a level the bounds of its interval.

        Parameters
        ----------
        X : (n, d) rows
        level : level of the intervals, for models with ``predict_interval``
        more : offset, for models fitted with one; kind and covariance as in ``predict_interval``
        """
        return prediction_frame(self, X, level, **more)

    @abstractmethod
    def decision_function(self, X: Any) -> Array:
        """Return scores whose sign, or argmax, is the prediction: (n,) for two classes, (n, K) for more."""

    def classification_margins(self, X: Any, y: Any) -> Array:
        """Return the margin of each row, (n,): positive where the row is classified correctly.

        For two classes t f(x), with t = 1 for ``classes_[1]`` and -1 for ``classes_[0]`` and f the decision function;
        for more the score of the row's own class minus the largest score of the others. `margins` is another name of
        this method.

        Book: [Sugiyama] §28.1.2; [Deuschle] §3.4.3.
        """
        return margins_of(self.decision_function(X), aligned(X, y, "y"), self.classes_)

    margins = classification_margins

    score = scoring.score

    def _map(self, engine: Engine, function: Callable[[Block], NDArray[Any]]) -> NDArray[Any]:
        """Map over the rows; raise for cells that the model does not take, by column and row."""
        try:
            return engine.map(function)
        except InvalidCellsError as error:
            refuse_cells(engine.table, error.tally, error.expected, remedy=error.remedy)
            raise


class ProbabilityMethods:
    """A mixin: the predictions of classifiers that have probabilities, and nothing but rows to compute them from."""

    @abstractmethod
    def _log_probabilities(self, block: Block) -> Array:
        """Return log P(class | x) of a block, (n, K)."""

    def predict_log_proba(self: Any, X: Any) -> NDArray[Any]:
        """Return log P(class | x), exact where the probability itself would round to zero.

        Parameters
        ----------
        X : (n, d) rows

        Returns
        -------
        (n, K) in the order of ``classes_``
        """
        return logs_as_given(X, self._map(self._engine(X), self._log_probabilities))

    def predict_proba(self: Any, X: Any) -> NDArray[Any]:
        """Return P(class | x), (n, K) in the order of ``classes_``."""
        return as_given(X, self._map(self._engine(X), Then(self._log_probabilities, np.exp)))

    def predict(self: Any, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row."""
        codes = self._map(self._engine(X), Then(self._log_probabilities, argmax))
        labels: NDArray[Any] = self.classes_[codes]
        return labels


def as_given(X: Any, result: NDArray[np.float64]) -> NDArray[Any]:
    """Return float32 for X of float32, as scikit-learn does."""
    return result.astype(np.float32) if getattr(X, "dtype", None) == np.float32 else result


def logs_as_given(X: Any, logs: NDArray[np.float64]) -> NDArray[Any]:
    """Return logs in the precision of X; in single precision they agree with the probabilities: 1 - 3e-9 is 1."""
    single = as_given(X, logs)
    if single is not logs:
        p = np.exp(logs).astype(single.dtype)
        np.log(p, out=single, where=p > 0.5)
    return single
