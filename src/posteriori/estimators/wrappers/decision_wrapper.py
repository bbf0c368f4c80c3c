"""`DecisionWrapper`: base class of classifiers that decide by the probabilities of another classifier."""

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from posteriori.arrays import Array
from posteriori.estimators.learned import replace_learned
from posteriori.estimators.parameters import parameters
from posteriori.estimators.wrappers.checks import check_probabilities, require_probabilities
from posteriori.estimators.wrappers.meta_classifier import FitLikeInner, MetaClassifier, Prefit, available_inside
from posteriori.input.classes.costs import CostTable


@parameters(kw_only=False)
class DecisionWrapper(Prefit, MetaClassifier):
    """A classifier around another one that has probabilities, of this library or scikit-learn's.

    `fit` clones the classifier passed, fits the clone and stores it as ``estimator_``; the one passed is not changed.
    """

    estimator: Any

    _fitted_name = "estimator_"

    @property
    def _base_classifiers(self) -> dict[str, Any]:
        return {"estimator": self.estimator}

    @property
    def _inner(self) -> Any:
        return self._inner_classifiers[0]

    # --- learning

    @FitLikeInner
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit a clone of the inner classifier.

        Parameters
        ----------
        X : (n, d) rows of any kind that the inner classifier takes
        y : (n,) labels
        sample_weight : (n,) weights, for classifiers that take them
        **fit_params : passed on to the inner classifier; where metadata routing is enabled, those that it requests
        """
        self._check_parameters()
        require_probabilities(self.estimator, type(self).__name__)
        params = {**fit_params, **({} if sample_weight is None else {"sample_weight": sample_weight})}
        routed = self._routed("fit", "fit", params)
        inner = clone(self.estimator)
        inner.fit(X, y, **routed)
        replace_learned(self, **self._learn(inner, X, y, routed), estimator_=inner)
        return self

    @abstractmethod
    def _check_parameters(self) -> None:
        """Raise for parameters that are wrong whatever the classes are."""

    @abstractmethod
    def _learn(self, inner: Any, X: Any, y: Any, params: dict[str, Any]) -> dict[str, Any]:
        """Check the parameters against the classes, and return what is learned besides the inner classifier."""

    # --- probabilities

    def _predict_inside(self, method: str, X: Any, params: dict[str, Any], caller: str | None = None) -> NDArray[Any]:
        """Call a method of the inner classifier with the metadata for it."""
        (inner,) = self._fitted_inner()
        result: NDArray[Any] = getattr(inner, method)(X, **self._routed(caller or method, method, params))
        return result

    def _inner_probabilities(self, X: Any, params: dict[str, Any], caller: str = "predict") -> Array:
        """Return P(class | x) of the inner classifier, (n, K) in double precision."""
        p = np.asarray(self._predict_inside("predict_proba", X, params, caller), dtype=np.float64)
        return check_probabilities(p, self._inner, len(self.classes_))

    @abstractmethod
    def _probabilities(self, X: Any, params: dict[str, Any], caller: str = "predict") -> Array:
        """Return P(class | x) for the decision, (n, K) in double precision."""

    # --- deciding

    @abstractmethod
    def _is_identity(self) -> bool:
        """Whether the parameters leave every prediction of the inner classifier unchanged."""

    @abstractmethod
    def _decide(self, probabilities: Array) -> NDArray[Any]:
        """Return the decision for each row from its probabilities."""

    @abstractmethod
    def _apply_rejections(self, probabilities: Array, labels: NDArray[Any]) -> NDArray[Any]:
        """Return labels, replaced by the reject label in rows that are rejected."""

    @abstractmethod
    def _rejected(self, probabilities: Array) -> NDArray[np.bool_]:
        """Return which rows are rejected, (n,)."""

    @abstractmethod
    def _outcomes(self) -> NDArray[Any]:
        """Return the possible decisions other than rejection."""

    @abstractmethod
    def _cost_table(self) -> CostTable | None:
        """Return the costs of the decisions, or None."""


# --- methods of those wrappers that pass on what the inner classifier returns


def predict(self: Any, X: Any, **params: Any) -> NDArray[Any]:
    """Return the decision for each row; `params` are passed on to the inner classifier."""
    decided: NDArray[Any] = (
        self._predict_inside("predict", X, params)
        if self._is_identity()
        else self._decide(self._probabilities(X, params))
    )
    return decided


def predict_proba(self: Any, X: Any, **params: Any) -> NDArray[Any]:
    """Return P(class | x), (n, K) in the order of ``classes_``; `params` are passed on to the inner classifier."""
    p: NDArray[Any] = self._predict_inside("predict_proba", X, params)
    return p


@available_inside("predict_log_proba")
def predict_log_proba(self: Any, X: Any, **params: Any) -> NDArray[Any]:
    """Return log P(class | x), (n, K)."""
    logs: NDArray[Any] = self._predict_inside("predict_log_proba", X, params)
    return logs


@available_inside("decision_function")
def decision_function(self: Any, X: Any, **params: Any) -> NDArray[Any]:
    """Return the scores of the inner classifier: (n,) for two classes, (n, K) for more."""
    scores: NDArray[Any] = self._predict_inside("decision_function", X, params)
    return scores


@available_inside("predict_interval")
def predict_interval(self: Any, X: Any, level: float = 0.95, **params: Any) -> NDArray[Any]:
    """Return the inner classifier's intervals for the probability of each class, (n, K, 2)."""
    (inner,) = self._fitted_inner()
    bounds: NDArray[Any] = inner.predict_interval(X, level, **params)
    return bounds
