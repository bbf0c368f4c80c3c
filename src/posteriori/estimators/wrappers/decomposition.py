"""What one-versus-rest and one-versus-one share: a problem of K classes taken apart into problems of two."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import field
from types import MethodType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import Bunch, _safe_indexing, check_array, get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_method_params, _num_samples, check_is_fitted, has_fit_parameter

from posteriori.arrays import Array
from posteriori.checks.numbers import plain_array, refuse_no_numbers
from posteriori.checks.sparse import checked_indices
from posteriori.estimators.parameters import parameters
from posteriori.estimators.prediction_frame import prediction_frame
from posteriori.estimators.scoring import Scored
from posteriori.estimators.wrappers.parts import scores_by_weight
from posteriori.input.classes.order import in_order
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import as_frame
from posteriori.input.targets import read_targets
from posteriori.input.weights import read_weights
from posteriori.messages.errors import DataError, DataTypeError

#: Rows that the fits of more than `FEW` problems may read in one pass each; one of few rows counts as `ROWS_OF_A_FIT`.
FEW, MOST_ROWS, ROWS_OF_A_FIT = 1000, 2e9, 1e4


def inner_has(name: str) -> Any:
    """Make a method available where the classifier inside has the one of this name."""

    def there(self: "Decomposition") -> bool:
        fitted = vars(self).get("estimators_")
        getattr(fitted[0] if fitted else self.estimator, name)
        return True

    return available_if(there)


class _FitAsInside:
    """`fit`, naming ``sample_weight`` in its signature only where the `fit` of the classifier inside does."""

    def __init__(self, fit: Callable[..., Any]) -> None:
        self.fit, self.__doc__ = fit, fit.__doc__

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self.fit
        weighted = has_fit_parameter(instance.estimator, "sample_weight")
        return MethodType(self.fit if weighted else self._plain, instance)

    @staticmethod
    def _plain(model: Any, X: Any, y: Any, **fit_params: Any) -> Any:
        return type(model).fit(model, X, y, **fit_params)


@parameters(kw_only=False)
class Decomposition(MetaEstimatorMixin, Scored, BaseEstimator):
    """A classifier of K classes made of classifiers of two.

    Concrete ones say which problems there are, and how their answers are put together.

    Book: [Bishop] Fig. 4.2, §4.1.2; [Deuschle] Fig. 3.2-3.3, §3.3.
    """

    estimator: Any
    classes_: NDArray[Any] = field(init=False)
    estimators_: list[Any] = field(init=False)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.input_tags.categorical = inner.input_tags.categorical
        tags.input_tags.positive_only = inner.input_tags.positive_only
        return tags

    @property
    def _takes_categories(self) -> bool:
        """Whether columns of text may stay what they are (`TableClassifier` asks)."""
        return bool(getattr(self.estimator, "_takes_categories", False))

    def get_metadata_routing(self) -> Any:
        """Say that what `fit` is given is passed on to the `fit` of the classifiers inside."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner=type(self).__name__).add_self_request(scores_by_weight(self))
        return router.add(estimator=self.estimator, method_mapping=mapping)

    # --- learning

    @abstractmethod
    def _sizes(self, n_classes: int, n_rows: int) -> tuple[int, float]:
        """Return how many problems of two classes there are, and how many rows each has on average."""

    @abstractmethod
    def _problems(self, n_classes: int) -> list[Any]:
        """Check the parameters and list the problems of two classes."""

    @abstractmethod
    def _problem(self, problem: Any, labels: NDArray[Any], codes: NDArray[np.intp]) -> tuple[Any, NDArray[Any]]:
        """Give the rows of one problem (None for all) and their two labels."""

    @_FitAsInside
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit one classifier to each problem.

        Parameters
        ----------
        X : (n, d) whatever the classifier inside takes
        y : (n,) labels
        sample_weight : (n,) weights, for classifiers that take them; zero is the same as leaving the row out
        **fit_params : passed on to the classifiers inside, where metadata routing says so
        """
        y, sample_weight = aligned(X, y, "y"), aligned(X, sample_weight, "sample_weight")
        X = self._checked(X)
        n_rows = _num_samples(X)
        weights = read_weights(sample_weight, n_rows)
        given = self._routed(weights, fit_params)
        targets = read_targets(y, n_rows, weights)
        codes = targets.codes
        assert codes is not None
        kept = None if weights is None or (weights > 0).all() else np.flatnonzero(weights)
        self._refuse_many(targets.n_classes, n_rows)
        problems = self._problems(targets.n_classes)
        named = in_order(targets.classes[codes], targets.classes)
        fitted = []
        for problem in problems:
            rows, labels = self._problem(problem, named, codes)
            if kept is not None:
                rows = kept if rows is None else np.intersect1d(rows, kept, assume_unique=True)
            fitted.append(self._fit_one(X, labels, rows, given))
        alone = targets.n_classes == 2 and hasattr(fitted[0], "classes_")  # it alone answers: the order is its own
        return self._adopt(np.asarray(fitted[0].classes_) if alone else targets.classes, fitted)

    def _checked(self, X: Any) -> Any:
        """Give rows that can be picked; their cells are for the classifiers inside to check."""
        if as_frame(X) is not None:
            return X
        X = self._plain(X)
        try:
            return check_array(
                X, accept_sparse="csr", dtype=None, ensure_all_finite=False, estimator=self, input_name="X"
            )
        except TypeError as error:
            raise DataTypeError(str(error)) from None
        except ValueError as error:
            raise DataError(str(error)) from None

    def _plain(self, X: Any) -> Any:
        """Return an array without a mask, or a sparse matrix whose indices are checked."""
        if issparse(X):
            return checked_indices(X)
        X = plain_array(X)
        if isinstance(X, np.ndarray) and X.dtype.kind in "mMV":
            refuse_no_numbers(X)
        return X

    def _routed(self, weights: Array | None, fit_params: dict[str, Any]) -> Any:
        """Give what the classifiers inside are passed by name."""
        given = {**fit_params, **({} if weights is None else {"sample_weight": weights})}
        if not given:
            return {}
        from sklearn.utils._metadata_requests import _routing_enabled

        if _routing_enabled():
            return process_routing(self, "fit", **given).estimator.fit
        name = type(self.estimator).__name__
        if fit_params:
            raise TypeError(
                f"fit() got {', '.join(map(repr, fit_params))}, which is passed on to {name} only where metadata "
                "routing is enabled: sklearn.set_config(enable_metadata_routing=True)."
            )
        if not has_fit_parameter(self.estimator, "sample_weight"):
            raise DataError(f"{name} takes no sample_weight.")
        return Bunch(**given)

    def _fit_one(self, X: Any, labels: NDArray[Any], rows: NDArray[np.intp] | None, given: Any) -> Any:
        model = clone(self.estimator)
        if rows is None:
            return model.fit(X, labels, **given)
        params = _check_method_params(X, given, indices=rows) if given else {}
        return model.fit(_safe_indexing(X, rows), labels[rows], **params)

    def _adopt(self, classes: NDArray[Any], fitted: list[Any]) -> Self:
        for name in [name for name in vars(self) if name.endswith("_") and not name.startswith("__")]:
            delattr(self, name)
        self.classes_, self.estimators_ = classes, fitted
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(fitted[0], name):
                setattr(self, name, getattr(fitted[0], name))
        return self

    def _refuse_many(self, n_classes: int, n_rows: int) -> None:
        """Raise if there are so many problems that they would take hours, as where y is an identifier."""
        n_problems, each = self._sizes(n_classes, n_rows)
        if n_problems > FEW and n_problems * max(each, ROWS_OF_A_FIT) > MOST_ROWS:
            raise DataError(
                f"target 'y' has {n_classes} classes: {type(self).__name__} would make {n_problems} fits. Is y an "
                "identifier, or a number to be predicted? Merge rare classes, or use a model that learns all classes "
                "in one fit, such as NaiveBayes, GaussianClassifier or LogisticRegression."
            )

    @property
    def fit_notes_(self) -> list[Any]:
        """What the fits of all problems have to say about themselves."""
        return [note for model in self.estimators_ for note in getattr(model, "fit_notes_", [])]

    @property
    def fit_status_(self) -> str:
        """How the fits went: "ok", or the status of the first that did not go well."""
        found = (getattr(model, "fit_status_", "ok") for model in self.estimators_)
        return next((status for status in found if status != "ok"), "ok")

    @property
    def n_parameters_(self) -> int:
        """The number of free parameters of all problems."""
        return sum(model.n_parameters_ for model in self.estimators_)

    # --- predicting

    @abstractmethod
    def votes(self, X: Any) -> NDArray[np.int64]:
        """Give what each class is given by the problems, (n, K)."""

    @abstractmethod
    def is_ambiguous(self, X: Any) -> NDArray[np.bool_]:
        """Mark the rows on which the problems do not agree, (n,)."""

    @abstractmethod
    def decision_function(self, X: Any) -> Array:
        """Give scores whose sign, or argmax, is the prediction: (n,) for two classes, (n, K) for more."""

    def predict(self, X: Any) -> NDArray[Any]:
        """Give the class of each row."""
        check_is_fitted(self)
        if len(self.classes_) == 2:
            alone: NDArray[Any] = self.estimators_[0].predict(X)
            return alone
        labels: NDArray[Any] = self.classes_[self.decision_function(X).argmax(axis=1)]
        return labels

    def predict_frame(self, X: Any, level: float | None = None) -> Any:
        """Give a frame of the library X came from: the prediction, and the probability of each class.

        Parameters
        ----------
        X : (n, d) rows
        level : None; answers put together from several classifiers have no intervals
        """
        return prediction_frame(self, X, level)

    def _each(self, X: Any, answer: Callable[[Any, Any], Array]) -> Array:
        """Give an answer of every classifier inside, side by side."""
        check_is_fitted(self)
        X = X if as_frame(X) is not None else self._plain(X)
        return np.stack([answer(model, X) for model in self.estimators_], axis=1)


def score(model: Any, X: Any) -> Array:
    """Give a score of the second class, positive where it is the better one: (n,).

    It is the decision function, or the log odds where there are only probabilities, or 1 and -1.
    """
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X), dtype=np.float64).reshape(-1)
    if hasattr(model, "predict_proba"):
        logs = log_probabilities(model, X)
        with np.errstate(invalid="ignore"):
            odds: Array = logs[:, 1] - logs[:, 0]
        return odds
    return np.where(model.predict(X) == model.classes_[1], 1.0, -1.0)


def log_probabilities(model: Any, X: Any) -> Array:
    """Give log P of both classes, (n, 2)."""
    if hasattr(model, "predict_log_proba"):
        with np.errstate(divide="ignore"):
            return np.asarray(model.predict_log_proba(X), dtype=np.float64)
    with np.errstate(divide="ignore"):
        logs: Array = np.log(np.asarray(model.predict_proba(X), dtype=np.float64))
    return logs
