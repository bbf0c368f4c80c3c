"""What classifiers around another classifier share: its fit, its answers, and a decision of their own."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from posteriori.arrays import Array
from posteriori.estimators.parameters import parameters
from posteriori.estimators.prediction_frame import prediction_frame
from posteriori.estimators.scoring import Scored
from posteriori.estimators.wrappers.decision_rules import apply_rejections, cost_table, decide, outcomes, rejected
from posteriori.estimators.wrappers.learned_attributes import LearnedInside
from posteriori.estimators.wrappers.parts import (
    FitAsInside,
    checked,
    is_fitted,
    refuse_weights,
    refuse_without_probabilities,
    scores_by_weight,
)
from posteriori.input.classes.costs import CostTable

#: The methods that answer, each by those of the classifier inside; besides it is asked for probabilities.
ANSWERS = ("predict", "predict_proba", "predict_log_proba", "decision_function")


def inner_has(name: str) -> Any:
    """Make a method available where the classifier inside has the one of this name."""

    def there(self: "Wrapper") -> bool:
        getattr(self._inner, name)
        return True

    return available_if(there)


@parameters(kw_only=False)
class Wrapper(LearnedInside, MetaEstimatorMixin, Scored, BaseEstimator):
    """A classifier around another one that has probabilities, of this library or scikit-learn's.

    `fit` clones the classifier inside, fits the clone and keeps it as ``estimator_``; the one given is left as it is.
    Around a classifier that is already fitted nothing needs to be fitted: until `fit` is called, that one answers.
    """

    estimator: Any

    # --- the classifier inside

    @property
    def _inner(self) -> Any:
        return vars(self).get("estimator_", self.estimator)

    def __sklearn_is_fitted__(self) -> bool:
        return "estimator_" in vars(self) or is_fitted(self.estimator)

    def _fitted(self) -> Any:
        """Give the fitted classifier inside, which must have probabilities."""
        check_is_fitted(self)
        refuse_without_probabilities(self._inner, type(self).__name__)
        return self._inner

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        tags.classifier_tags = inner.classifier_tags
        return tags

    @property
    def _takes_categories(self) -> bool:
        """Whether columns of text may stay what they are (`TableClassifier` asks)."""
        return bool(getattr(self.estimator, "_takes_categories", False))

    def _takes_weights(self) -> bool:
        return bool(has_fit_parameter(self.estimator, "sample_weight"))

    def get_metadata_routing(self) -> Any:
        """Say that what `fit` and the methods that predict are given is passed on to the classifier inside."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        for answer in ANSWERS:
            mapping.add(caller=answer, callee=answer)
            if answer != "predict_proba":
                mapping.add(caller=answer, callee="predict_proba")
            if answer != "predict_log_proba":
                mapping.add(caller=answer, callee="predict_log_proba")
        router = MetadataRouter(owner=type(self).__name__).add_self_request(scores_by_weight(self))
        return router.add(estimator=self.estimator, method_mapping=mapping)

    # --- learning

    @FitAsInside
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit a clone of the classifier inside.

        Parameters
        ----------
        X : (n, d) whatever the classifier inside takes
        y : (n,) labels
        sample_weight : (n,) weights, for classifiers that take them
        **fit_params : passed on to the classifier inside; where metadata routing is enabled, as it says
        """
        self._check_parameters()
        refuse_without_probabilities(self.estimator, type(self).__name__)
        given = {**fit_params, **({} if sample_weight is None else {"sample_weight": sample_weight})}
        routed = self._routed("fit", "fit", given)
        inner = clone(self.estimator)
        inner.fit(X, y, **routed)
        return self._adopt(inner, self._learn(inner, X, y, routed))

    def _check_parameters(self) -> None:
        """Refuse parameters that no classes could make right."""

    def _learn(self, inner: Any, X: Any, y: Any, given: dict[str, Any]) -> dict[str, Any]:
        """Check the parameters against the classes, and give what is learned besides the classifier inside."""
        return {}

    def _adopt(self, inner: Any, learned: dict[str, Any]) -> Self:
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("__")]:
            delattr(self, name)
        self.estimator_ = inner
        for name, value in learned.items():
            setattr(self, name, value)
        return self

    def _routed(self, caller: str, callee: str, given: dict[str, Any]) -> dict[str, Any]:
        """Give what the classifier inside is passed by name: all of it, or what it requests under routing."""
        if not given:
            return {}
        from sklearn.utils._metadata_requests import _routing_enabled

        if _routing_enabled():
            return dict(process_routing(self, caller, **given)["estimator"][callee])
        if callee == "fit":
            refuse_weights(self.estimator, given)
        return given

    # --- what it learned

    @property
    def fit_status_(self) -> str:
        """How the fit went, as the classifier inside says."""
        check_is_fitted(self)
        return str(getattr(self._inner, "fit_status_", "ok"))

    @property
    def fit_notes_(self) -> list[Any]:
        """What the fit has to say about itself."""
        check_is_fitted(self)
        return list(getattr(self._inner, "fit_notes_", []))

    @property
    def n_parameters_(self) -> int:
        """The number of free parameters of the classifier inside."""
        return int(self._learned("n_parameters_"))

    def _schema(self) -> Any:
        """Give what is known of the columns, where the classifier inside knows it."""
        inner = self._learned("_schema") if hasattr(self._inner, "_schema") else None
        return None if inner is None else inner()

    def _learned(self, name: str) -> Any:
        check_is_fitted(self)
        return getattr(self._inner, name)

    # --- probabilities

    def _ask(self, method: str, X: Any, given: dict[str, Any], caller: str | None = None) -> NDArray[Any]:
        """Ask the classifier inside, passing on what was given by name."""
        inner = self._fitted()
        answer: NDArray[Any] = getattr(inner, method)(X, **self._routed(caller or method, method, given))
        return answer

    def _probabilities(self, X: Any, given: dict[str, Any], caller: str = "predict") -> Array:
        """Give P(class | x) as the decision sees it, (n, K) in double precision."""
        p = np.asarray(self._ask("predict_proba", X, given, caller), dtype=np.float64)
        return checked(p, self._inner, len(self.classes_))

    def predict_proba(self, X: Any, **given: Any) -> NDArray[Any]:
        """Give P(class | x), (n, K) in the order of ``classes_``; what is given by name is passed on."""
        return self._ask("predict_proba", X, given)

    @inner_has("predict_log_proba")
    def predict_log_proba(self, X: Any, **given: Any) -> NDArray[Any]:
        """Give log P(class | x), (n, K)."""
        return self._ask("predict_log_proba", X, given)

    @inner_has("decision_function")
    def decision_function(self, X: Any, **given: Any) -> NDArray[Any]:
        """Give the scores of the classifier inside: (n,) for two classes, (n, K) for more."""
        return self._ask("decision_function", X, given)

    @inner_has("predict_interval")
    def predict_interval(self, X: Any, level: float = 0.95, **given: Any) -> NDArray[Any]:
        """Give intervals for the probability of each class, (n, K, 2), as the classifier inside does."""
        bounds: NDArray[Any] = self._fitted().predict_interval(X, level, **given)
        return bounds

    # --- deciding

    def predict(self, X: Any, **given: Any) -> NDArray[Any]:
        """Give the answer to each row; what is given by name is passed on to the classifier inside."""
        if self._changes_nothing():
            return self._ask("predict", X, given)
        return self._decide(self._probabilities(X, given))

    def predict_frame(self, X: Any, level: float | None = None, **given: Any) -> Any:
        """Give a frame of the library X came from: the answer, and the probability of each class.

        Parameters
        ----------
        X : (n, d) rows
        level : of intervals, where the classifier inside has ``predict_interval``
        **given : passed on to the classifier inside
        """
        return prediction_frame(self, X, level, **given)

    def _changes_nothing(self) -> bool:
        """Whether the parameters leave every answer as it is."""
        return True

    def _decide(self, probabilities: Array) -> NDArray[Any]:
        """Give the answer to each row from its probabilities: that of the classifier inside."""
        return decide(self._inner, probabilities)

    def _apply_rejections(self, probabilities: Array, labels: NDArray[Any]) -> NDArray[Any]:
        return apply_rejections(self._inner, probabilities, labels)

    def _rejected(self, probabilities: Array) -> NDArray[np.bool_]:
        return rejected(self._inner, probabilities)

    def _outcomes(self) -> NDArray[Any]:
        return outcomes(self._inner)

    def _cost_table(self) -> CostTable | None:
        return cost_table(self._inner)
