"""Base classes of classifiers around other classifiers: metadata routing, tags, fit status and learned attributes."""

from abc import abstractmethod
from collections.abc import Callable
from types import MethodType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRequest, MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from posteriori.arrays import Array
from posteriori.estimators import scoring
from posteriori.estimators.log_probabilities import log_probabilities_of
from posteriori.estimators.prediction_frame import prediction_frame
from posteriori.estimators.wrappers.checks import (
    check_probabilities,
    check_weights_accepted,
    is_fitted,
    require_probabilities,
)


def available_inside(name: str) -> Any:
    """Return a decorator: a method is available where the first inner classifier has the one of this name."""

    def check(model: Any) -> bool:
        getattr(model._inner_classifiers[0], name)
        return True

    return available_if(check)


class FitLikeInner:
    """A `fit` method that names ``sample_weight`` in its signature only where all inner classifiers take weights."""

    def __init__(self, fit: Callable[..., Any]) -> None:
        self.fit, self.__doc__ = fit, fit.__doc__

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self.fit
        weighted = all(has_fit_parameter(model, "sample_weight") for model in instance._base_classifiers.values())
        return MethodType(self.fit if weighted else self._without_weights, instance)

    @staticmethod
    def _without_weights(model: Any, X: Any, y: Any = None, **fit_params: Any) -> Any:
        return type(model).fit(model, X, y, **fit_params)


class MetaClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A classifier around one or several others, of this library or scikit-learn's."""

    #: The learned attribute that holds the fitted inner classifier, or a list of them.
    _fitted_name: ClassVar[str]
    #: The methods whose metadata are passed on to the inner classifiers, besides `fit`.
    _routed_methods: ClassVar[tuple[str, ...]] = ("predict", "predict_proba", "predict_log_proba", "decision_function")

    score = scoring.score

    @property
    @abstractmethod
    def _base_classifiers(self) -> dict[str, Any]:
        """The classifiers passed as parameters, by the names under which metadata are routed to them."""

    @property
    def _inner_classifiers(self) -> list[Any]:
        """The fitted inner classifiers; before `fit` those passed as parameters."""
        fitted = vars(self).get(self._fitted_name)
        if fitted is None:
            return list(self._base_classifiers.values())
        return fitted if isinstance(fitted, list) else [fitted]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = [get_tags(model) for model in self._base_classifiers.values()]
        tags.input_tags, tags.classifier_tags = inner[0].input_tags, inner[0].classifier_tags
        for name in ("sparse", "allow_nan", "categorical"):
            setattr(tags.input_tags, name, all(getattr(each.input_tags, name) for each in inner))
        tags.input_tags.positive_only = any(each.input_tags.positive_only for each in inner)
        if all(each.classifier_tags for each in inner):  # a regressor, which `fit` rejects, has none
            tags.classifier_tags.multi_class = all(each.classifier_tags.multi_class for each in inner)
        return tags

    @property
    def _takes_categories(self) -> bool:
        """Whether `TableClassifier` may pass text columns as they are."""
        return all(getattr(model, "_takes_categories", False) for model in self._base_classifiers.values())

    # --- metadata routing

    def get_metadata_routing(self) -> Any:
        """Return the metadata that are passed on to the inner classifiers."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        for caller in self._routed_methods:
            for callee in dict.fromkeys((caller, "predict_proba", "predict_log_proba")):
                mapping.add(caller=caller, callee=callee)
        router = MetadataRouter(owner=type(self).__name__).add_self_request(self._score_request())
        for name, model in self._base_classifiers.items():
            router.add(**{name: model}, method_mapping=mapping)
        return router

    def _score_request(self) -> MetadataRequest:
        """Return what `score` requests: weights, unless the user set the request otherwise.

        Without it a pipeline that ends in such a classifier could not be scored where metadata routing is enabled.
        """
        request, alias = MetadataRequest(owner=self), self._get_metadata_request().score.requests.get("sample_weight")
        request.score.add_request(param="sample_weight", alias=True if alias is None else alias)
        return request

    def _routed(self, caller: str, callee: str, params: dict[str, Any], name: str = "estimator") -> dict[str, Any]:
        """Return the metadata for an inner classifier: all of them, or under routing those that it requests."""
        if not params:
            return {}
        if get_config()["enable_metadata_routing"]:
            return dict(process_routing(self, caller, **params)[name][callee])
        if callee == "fit":
            check_weights_accepted(self._base_classifiers[name], params)
        return params

    # --- what the inner classifiers learned

    @property
    def fit_status_(self) -> str:
        """The status of the fit: "ok", or the first status of an inner classifier that is not."""
        check_is_fitted(self)
        statuses = (str(getattr(model, "fit_status_", "ok")) for model in self._inner_classifiers)
        return next((status for status in statuses if status != "ok"), "ok")

    @property
    def fit_notes_(self) -> list[Any]:
        """The notes of the inner fits."""
        check_is_fitted(self)
        return [note for model in self._inner_classifiers for note in getattr(model, "fit_notes_", [])]

    @property
    def n_parameters_(self) -> int:
        """The number of free parameters of all inner classifiers."""
        check_is_fitted(self)
        return sum(int(model.n_parameters_) for model in self._inner_classifiers)

    # --- predicting

    def predict_frame(self, X: Any, level: float | None = None, **params: Any) -> Any:
        """Return a frame of the library of X: the prediction, and the probability of each class.

        Parameters
        ----------
        X : (n, d) rows
        level : of intervals, where there is a ``predict_interval``
        **params : passed on to the inner classifiers
        """
        return prediction_frame(self, X, level, **params)


if TYPE_CHECKING:
    Methods = MetaClassifier  # whose methods the mixin uses
else:
    Methods = object


class Prefit(Methods):
    """A meta-classifier that needs no fit around classifiers that are fitted: until `fit` is called, these predict."""

    def __sklearn_is_fitted__(self) -> bool:
        return self._fitted_name in vars(self) or all(map(is_fitted, self._base_classifiers.values()))

    def _fitted_inner(self) -> list[Any]:
        """Return the fitted inner classifiers; raise if one has no probabilities."""
        check_is_fitted(self)
        for model in self._inner_classifiers:
            require_probabilities(model, type(self).__name__)
        return self._inner_classifiers

    def _inner_log_probabilities(
        self, model: Any, X: Any, params: dict[str, Any], caller: str, name: str = "estimator"
    ) -> Array:
        """Return log P(class | x) of an inner classifier, (n, K), checked."""
        method = "predict_log_proba" if hasattr(model, "predict_log_proba") else "predict_proba"
        logs = log_probabilities_of(model, X, self._routed(caller, method, params, name))
        check_probabilities(np.exp(logs), model, len(self.classes_))
        return logs

    def _inner_attribute(self, name: str) -> Any:
        """Return an attribute of the first fitted inner classifier."""
        check_is_fitted(self)
        return getattr(self._inner_classifiers[0], name)

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes of the inner classifiers, (K,)."""
        return np.asarray(self._inner_attribute("classes_"))

    @property
    def n_features_in_(self) -> int:
        """The number of columns."""
        return int(self._inner_attribute("n_features_in_"))

    @property
    def feature_names_in_(self) -> NDArray[Any]:
        """The names of the columns, where the fit had a frame."""
        names: NDArray[Any] = self._inner_attribute("feature_names_in_")
        return names

    @property
    def coding_(self) -> Any:
        """How the columns of a frame are coded, where there is an inner `TableClassifier`."""
        return self._inner_attribute("coding_")

    @property
    def offset_(self) -> Any:
        """The column that holds the offset, where there is an inner `TableClassifier`."""
        return self._inner_attribute("offset_")
