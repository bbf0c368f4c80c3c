"""`Decomposition`: base class of one-versus-rest and one-versus-one, which solve K classes by binary problems."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn import get_config
from sklearn.base import clone
from sklearn.utils import ClassifierTags, _safe_indexing, check_array
from sklearn.utils.validation import _check_method_params, _num_samples, check_is_fitted

from posteriori.arrays import Array
from posteriori.checks.numbers import plain_array, refuse_no_numbers
from posteriori.checks.sparse import checked_indices
from posteriori.estimators.learned import replace_learned
from posteriori.estimators.log_probabilities import log_odds, log_probabilities_of
from posteriori.estimators.parameters import parameters
from posteriori.estimators.wrappers.meta_classifier import FitLikeInner, MetaClassifier
from posteriori.input.classes.order import in_order
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import as_frame
from posteriori.input.targets import read_targets
from posteriori.input.weights import read_weights
from posteriori.messages.errors import DataError, DataTypeError

#: Limit on the rows read by the fits of more than `FEW` problems; a fit counts as at least `ROWS_OF_A_FIT` rows.
FEW, MOST_ROWS, ROWS_OF_A_FIT = 1000, 2e9, 1e4


@parameters(kw_only=False)
class Decomposition(MetaClassifier):
    """A classifier of K classes made of binary classifiers.

    Subclasses list the binary problems and combine their predictions.

    Book: [Bishop] Fig. 4.2, §4.1.2; [Deuschle] Fig. 3.2-3.3, §3.3.
    """

    estimator: Any
    classes_: NDArray[Any] = field(init=False)
    estimators_: list[Any] = field(init=False)

    _fitted_name = "estimators_"
    _routed_methods = ()

    @property
    def _base_classifiers(self) -> dict[str, Any]:
        return {"estimator": self.estimator}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags()  # more than two classes, whatever the inner classifier takes
        return tags

    # --- learning

    @abstractmethod
    def _sizes(self, n_classes: int, n_rows: int) -> tuple[int, float]:
        """Return the number of binary problems, and how many rows each has on average."""

    @abstractmethod
    def _problems(self, n_classes: int) -> list[Any]:
        """Check the parameters and list the binary problems."""

    @abstractmethod
    def _problem(self, problem: Any, labels: NDArray[Any], codes: NDArray[np.intp]) -> tuple[Any, NDArray[Any]]:
        """Return the rows of one problem (None for all), and the binary labels of all rows."""

    @FitLikeInner
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit one classifier to each binary problem.

        Parameters
        ----------
        X : (n, d) rows of any kind that the inner classifier takes
        y : (n,) labels
        sample_weight : (n,) weights, for classifiers that take them; rows of weight zero are ignored
        **fit_params : passed on to the inner classifiers, where metadata routing is enabled and they request them
        """
        y, sample_weight = aligned(X, y, "y"), aligned(X, sample_weight, "sample_weight")
        X = self._indexable(X)
        n_rows = _num_samples(X)
        weights = read_weights(sample_weight, n_rows)
        params = self._fit_metadata(weights, fit_params)
        targets = read_targets(y, n_rows, weights)
        codes = targets.codes
        assert codes is not None
        positive = None if weights is None or (weights > 0).all() else np.flatnonzero(weights)
        self._check_cost(targets.n_classes, n_rows)
        problems = self._problems(targets.n_classes)
        labels = in_order(targets.classes[codes], targets.classes)
        fitted = []
        for problem in problems:
            rows, binary = self._problem(problem, labels, codes)
            if positive is not None:
                rows = positive if rows is None else np.intersect1d(rows, positive, assume_unique=True)
            fitted.append(self._fit_one(X, binary, rows, params))
        single = targets.n_classes == 2 and hasattr(fitted[0], "classes_")  # it alone predicts, in its own order
        learned = {name: getattr(fitted[0], name) for name in ("n_features_in_", "feature_names_in_")
                   if hasattr(fitted[0], name)}  # fmt: skip
        classes = np.asarray(fitted[0].classes_) if single else targets.classes
        replace_learned(self, classes_=classes, estimators_=fitted, **learned)
        return self

    def _indexable(self, X: Any) -> Any:
        """Return rows that can be selected by number; the inner classifiers check their cells."""
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

    def _fit_metadata(self, weights: Array | None, fit_params: dict[str, Any]) -> dict[str, Any]:
        """Return the metadata for the `fit` of the inner classifiers."""
        if fit_params and not get_config()["enable_metadata_routing"]:
            raise TypeError(
                f"fit() got {', '.join(map(repr, fit_params))}, which is passed on to {type(self.estimator).__name__} "
                "only where metadata routing is enabled: sklearn.set_config(enable_metadata_routing=True)."
            )
        return self._routed("fit", "fit", {**fit_params, **({} if weights is None else {"sample_weight": weights})})

    def _fit_one(self, X: Any, labels: NDArray[Any], rows: NDArray[np.intp] | None, metadata: dict[str, Any]) -> Any:
        model = clone(self.estimator)
        if rows is None:
            return model.fit(X, labels, **metadata)
        params = _check_method_params(X, metadata, indices=rows) if metadata else {}
        return model.fit(_safe_indexing(X, rows), labels[rows], **params)

    def _check_cost(self, n_classes: int, n_rows: int) -> None:
        """Raise if there are so many problems that they would take hours, as where y is an identifier."""
        n_problems, each = self._sizes(n_classes, n_rows)
        if n_problems > FEW and n_problems * max(each, ROWS_OF_A_FIT) > MOST_ROWS:
            raise DataError(
                f"target 'y' has {n_classes} classes: {type(self).__name__} would make {n_problems} fits. Is y an "
                "identifier, or a number to be predicted? Merge rare classes, or use a model that learns all classes "
                "in one fit, such as NaiveBayes, GaussianClassifier or LogisticRegression."
            )

    # --- predicting

    @abstractmethod
    def votes(self, X: Any) -> NDArray[np.int64]:
        """Return the votes of the binary classifiers for each class, (n, K)."""

    @abstractmethod
    def is_ambiguous(self, X: Any) -> NDArray[np.bool_]:
        """Return which rows the binary classifiers do not agree on, (n,)."""

    @abstractmethod
    def decision_function(self, X: Any) -> Array:
        """Return scores whose sign, or argmax, is the prediction: (n,) for two classes, (n, K) for more."""

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row."""
        if len(self._fitted_classes) == 2:
            predicted: NDArray[Any] = self.estimators_[0].predict(X)
            return predicted
        labels: NDArray[Any] = self.classes_[self.decision_function(X).argmax(axis=1)]
        return labels

    @property
    def _fitted_classes(self) -> NDArray[Any]:
        check_is_fitted(self)
        return self.classes_

    def _by_classifier(self, X: Any, predict: Callable[[Any, Any], Array]) -> Array:
        """Return the predictions of every inner classifier, stacked along axis 1."""
        check_is_fitted(self)
        X = X if as_frame(X) is not None else self._plain(X)
        return np.stack([predict(model, X) for model in self.estimators_], axis=1)


def binary_score(model: Any, X: Any) -> Array:
    """Return a score of the second class, positive where it is predicted, (n,).

    It is the decision function; without one the log odds, or 1 and -1 where there are no probabilities either.
    """
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X), dtype=np.float64).reshape(-1)
    if hasattr(model, "predict_proba"):
        with np.errstate(invalid="ignore"):
            return log_odds(log_probabilities_of(model, X))
    return np.where(model.predict(X) == model.classes_[1], 1.0, -1.0)
