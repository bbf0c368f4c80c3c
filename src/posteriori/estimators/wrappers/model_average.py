"""`ModelAverage`: the mean of several classifiers' probabilities, by how well each explains the data."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from posteriori.arrays import Array
from posteriori.decisions.argmax import argmax
from posteriori.estimators.base import as_given, logs_as_given
from posteriori.estimators.log_probabilities import log_odds, log_probabilities_of
from posteriori.estimators.parameters import parameters
from posteriori.estimators.prediction_frame import prediction_frame
from posteriori.estimators.scoring import Scored
from posteriori.estimators.wrappers.averaging import aligned, average, average_logs, read_model_weights, read_models
from posteriori.estimators.wrappers.base import ANSWERS
from posteriori.estimators.wrappers.learned_attributes import LearnedInside
from posteriori.estimators.wrappers.parts import (
    FitAsInside,
    checked,
    is_fitted,
    refuse_weights,
    refuse_without_probabilities,
    scores_by_weight,
)
from posteriori.storable import storable


def _alone_has_intervals(model: "ModelAverage") -> bool:
    """Say whether a single model has all the weight, and intervals."""
    asked = model._asked()
    return len(asked) == 1 and hasattr(asked[0][1], "predict_interval")


@storable
@parameters(kw_only=False)
class ModelAverage(LearnedInside, MetaEstimatorMixin, Scored, BaseEstimator):
    """Classifiers averaged by weight: P(k | x) = sum_m w_m P_m(k | x).

    By evidence w_m is proportional to exp(log p(D | m)), the posterior of model m when all are equally probable
    beforehand. The most probable class is then the Bayes-optimal one; all weight on one model is the MAP choice.

    Book: [Mitchell] exercise 4.

    Parameters
    ----------
    models : list of classifiers with probabilities over the same classes, fitted or not
    weights : "evidence" | (M,) non-negative numbers
        "evidence" takes the ``log_evidence_`` of each model, which must be that of the same rows.

    Attributes
    ----------
    classes_ : (K,)
    models_ : the fitted models, clones of those given; not there until `fit` is called
    weights_ : (M,) summing to one
    n_features_in_, feature_names_in_ : those of the models

    Notes
    -----
    Around fitted models it answers at once; `fit` clones and fits all. Models of weight zero are not asked, and a
    single model of weight one answers itself, to the bit.

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "a", "b", "b"]
    >>> models = [pt.LogisticRegression(prior=1.0).fit(X, y), pt.GaussianClassifier().fit(X, y)]
    >>> [model.predict_proba([[4.0]])[0, 1].round(4).item() for model in models]
    [0.7596, 0.9047]
    >>> pt.ModelAverage(models, weights=[3, 1]).predict_proba([[4.0]])[0, 1].round(4).item()
    0.7959
    """

    models: Any
    weights: Any = "evidence"

    # --- the models inside

    @property
    def _inside(self) -> list[Any]:
        return list(vars(self).get("models_", self.models))

    def __sklearn_is_fitted__(self) -> bool:
        return "models_" in vars(self) or all(is_fitted(model) for model in read_models(self.models))

    def _fitted(self) -> list[Any]:
        check_is_fitted(self)
        for model in self._inside:
            refuse_without_probabilities(model, type(self).__name__)
        return self._inside

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = [get_tags(model) for model in read_models(self.models)]
        for name in ("sparse", "allow_nan", "categorical"):
            setattr(tags.input_tags, name, all(getattr(tag.input_tags, name) for tag in inner))
        tags.input_tags.positive_only = any(tag.input_tags.positive_only for tag in inner)
        tags.classifier_tags.multi_class = all(tag.classifier_tags.multi_class for tag in inner)
        return tags

    @property
    def _takes_categories(self) -> bool:
        """Whether columns of text may stay what they are (`TableClassifier` asks)."""
        return all(getattr(model, "_takes_categories", False) for model in self.models)

    def _takes_weights(self) -> bool:
        return all(has_fit_parameter(model, "sample_weight") for model in read_models(self.models))

    def get_metadata_routing(self) -> Any:
        """Say that what `fit` and the methods that predict are given is passed on to every model."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        for answer in ANSWERS:
            for callee in dict.fromkeys((answer, "predict_proba", "predict_log_proba")):
                mapping.add(caller=answer, callee=callee)
        router = MetadataRouter(owner=type(self).__name__).add_self_request(scores_by_weight(self))
        for number, model in enumerate(self.models):
            router.add(**{f"model_{number}": model}, method_mapping=mapping)
        return router

    def _routed(self, number: int, caller: str, callee: str, given: dict[str, Any]) -> dict[str, Any]:
        if not given:
            return {}
        from sklearn.utils._metadata_requests import _routing_enabled

        if _routing_enabled():
            return dict(process_routing(self, caller, **given)[f"model_{number}"][callee])
        if callee == "fit":
            refuse_weights(self.models[number], given)
        return given

    # --- learning

    @FitAsInside
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit a clone of every model to the same rows.

        Parameters
        ----------
        X : (n, d) whatever the models take
        y : (n,) labels
        sample_weight : (n,) weights, for models that take them
        **fit_params : passed on to the models; where metadata routing is enabled, as they say
        """
        given = {**fit_params, **({} if sample_weight is None else {"sample_weight": sample_weight})}
        models = read_models(self.models)
        for model in models:
            refuse_without_probabilities(model, type(self).__name__)
        routed = [self._routed(number, "fit", "fit", given) for number in range(len(models))]
        if not isinstance(self.weights, str):
            read_model_weights(self.weights, models)
        fitted = [clone(model).fit(X, y, **passed) for model, passed in zip(models, routed, strict=True)]
        read_model_weights(self.weights, fitted)
        aligned(fitted)
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("__")]:
            delattr(self, name)
        self.models_ = fitted
        return self

    # --- what they learned

    @property
    def weights_(self) -> Array:
        """The weight of each model, (M,), summing to one."""
        check_is_fitted(self)
        return read_model_weights(self.weights, self._inside)

    def _learned(self, name: str) -> Any:
        check_is_fitted(self)
        return getattr(self._inside[0], name)

    @property
    def fit_status_(self) -> str:
        """How the fits went: "ok", or the status of the first that did not go well."""
        check_is_fitted(self)
        found = (getattr(model, "fit_status_", "ok") for model in self._inside)
        return next((status for status in found if status != "ok"), "ok")

    @property
    def fit_notes_(self) -> list[Any]:
        """What the fits have to say about themselves."""
        check_is_fitted(self)
        return [note for model in self._inside for note in getattr(model, "fit_notes_", [])]

    @property
    def n_parameters_(self) -> int:
        """The number of free parameters of all models."""
        check_is_fitted(self)
        return sum(int(model.n_parameters_) for model in self._inside)

    # --- predicting

    def _asked(self) -> list[tuple[int, Any, float, NDArray[np.intp]]]:
        """Give number, model, weight and order of classes of the models that have any weight."""
        models = self._fitted()
        weights = read_model_weights(self.weights, models)
        each = zip(models, weights.tolist(), aligned(models), strict=True)
        return [(i, model, weight, order) for i, (model, weight, order) in enumerate(each) if weight > 0]

    def _alone(self, method: str, X: Any, given: dict[str, Any]) -> Any:
        """Give the answer of a single model with all the weight; None where there are more, or it cannot say."""
        asked = self._asked()
        number, model, _, order = asked[0]
        if len(asked) > 1 or not hasattr(model, method) or (order != np.arange(len(order))).any():
            return None
        return getattr(model, method)(X, **self._routed(number, method, method, given))

    def _mean(self, X: Any, given: dict[str, Any], caller: str) -> Array:
        found = []
        for number, model, weight, order in self._asked():
            p = np.asarray(model.predict_proba(X, **self._routed(number, caller, "predict_proba", given)))
            found.append((weight, checked(p.astype(np.float64), model, len(order))[:, order]))
        return average(found)

    def _log_mean(self, X: Any, given: dict[str, Any], caller: str) -> Array:
        found = []
        for number, model, weight, order in self._asked():
            method = "predict_log_proba" if hasattr(model, "predict_log_proba") else "predict_proba"
            logs = log_probabilities_of(model, X, self._routed(number, caller, method, given))
            checked(np.exp(logs), model, len(order))
            found.append((weight, logs[:, order]))
        return average_logs(found)

    def predict_proba(self, X: Any, **given: Any) -> NDArray[Any]:
        """Give sum_m w_m P_m(class | x), (n, K) in the order of ``classes_``."""
        alone: NDArray[Any] | None = self._alone("predict_proba", X, given)
        return as_given(X, self._mean(X, given, "predict_proba")) if alone is None else alone

    def predict_log_proba(self, X: Any, **given: Any) -> NDArray[Any]:
        """Give log sum_m w_m P_m(class | x), (n, K), exact where the probability itself would round to zero."""
        alone: NDArray[Any] | None = self._alone("predict_log_proba", X, given)
        if alone is not None:
            return alone
        logs = logs_as_given(X, self._log_mean(X, given, "predict_log_proba"))
        if logs.dtype == np.float32:  # means of rounded probabilities and of rounded logs differ in the last digit
            p = as_given(X, self._mean(X, given, "predict_log_proba"))
            np.log(p, out=logs, where=p > 0.5)
        return logs

    def predict(self, X: Any, **given: Any) -> NDArray[Any]:
        """Give the class of the largest averaged probability."""
        alone: NDArray[Any] | None = self._alone("predict", X, given)
        if alone is not None:
            return alone
        labels: NDArray[Any] = self.classes_[argmax(self._mean(X, given, "predict"))]
        return labels

    @available_if(_alone_has_intervals)
    def predict_interval(self, X: Any, level: float = 0.95, **given: Any) -> NDArray[Any]:
        """Give the intervals of a single model with all the weight, (n, K, 2)."""
        _, model, _, order = self._asked()[0]
        bounds: NDArray[Any] = model.predict_interval(X, level, **given)[:, order]
        return bounds

    def predict_frame(self, X: Any, level: float | None = None, **given: Any) -> Any:
        """Give a frame of the library X came from: the prediction, and the probability of each class.

        An average of models has no intervals; with a `level` a single model with all the weight gives its own.
        """
        return prediction_frame(self, X, level, **given)

    def decision_function(self, X: Any, **given: Any) -> NDArray[Any]:
        """Give the log odds of ``classes_[1]``, (n,), or the log probabilities, (n, K)."""
        alone: NDArray[Any] | None = self._alone("decision_function", X, given)
        return log_odds(self._log_mean(X, given, "decision_function")) if alone is None else alone
