"""Predicted probabilities of rows and their true classes, from which the Displays of decisions are computed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from posteriori.arrays import Array, Codes
from posteriori.checks.numbers import refuse_masked
from posteriori.estimators.wrappers.checks import check_probabilities, require_probabilities
from posteriori.input.classes.class_values import as_objects, same
from posteriori.input.frames.native import native_of
from posteriori.input.labelled_data import LabelledData, read_labelled_data
from posteriori.input.targets import read_targets
from posteriori.input.weights import read_weights
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote
from posteriori.plots.shared.rows import codes_of

#: How far the sum of a row's probabilities may be from one.
SLACK = 1e-6


@dataclass(frozen=True)
class PredictedProbabilities:
    """Predicted probabilities of n rows of positive weight, and their true classes.

    Parameters
    ----------
    logs, probabilities : (n, K)
    codes : (n,) the true classes, as indices into `classes`
    weights : (n,), or None if all rows have weight one
    classes : (K,) of the model
    target : the name of the target
    library : the frame library of X, or None
    """

    logs: Array
    probabilities: Array
    codes: Codes
    weights: Array | None
    classes: NDArray[Any]
    target: str = "y"
    library: str | None = None

    @property
    def row_weights(self) -> Array:
        """The weight of each row, (n,)."""
        return np.ones(len(self.codes)) if self.weights is None else self.weights

    @property
    def labels(self) -> list[Any]:
        """The classes as labels, dates as dates."""
        labels: list[Any] = as_objects(self.classes).tolist()
        return labels

    def index_of(self, label: Any, parameter: str) -> int:
        """Return the index of a class."""
        matches = [k for k, known in enumerate(self.labels) if same(known, label)]
        if len(matches) != 1:
            raise DataError(f"{parameter}={label!r} is none of the classes {quote(self.labels, most=20)}.")
        return matches[0]


def read_rows(X: Any, y: Any, sample_weight: Any = None, params: Mapping[str, Any] | None = None) -> LabelledData:
    """Read rows, their classes and weights; rows of weight zero are dropped.

    Parameters
    ----------
    X : (n, d) array, sparse matrix or frame
    y, sample_weight : (n,) values, or names of columns of X
    params : {name: values} passed on to the classifier
    """
    data = read_labelled_data(X, y, sample_weight, extra=params)
    weights = read_weights(data.sample_weight, data.n_rows)
    return data if weights is None else data.select(weights > 0)


def predict(estimator: Any, rows: LabelledData) -> PredictedProbabilities:
    """Return the probabilities that a fitted classifier predicts for rows; raise if it does not know their labels."""
    check_is_fitted(estimator)
    require_probabilities(estimator, "this figure")
    classes = np.asarray(estimator.classes_)
    p = np.asarray(estimator.predict_proba(rows.X, **rows.extra), dtype=np.float64)
    _check_range(check_probabilities(p, estimator, len(classes)))
    with np.errstate(divide="ignore"):
        exact = getattr(estimator, "predict_log_proba", None)  # accurate where p rounds to one or to zero
        logs = np.log(p) if exact is None else np.asarray(exact(rows.X, **rows.extra), dtype=np.float64)
    target = getattr(estimator, "target_", None) or rows.target or "y"
    return _matched(logs, p, classes, rows, str(target), native_of(rows.X))


def read_probabilities(
    y: Any, probabilities: Any, classes: Any = None, sample_weight: Any = None
) -> PredictedProbabilities:
    """Check predicted probabilities, (n, K), or (n,) those of the second of two classes.

    Without `classes` the columns are those of the distinct labels of y, in sorted order.
    """
    known = np.asarray(_classes_of(y, probabilities) if classes is None else classes)
    if known.ndim != 1 or len(known) < 2 or len(set(known.tolist())) < len(known):
        raise DataError(f"classes must list at least two different labels; got {classes!r}.")
    refuse_masked(probabilities, "probabilities")
    p = np.asarray(probabilities)
    if p.dtype.kind not in "fiub":
        raise DataTypeError(f"probabilities must be numbers, not {p.dtype}.")
    p = p.astype(np.float64)
    single = p.ndim == 1 and len(known) == 2
    if not single and (p.ndim != 2 or p.shape[1] != len(known)):
        raise DataError(f"probabilities have shape {p.shape}, expected (n, {len(known)}): one column per class.")
    _check_range(p[:, None] if single else p, whole=not single)
    rows = read_rows(p, y, sample_weight)
    p = rows.X
    with np.errstate(divide="ignore"):
        logs = np.column_stack([np.log1p(-p), np.log(p)]) if single else np.log(p)
    p = np.column_stack([1.0 - p, p]) if single else p
    return _matched(logs, p, known, rows, rows.target or "y")


def _matched(
    logs: Array, p: Array, classes: NDArray[Any], rows: LabelledData, target: str, library: str | None = None
) -> PredictedProbabilities:
    """Return probabilities with the true classes of their rows."""
    weights = read_weights(rows.sample_weight, rows.n_rows)
    return PredictedProbabilities(logs, p, codes_of(rows.y, len(p), classes), weights, classes, target, library)


def _classes_of(y: Any, probabilities: Any) -> NDArray[Any]:
    """Return the distinct labels of y, one per column of the probabilities; for labels 0 and 1 always both."""
    shape = np.shape(probabilities)
    columns, plain = shape[1] if len(shape) == 2 else 2, np.asarray(y)
    if columns == 2 and len(plain) and plain.dtype.kind in "biuf" and np.isin(plain, (0, 1)).all():
        return np.array([0, 1], dtype=plain.dtype)
    known = read_targets(y, shape[0] if shape else 0).classes
    if len(known) != columns:
        labels = quote(as_objects(known).tolist(), most=20)
        raise DataError(
            f"y has {len(known)} classes, {labels}, but the probabilities have {columns} columns: list the labels of "
            "the columns by classes=."
        )
    return known


def _check_range(p: Array, whole: bool = True) -> None:
    """Raise if some row has no valid probabilities; if all classes are there, they must sum to one."""
    bad = ~np.isfinite(p).all(axis=1) | (p < 0).any(axis=1) | (p > 1 + SLACK).any(axis=1)
    if whole:
        bad |= ~(np.abs(p.sum(axis=1) - 1.0) <= SLACK)
    if bad.any():
        raise DataError(
            f"probabilities must be from 0 to 1{' and sum to one' if whole else ''}: {int(bad.sum())} of {len(p)} rows "
            f"do not, the first is row {int(bad.argmax())}."
        )


def check_named(estimators: Any) -> Mapping[str, Any]:
    """Raise if the models to be drawn together are not a dict of at least one."""
    if not isinstance(estimators, Mapping) or not estimators:
        raise DataError("pass {name: fitted classifier}, at least one.")
    return estimators
