"""`DecisionWrapper`: base class of classifiers that decide by the probabilities of another classifier."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from posteriori.arrays import Array
from posteriori.estimators.learned import replace_learned
from posteriori.estimators.parameters import parameters
from posteriori.estimators.wrappers.checks import check_probabilities, require_probabilities
from posteriori.estimators.wrappers.decision_rules import apply_rejections, cost_table, decide, outcomes, rejected
from posteriori.estimators.wrappers.meta_classifier import FitLikeInner, PrefitMetaClassifier, available_inside
from posteriori.input.classes.costs import CostTable


@parameters(kw_only=False)
class DecisionWrapper(PrefitMetaClassifier):
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

    def _check_parameters(self) -> None:
        """Raise for parameters that are wrong whatever the classes are."""

    def _learn(self, inner: Any, X: Any, y: Any, params: dict[str, Any]) -> dict[str, Any]:
        """Check the parameters against the classes, and return what is learned besides the inner classifier."""
        return {}

    def _schema(self) -> Any:
        """Return the schema of the columns, where the inner classifier knows it."""
        schema = getattr(self._inner, "_schema", None)
        return None if schema is None else schema()

    # --- probabilities

    def _predict_inside(self, method: str, X: Any, params: dict[str, Any], caller: str | None = None) -> NDArray[Any]:
        """Call a method of the inner classifier with the metadata for it."""
        (inner,) = self._fitted_inner()
        result: NDArray[Any] = getattr(inner, method)(X, **self._routed(caller or method, method, params))
        return result

    def _probabilities(self, X: Any, params: dict[str, Any], caller: str = "predict") -> Array:
        """Return P(class | x) for the decision, (n, K) in double precision."""
        p = np.asarray(self._predict_inside("predict_proba", X, params, caller), dtype=np.float64)
        return check_probabilities(p, self._inner, len(self.classes_))

    def predict_proba(self, X: Any, **params: Any) -> NDArray[Any]:
        """Return P(class | x), (n, K) in the order of ``classes_``; `params` are passed on to the inner classifier."""
        return self._predict_inside("predict_proba", X, params)

    @available_inside("predict_log_proba")
    def predict_log_proba(self, X: Any, **params: Any) -> NDArray[Any]:
        """Return log P(class | x), (n, K)."""
        return self._predict_inside("predict_log_proba", X, params)

    @available_inside("decision_function")
    def decision_function(self, X: Any, **params: Any) -> NDArray[Any]:
        """Return the scores of the inner classifier: (n,) for two classes, (n, K) for more."""
        return self._predict_inside("decision_function", X, params)

    @available_inside("predict_interval")
    def predict_interval(self, X: Any, level: float = 0.95, **params: Any) -> NDArray[Any]:
        """Return the inner classifier's intervals for the probability of each class, (n, K, 2)."""
        (inner,) = self._fitted_inner()
        bounds: NDArray[Any] = inner.predict_interval(X, level, **params)
        return bounds

    # --- deciding

    def predict(self, X: Any, **params: Any) -> NDArray[Any]:
        """Return the decision for each row; `params` are passed on to the inner classifier."""
        if self._is_identity():
            return self._predict_inside("predict", X, params)
        return self._decide(self._probabilities(X, params))

    def _is_identity(self) -> bool:
        """Whether the parameters leave every prediction of the inner classifier unchanged."""
        return True

    def _decide(self, probabilities: Array) -> NDArray[Any]:
        """Return the decision for each row from its probabilities: that of the inner classifier."""
        return decide(self._inner, probabilities)

    def _apply_rejections(self, probabilities: Array, labels: NDArray[Any]) -> NDArray[Any]:
        return apply_rejections(self._inner, probabilities, labels)

    def _rejected(self, probabilities: Array) -> NDArray[np.bool_]:
        return rejected(self._inner, probabilities)

    def _outcomes(self) -> NDArray[Any]:
        return outcomes(self._inner)

    def _cost_table(self) -> CostTable | None:
        return cost_table(self._inner)
