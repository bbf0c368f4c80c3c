"""`RejectOption`: a classifier that may abstain."""

import math
from itertools import chain, count
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array
from posteriori.decisions.argmax import argmax
from posteriori.decisions.reject import RiskCoverage, below_threshold, dearer_than_rejecting, risk_coverage
from posteriori.estimators.parameters import parameters
from posteriori.estimators.scoring import equal_labels
from posteriori.estimators.wrappers.decision_rules import apply_rejections, cost_table, decide, outcomes, rejected
from posteriori.estimators.wrappers.decision_wrapper import (
    DecisionWrapper,
    decision_function,
    predict_interval,
    predict_log_proba,
    predict_proba,
)
from posteriori.input.classes.class_values import as_objects, is_label, same
from posteriori.input.classes.costs import CostTable
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import native_of
from posteriori.input.targets import read_targets
from posteriori.input.weights import read_weights
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote
from posteriori.storable import storable


@storable
@parameters(kw_only=False)
class RejectOption(DecisionWrapper):
    """A classifier that rejects the rows whose predicted class is uncertain.

    By threshold: a row is rejected when max_k P(k | x) < ``threshold``. By cost (Chow 1970), in units of the cost of a
    mistake: when 1 - max_k P(k | x) >= ``cost``, so that a cost of 0 rejects every row and a cost of 1 none.

    Book: [Sugiyama] ch. 28, introduction.

    Parameters
    ----------
    estimator : a classifier with probabilities, of this library or scikit-learn's, fitted or not
    threshold : 0 to 1, optional
        The value of the largest probability below which a row is rejected.
    cost : 0 to 1, optional
        The cost of a rejection. Pass threshold or cost, not both; with neither no row is rejected.
    reject_label : optional
        The prediction for rejected rows, which must not be one of the classes. By default "rejected" for text labels
        ("undecided" if "rejected" is a class) and -1 for numbers (if -1 is a class, the smallest class minus 1: -2 for
        the labels -1 and +1).

    Attributes
    ----------
    classes_ : (K,)
    reject_label_ : the prediction for rejected rows
    estimator_ : the fitted clone of the classifier; only after `fit`
    n_features_in_, feature_names_in_ : those of the inner classifier

    Notes
    -----
    Around a fitted classifier it predicts without `fit`; `fit` clones and fits. Probabilities and scores are the inner
    classifier's, and so are the predictions for rows that are not rejected: actions where it is a `CostSensitive`.
    Predictions of mixed type, such as booleans and "rejected", are in an object array.

    Examples
    --------
    >>> import posteriori as pt
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "a", "b", "b"]
    >>> model = pt.LogisticRegression(prior=0.1).fit(X, y)
    >>> pt.RejectOption(model, threshold=0.8).predict([[0.0], [2.5], [5.0]]).tolist()
    ['a', 'rejected', 'b']
    >>> pt.RejectOption(model, cost=0.2).is_rejected([[0.0], [2.5], [5.0]]).tolist()
    [False, True, False]
    """

    threshold: Any = None
    cost: Any = None
    reject_label: Any = None

    def _check_parameters(self) -> None:
        check_rejection(self.threshold, self.cost)

    def _learn(self, inner: Any, X: Any, y: Any, params: dict[str, Any]) -> dict[str, Any]:
        if not self._is_identity():
            self._label(outcomes(inner))
        return {}

    def _is_identity(self) -> bool:
        self._check_parameters()
        return self.threshold is None and self.cost is None

    @property
    def reject_label_(self) -> Any:
        """The prediction for rejected rows."""
        check_is_fitted(self)
        return self._label(outcomes(self._inner))

    def _label(self, predictions: NDArray[Any]) -> Any:
        """Return the reject label; raise if it is one of the other predictions."""
        label = self.reject_label
        label = label.item() if isinstance(label, np.generic) else label
        label = _default_label(predictions) if label is None else label
        if not is_label(label):
            raise DataTypeError(f"reject_label={label!r} is not a label: pass text or a number.")
        if any(same(label, prediction) for prediction in as_objects(predictions)):
            raise DataError(
                f"reject_label {label!r} is also one of the predictions {quote(predictions.tolist(), most=20)}: "
                "rejected rows could not be distinguished from others. Choose another reject_label."
            )
        return label

    def is_rejected(self, X: Any, **params: Any) -> NDArray[np.bool_]:
        """Return which rows are rejected, by this classifier or by an inner `RejectOption`, (n,)."""
        return self._rejected(self._probabilities(X, params))

    def _uncertain(self, probabilities: Array) -> NDArray[np.bool_]:
        if self._is_identity():
            return np.zeros(len(probabilities), np.bool_)
        if self.threshold is not None:
            return below_threshold(probabilities, float(self.threshold))
        return dearer_than_rejecting(probabilities, float(self.cost))

    def _rejected(self, probabilities: Array) -> NDArray[np.bool_]:
        return self._uncertain(probabilities) | rejected(self._inner, probabilities)

    def predict(self, X: Any, **params: Any) -> NDArray[Any]:
        """Return the inner prediction for each row, or ``reject_label_`` where it is rejected."""
        predictions = self._predict_inside("predict", X, params)
        if self._is_identity():
            return predictions
        return self._rejecting(self._probabilities(X, params), predictions)

    def _decide(self, probabilities: Array) -> NDArray[Any]:
        return self._rejecting(probabilities, decide(self._inner, probabilities))

    def _apply_rejections(self, probabilities: Array, labels: NDArray[Any]) -> NDArray[Any]:
        return self._rejecting(probabilities, apply_rejections(self._inner, probabilities, labels))

    def _outcomes(self) -> NDArray[Any]:
        return outcomes(self._inner)

    def _cost_table(self) -> CostTable | None:
        return cost_table(self._inner)

    def _probabilities(self, X: Any, params: dict[str, Any], caller: str = "predict") -> Array:
        return self._inner_probabilities(X, params, caller)

    predict_proba = predict_proba
    predict_log_proba = predict_log_proba
    decision_function = decision_function
    predict_interval = predict_interval

    def _rejecting(self, probabilities: Array, labels: NDArray[Any]) -> NDArray[Any]:
        """Return labels with the reject label in uncertain rows, in an array that can hold both."""
        if self._is_identity():
            return labels
        label = self.reject_label_
        dtype = _common_dtype(labels.dtype, label)
        result = as_objects(labels) if dtype is object else labels.astype(dtype)
        result[self._uncertain(probabilities)] = label
        return result

    def risk_coverage(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> RiskCoverage:
        """Return coverage and risk at every rejection threshold.

        Coverage is the fraction of rows that are not rejected, risk the mean loss on them. The loss is that of the
        inner classifier's predictions: 1 for a wrong class, or the cost where it is a `CostSensitive`. ``threshold``
        and ``cost`` of this classifier have no effect; a row that an inner `RejectOption` rejects counts with its most
        probable class.

        Parameters
        ----------
        X : (n, d) rows
        y : (n,) their classes
        sample_weight : (n,) weights
        **params : passed on to the inner classifier

        Returns
        -------
        RiskCoverage : with coverage, risk and threshold (m,), `to_frame`, and area
        """
        y, sample_weight = aligned(X, y, "y"), aligned(X, sample_weight, "sample_weight")
        p = self._probabilities(X, params)
        predictions = self._predict_inside("predict", X, params)
        weights = read_weights(sample_weight, len(p))
        if len(p) == 0:
            raise DataError("risk_coverage needs at least one row; X has 0.")
        return risk_coverage(p, self._losses(predictions, y, p), weights, native_of(X))

    def _losses(self, predictions: NDArray[Any], y: Any, probabilities: Array) -> Array:
        costs = self._cost_table()
        if costs is None:
            wrong = ~equal_labels(predictions, y)
            inside = rejected(self._inner, probabilities)
            if inside.any():
                wrong[inside] = ~equal_labels(self.classes_[argmax(probabilities)], y)[inside]
            return wrong.astype(np.float64)
        codes = read_targets(y, len(predictions), classes=self.classes_).codes
        matches = as_objects(predictions)[:, None] == as_objects(costs.actions)
        if not matches.any(axis=1).all():
            raise DataError(
                "the inner classifier rejects rows itself, and a rejection has no cost: remove the inner RejectOption."
            )
        taken = matches.argmax(axis=1)
        return costs.values[taken, codes]


def check_rejection(threshold: Any, cost: Any) -> None:
    """Raise unless one of them at most is passed, a number from 0 to 1."""
    if threshold is not None and cost is not None:
        raise DataError("pass threshold or cost, not both: each defines when to reject.")
    for name, value in (("threshold", threshold), ("cost", cost)):
        number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
        if value is not None and not (number and 0 <= value <= 1):
            raise DataError(f"{name}={value!r} must be a number from 0 to 1.")


def _default_label(predictions: NDArray[Any]) -> Any:
    """Return a label of the type of the predictions that is none of them."""
    kind, taken = predictions.dtype.kind, as_objects(predictions).tolist()
    if kind in "iu" or (kind == "O" and all(isinstance(each, int) for each in taken)):
        return -1 if -1 not in taken else min(taken) - 1
    if kind == "f":  # beyond 2^53 subtracting one changes nothing
        return -1.0 if -1.0 not in taken else min(min(taken) - 1.0, math.nextafter(min(taken), -math.inf))
    words = chain(("rejected", "undecided"), (f"undecided {n}" for n in count(2)))
    return next(word for word in (each.encode() if kind == "S" else each for each in words) if word not in taken)


def _common_dtype(dtype: np.dtype[Any], label: Any) -> Any:
    """Return a dtype that holds the predictions and the label exactly; object where there is no other."""
    other = np.array(label).dtype
    if dtype.kind == other.kind and dtype.kind in "US":
        return np.promote_types(dtype, other)
    if dtype.kind in "iu" and isinstance(label, int) and not isinstance(label, bool):
        both = np.promote_types(dtype, np.min_scalar_type(label))
        return both if both.kind in "iu" else object
    if dtype.kind == "f" and isinstance(label, int | float) and not isinstance(label, bool):
        return np.promote_types(dtype, np.min_scalar_type(float(label)))
    return object
