"""`ModelAverage`: the average of several classifiers' probabilities, weighted by model evidence."""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.decisions.argmax import argmax
from posteriori.estimators.base import as_given, logs_as_given
from posteriori.estimators.learned import replace_learned
from posteriori.estimators.log_probabilities import log_odds
from posteriori.estimators.parameters import parameters
from posteriori.estimators.wrappers.checks import check_probabilities, require_probabilities
from posteriori.estimators.wrappers.meta_classifier import FitLikeInner, MetaClassifier, Prefit
from posteriori.estimators.wrappers.model_weights import class_orders, read_model_weights, read_models
from posteriori.storable import storable


def _one_model_has_intervals(average: "ModelAverage") -> bool:
    """Return whether a single model has all the weight, and has intervals."""
    weighted = average._weighted_models()
    return len(weighted) == 1 and hasattr(weighted[0][1], "predict_interval")


@storable
@parameters(kw_only=False)
class ModelAverage(Prefit, MetaClassifier):
    """Bayesian model averaging: P(k | x) = sum_m w_m P_m(k | x).

    By default w_m is proportional to the model evidence p(D | m): the posterior probability of model m under equal
    prior probabilities. The most probable class is then the Bayes-optimal one; all weight on one model is the MAP
    choice.

    Book: [Mitchell] exercise 4.

    Parameters
    ----------
    models : list of classifiers with probabilities over the same classes, fitted or not
    weights : "evidence" | (M,) non-negative numbers
        "evidence" takes the ``log_evidence_`` of each model, which must be that of the same rows.

    Attributes
    ----------
    classes_ : (K,)
    models_ : the fitted clones of the models; only after `fit`
    weights_ : (M,) summing to one
    n_features_in_, feature_names_in_ : those of the models

    Notes
    -----
    Around fitted models it predicts without `fit`; `fit` clones and fits all of them. Models of weight zero are not
    evaluated. The results of a single model with weight one are returned unchanged, to the last bit.

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

    _fitted_name = "models_"

    @property
    def _base_classifiers(self) -> dict[str, Any]:
        return {f"model_{number}": model for number, model in enumerate(read_models(self.models))}

    # --- learning

    @FitLikeInner
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit a clone of every model to the same rows.

        Parameters
        ----------
        X : (n, d) rows of any kind that the models take
        y : (n,) labels
        sample_weight : (n,) weights, for models that take them
        **fit_params : passed on to the models; where metadata routing is enabled, those that they request
        """
        params = {**fit_params, **({} if sample_weight is None else {"sample_weight": sample_weight})}
        models = self._base_classifiers
        for model in models.values():
            require_probabilities(model, type(self).__name__)
        routed = {name: self._routed("fit", "fit", params, name) for name in models}
        if not isinstance(self.weights, str):
            read_model_weights(self.weights, list(models.values()))
        fitted = [clone(model).fit(X, y, **routed[name]) for name, model in models.items()]
        read_model_weights(self.weights, fitted)
        class_orders(fitted)
        replace_learned(self, models_=fitted)
        return self

    @property
    def weights_(self) -> Array:
        """The weight of each model, (M,), summing to one."""
        check_is_fitted(self)
        return read_model_weights(self.weights, self._inner_classifiers)

    # --- predicting

    def _weighted_models(self) -> list[tuple[str, Any, float, NDArray[np.intp]]]:
        """Return name, model, weight and order of classes of the models whose weight is not zero."""
        models = self._fitted_inner()
        weights = read_model_weights(self.weights, models)
        each = zip(models, weights.tolist(), class_orders(models), strict=True)
        return [(f"model_{i}", model, weight, order) for i, (model, weight, order) in enumerate(each) if weight > 0]

    def _only_model(self, method: str, X: Any, params: dict[str, Any]) -> Any:
        """Return the result of a single model with all the weight; None if there are more or it lacks the method."""
        weighted = self._weighted_models()
        name, model, _, order = weighted[0]
        if len(weighted) > 1 or not hasattr(model, method) or (order != np.arange(len(order))).any():
            return None
        return getattr(model, method)(X, **self._routed(method, method, params, name))

    def _mean(self, X: Any, params: dict[str, Any], caller: str) -> Array:
        """Return sum_m w_m P_m, (n, K)."""
        parts = []
        for name, model, weight, order in self._weighted_models():
            p = np.asarray(model.predict_proba(X, **self._routed(caller, "predict_proba", params, name)))
            parts.append(weight * check_probabilities(p.astype(np.float64), model, len(order))[:, order])
        mean: Array = np.sum(parts, axis=0)
        return mean

    def _log_mean(self, X: Any, params: dict[str, Any], caller: str) -> Array:
        """Return log sum_m w_m P_m, (n, K)."""
        weighted = self._weighted_models()
        logs = [self._inner_log_probabilities(model, X, params, caller, name)[:, order]
                for name, model, _, order in weighted]  # fmt: skip
        weights = np.array([weight for _, _, weight, _ in weighted])
        mean: Array = logsumexp(np.stack(logs), axis=0, b=weights[:, None, None])
        return mean

    def predict_proba(self, X: Any, **params: Any) -> NDArray[Any]:
        """Return sum_m w_m P_m(class | x), (n, K) in the order of ``classes_``."""
        only: NDArray[Any] | None = self._only_model("predict_proba", X, params)
        return as_given(X, self._mean(X, params, "predict_proba")) if only is None else only

    def predict_log_proba(self, X: Any, **params: Any) -> NDArray[Any]:
        """Return log sum_m w_m P_m(class | x), (n, K), exact where the probability itself would round to zero."""
        only: NDArray[Any] | None = self._only_model("predict_log_proba", X, params)
        if only is not None:
            return only
        logs = logs_as_given(X, self._log_mean(X, params, "predict_log_proba"))
        if logs.dtype == np.float32:  # means of rounded probabilities and of rounded logs differ in the last digit
            p = as_given(X, self._mean(X, params, "predict_log_proba"))
            np.log(p, out=logs, where=p > 0.5)
        return logs

    def predict(self, X: Any, **params: Any) -> NDArray[Any]:
        """Return the class of the largest averaged probability."""
        only: NDArray[Any] | None = self._only_model("predict", X, params)
        if only is not None:
            return only
        labels: NDArray[Any] = self.classes_[argmax(self._mean(X, params, "predict"))]
        return labels

    @available_if(_one_model_has_intervals)
    def predict_interval(self, X: Any, level: float = 0.95, **params: Any) -> NDArray[Any]:
        """Return the intervals of a single model that has all the weight, (n, K, 2); an average has none."""
        _, model, _, order = self._weighted_models()[0]
        bounds: NDArray[Any] = model.predict_interval(X, level, **params)[:, order]
        return bounds

    def decision_function(self, X: Any, **params: Any) -> NDArray[Any]:
        """Return the log odds of ``classes_[1]``, (n,), or the log probabilities, (n, K)."""
        only: NDArray[Any] | None = self._only_model("decision_function", X, params)
        return log_odds(self._log_mean(X, params, "decision_function")) if only is None else only
