"""What every classifier here shares: the border, the four ways to predict, and a fit that fails whole."""

from collections.abc import Callable, Collection
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from posteriori.decisions.argmax import argmax
from posteriori.engines.base import Engine
from posteriori.engines.select import engine_for
from posteriori.estimators.prediction_frame import prediction_frame
from posteriori.estimators.scoring import ScoreMixin
from posteriori.input.faults import refuse_cells
from posteriori.input.features import read_features
from posteriori.messages.notes import Note
from posteriori.models.linear_scores import NotFiniteError
from posteriori.tables.block import Block
from posteriori.tables.memory import MemoryTable
from posteriori.tables.schema import Schema

#: What scikit-learn's parameters are called here.
TRANSLATIONS = {
    "C": "C={value} there is prior={inverse} here (prior = 1/C, the precision of a Gaussian prior)",
    "penalty": "penalty={value!r} there is prior=… here: None for no penalty, a number for the precision of an L2 one",
    "l1_ratio": "l1_ratio={value} has no counterpart here: priors are Gaussian (L2)",
    "class_weight": "class_weight={value!r} there is sample_weight in fit here, or class_priors / PriorShift when "
    "only the decisions should change",
    "n_jobs": "n_jobs={value} there is the context posteriori.options(threads={value}) here",
    "var_smoothing": "var_smoothing={value} there is estimate=… here: variances are never widened by a hidden constant",
    "alpha": "alpha={value} there is smoothing={value} here",
}
#: The parameter that such a sentence speaks of; a class without it may have a penalty called precision, or nothing.
SPOKEN_OF = {"C": "prior", "penalty": "prior", "var_smoothing": "estimate", "alpha": "smoothing"}


def translate(name: str, parameter: str, value: Any, ours: Collection[str]) -> str:
    """Word the error for a parameter of scikit-learn's that goes by another name here; `ours` are those of the class.

    >>> translate("LogisticRegression", "C", 0.5, ["prior", "tol"])
    'LogisticRegression has no parameter C: C=0.5 there is prior=2.0 here (prior = 1/C, ...)'
    >>> translate("LSPC", "C", 0.5, ["precision"])
    'LSPC has no parameter C: C=0.5 there is prior=2.0 here (...); LSPC calls it precision=2.0'
    """
    inverse = 1 / value if isinstance(value, int | float) and value else "…"
    sentence = TRANSLATIONS[parameter].format(value=value, inverse=None if inverse == 0 else inverse)
    spoken = SPOKEN_OF.get(parameter)
    if spoken is None or spoken in ours:
        return f"{name} has no parameter {parameter}: {sentence}"
    if spoken == "prior" and "precision" in ours:
        own = f"{name} calls it precision={inverse if parameter == 'C' else '…'}"
    else:
        own = f"{name} itself has no {spoken}"
    return f"{name} has no parameter {parameter}: {sentence}; {own}"


class Classifier(ScoreMixin, BaseEstimator):
    """A probabilistic classifier; concrete ones fit, and give the log probabilities of a block.

    `fit` works on values of its own and hands them to `_adopt` at the end: if it raises, the old fit is whole.
    """

    _takes_sparse = False
    _takes_categories = False

    def __new__(cls, *args: Any, **parameters: Any) -> Self:
        """Answer scikit-learn's names for our parameters with a translation."""
        cls._translate(parameters)
        made: Self = super().__new__(cls)
        return made

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters; like the constructor, it translates scikit-learn's names in its error."""
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

    # --- learning

    def _adopt(self, notes: tuple[Note, ...] = (), **learned: Any) -> Self:
        """Replace whatever an earlier fit learned by this, and say its notes."""
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("__")]:
            delattr(self, name)
        for name, value in learned.items():
            setattr(self, name, value)
        self.fit_notes_ = list(notes)
        for note in notes:
            note.warn(stacklevel=4)
        return self

    # --- predicting

    def _log_probabilities(self, block: Block) -> NDArray[np.float64]:
        """Give log P(class | x) of a block, (n, K)."""
        raise NotImplementedError

    def _schema(self) -> Schema | None:
        """Give the schema of fit where its dictionaries are needed to read new rows."""
        return None

    def _engine(self, X: Any, offset: NDArray[np.float64] | None = None) -> Engine:
        """Check X against the fit and give the engine that reads it."""
        check_is_fitted(self)
        features = read_features(
            self, X, sparse=self._takes_sparse, categories=self._takes_categories, schema=self._schema()
        )
        return engine_for(MemoryTable(features, offset=offset))

    def predict_log_proba(self, X: Any) -> NDArray[Any]:
        """Give log P(class | x), exact where the probability itself would round to zero.

        Parameters
        ----------
        X : (n, d) rows

        Returns
        -------
        (n, K) in the order of ``classes_``
        """
        return self._logs(X, self._engine(X))

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Give P(class | x), (n, K) in the order of ``classes_``."""
        return self._probabilities(X, self._engine(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Give the most probable class of each row."""
        return self._labels(self._engine(X))

    def predict_frame(self, X: Any, level: float | None = None, **more: Any) -> Any:
        """Give a frame: the prediction, the probability of each class, and with a level the bounds of its interval.

        Parameters
        ----------
        X : (n, d) rows
        level : of intervals, for models with ``predict_interval``
        more : offset, for models fitted with one; kind and covariance, as ``predict_interval`` takes them
        """
        return prediction_frame(self, X, level, **more)

    def _logs(self, X: Any, engine: Engine) -> NDArray[Any]:
        return logs_as_given(X, self._map(engine, self._log_probabilities))

    def _probabilities(self, X: Any, engine: Engine) -> NDArray[Any]:
        return as_given(X, self._map(engine, lambda block: np.exp(self._log_probabilities(block))))

    def _labels(self, engine: Engine) -> NDArray[Any]:
        labels: NDArray[Any] = self.classes_[self._map(engine, lambda block: argmax(self._log_probabilities(block)))]
        return labels

    def _map(self, engine: Engine, function: Callable[[Block], NDArray[Any]]) -> NDArray[Any]:
        """Map over the rows; cells that cannot be scored are refused by column and row."""
        try:
            return engine.map(function)
        except NotFiniteError as found:
            refuse_cells(engine.table, found.tally, "finite numbers", remedy="Fill or leave out those cells.")
            raise


def as_given(X: Any, result: NDArray[np.float64]) -> NDArray[Any]:
    """Give float32 back for float32, as scikit-learn does."""
    return result.astype(np.float32) if getattr(X, "dtype", None) == np.float32 else result


def logs_as_given(X: Any, logs: NDArray[np.float64]) -> NDArray[Any]:
    """Give logs in the precision of X; in single precision they agree with the probabilities: 1 - 3e-9 is 1."""
    single = as_given(X, logs)
    if single is not logs:
        p = np.exp(logs).astype(single.dtype)
        np.log(p, out=single, where=p > 0.5)
    return single
