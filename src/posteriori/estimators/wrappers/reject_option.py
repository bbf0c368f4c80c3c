"""`RejectOption`: a classifier that may decline to answer."""

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
from posteriori.estimators.wrappers.base import Wrapper
from posteriori.estimators.wrappers.decision_rules import outcomes
from posteriori.estimators.wrappers.parts import equal
from posteriori.input.classes.class_values import as_objects, is_label, same
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import native_of
from posteriori.input.targets import read_targets
from posteriori.input.weights import read_weights
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote
from posteriori.storable import storable


@storable
@parameters(kw_only=False)
class RejectOption(Wrapper):
    """A classifier that rejects the rows it is not sure of.

    By level: a row is rejected when max_k P(k | x) < ``threshold``. By cost (Chow 1970), with a mistake as the unit:
    when 1 - max_k P(k | x) >= ``cost``, so that a cost of 0 rejects every row and a cost of 1 none.

    Book: [Sugiyama] ch. 28, introduction.

    Parameters
    ----------
    estimator : a classifier with probabilities, of this library or scikit-learn's, fitted or not
    threshold : 0 to 1, optional
        The level of the largest probability below which a row is rejected.
    cost : 0 to 1, optional
        What rejecting costs; one of the two, or neither, and nothing is rejected.
    reject_label : optional
        The answer to rejected rows, which must not be one of the classes. By default "rejected" where the classes are
        text ("undecided" if "rejected" is a class) and -1 where they are numbers (the least class minus 1 if -1 is a
        class: -2 for the labels -1 and +1).

    Attributes
    ----------
    classes_ : (K,)
    reject_label_ : the answer to rejected rows
    estimator_ : the fitted classifier, a clone of the one given; not there until `fit` is called
    n_features_in_, feature_names_in_ : those of the classifier inside

    Notes
    -----
    Around a fitted classifier it answers at once; `fit` clones and fits. Probabilities and scores are those of the
    classifier inside; rows that are not rejected get its answer, an action where that is a `CostSensitive`. Answers
    that no one type can hold, such as truth values and "rejected", come in an array of objects.

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
        if self.threshold is not None and self.cost is not None:
            raise DataError("give a threshold or a cost, not both: they are two ways to say when to reject.")
        for name, value in (("threshold", self.threshold), ("cost", self.cost)):
            number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
            if value is not None and not (number and 0 <= value <= 1):
                raise DataError(f"{name}={value!r} must be a number from 0 to 1.")

    def _learn(self, inner: Any, X: Any, y: Any, given: dict[str, Any]) -> dict[str, Any]:
        if not self._changes_nothing():
            self._label(outcomes(inner))
        return {}

    def _changes_nothing(self) -> bool:
        self._check_parameters()
        return self.threshold is None and self.cost is None

    @property
    def reject_label_(self) -> Any:
        """The answer to rejected rows."""
        check_is_fitted(self)
        return self._label(outcomes(self._inner))

    def _label(self, answers: NDArray[Any]) -> Any:
        """Give the label of rejection, which must be none of the other answers."""
        label = self.reject_label
        label = label.item() if isinstance(label, np.generic) else label
        label = _default_label(answers) if label is None else label
        if not is_label(label):
            raise DataTypeError(f"reject_label={label!r} is no label: give text or a number.")
        if any(same(label, answer) for answer in as_objects(answers)):
            raise DataError(
                f"reject_label {label!r} is also one of the answers {quote(answers.tolist(), most=20)}: rejected "
                "rows could not be told from others. Give another reject_label."
            )
        return label

    def is_rejected(self, X: Any, **given: Any) -> NDArray[np.bool_]:
        """Mark the rows that are rejected, here or by a `RejectOption` inside, (n,)."""
        return self._rejected(self._probabilities(X, given))

    def _doubtful(self, probabilities: Array) -> NDArray[np.bool_]:
        if self._changes_nothing():
            return np.zeros(len(probabilities), np.bool_)
        if self.threshold is not None:
            return below_threshold(probabilities, float(self.threshold))
        return dearer_than_rejecting(probabilities, float(self.cost))

    def _rejected(self, probabilities: Array) -> NDArray[np.bool_]:
        return self._doubtful(probabilities) | super()._rejected(probabilities)

    def predict(self, X: Any, **given: Any) -> NDArray[Any]:
        """Give the answer to each row, ``reject_label_`` where it is rejected."""
        answers = self._ask("predict", X, given, "predict")
        if self._changes_nothing():
            return answers
        return self._put(answers, self._doubtful(self._probabilities(X, given)))

    def _decide(self, probabilities: Array) -> NDArray[Any]:
        return self._place(probabilities, super()._decide(probabilities))

    def _apply_rejections(self, probabilities: Array, labels: NDArray[Any]) -> NDArray[Any]:
        return self._place(probabilities, super()._apply_rejections(probabilities, labels))

    def _place(self, probabilities: Array, labels: NDArray[Any]) -> NDArray[Any]:
        if self._changes_nothing():
            return labels
        return self._put(labels, self._doubtful(probabilities))

    def _put(self, labels: NDArray[Any], rejected: NDArray[np.bool_]) -> NDArray[Any]:
        """Write the label of rejection over others, in an array that can hold both."""
        label = self.reject_label_
        dtype = _common(labels.dtype, label)
        answers = as_objects(labels) if dtype is object else labels.astype(dtype)
        answers[rejected] = label
        return answers

    def risk_coverage(self, X: Any, y: Any, sample_weight: Any = None, **given: Any) -> RiskCoverage:
        """Give, for every level of rejection, the share of rows answered and the mean loss on them.

        The loss is that of the answers of the classifier inside: 1 where the answer is not the class, or what it
        costs where that is a `CostSensitive`. The rule of this one, ``threshold`` or ``cost``, plays no part, and a
        row that a `RejectOption` inside rejects is judged by its most probable class.

        Parameters
        ----------
        X : (n, d) rows
        y : (n,) their classes
        sample_weight : (n,) weights
        **given : passed on to the classifier inside

        Returns
        -------
        The curve, with coverage, risk and threshold (m,), `to_frame`, and area
        """
        y, sample_weight = aligned(X, y, "y"), aligned(X, sample_weight, "sample_weight")
        p = self._probabilities(X, given)
        answers = self._ask("predict", X, given, "predict")
        weights = read_weights(sample_weight, len(p))
        if len(p) == 0:
            raise DataError("risk_coverage needs at least one row; X has 0.")
        return risk_coverage(p, self._losses(answers, y, p), weights, native_of(X))

    def _losses(self, answers: NDArray[Any], y: Any, probabilities: Array) -> Array:
        costs = self._cost_table()
        if costs is None:
            wrong = ~equal(answers, y)
            refused = super()._rejected(probabilities)
            if refused.any():
                wrong[refused] = ~equal(self.classes_[argmax(probabilities)], y)[refused]
            return wrong.astype(np.float64)
        codes = read_targets(y, len(answers), classes=self.classes_).codes
        matches = as_objects(answers)[:, None] == as_objects(costs.actions)
        if not matches.any(axis=1).all():
            raise DataError("the classifier inside rejects rows itself, and a rejection has no cost; leave it out.")
        taken = matches.argmax(axis=1)
        losses: Array = costs.values[taken, codes]
        return losses


def _default_label(answers: NDArray[Any]) -> Any:
    """Return a label of the kind of the answers that is none of them."""
    kind, taken = answers.dtype.kind, as_objects(answers).tolist()
    if kind in "iu" or (kind == "O" and all(isinstance(each, int) for each in taken)):
        return -1 if -1 not in taken else min(taken) - 1
    if kind == "f":  # beyond 2^53 the number less one is the number itself
        return -1.0 if -1.0 not in taken else min(min(taken) - 1.0, math.nextafter(min(taken), -math.inf))
    words = chain(("rejected", "undecided"), (f"undecided {n}" for n in count(2)))
    return next(word for word in (each.encode() if kind == "S" else each for each in words) if word not in taken)


def _common(dtype: np.dtype[Any], label: Any) -> Any:
    """Give the type of an array that holds the answers and the label; objects where no other keeps both whole."""
    other = np.array(label).dtype
    if dtype.kind == other.kind and dtype.kind in "US":
        return np.promote_types(dtype, other)
    if dtype.kind in "iu" and isinstance(label, int) and not isinstance(label, bool):
        both = np.promote_types(dtype, np.min_scalar_type(label))
        return both if both.kind in "iu" else object
    if dtype.kind == "f" and isinstance(label, int | float) and not isinstance(label, bool):
        return np.promote_types(dtype, np.min_scalar_type(float(label)))
    return object
