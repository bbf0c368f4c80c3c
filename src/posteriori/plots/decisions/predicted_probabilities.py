"""What a classifier says of some rows beside what they are: the ground of every figure of its decisions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples, check_is_fitted

from posteriori.arrays import Array
from posteriori.checks.numbers import refuse_masked
from posteriori.checks.sparse import checked_indices
from posteriori.estimators.wrappers.parts import checked, refuse_without_probabilities
from posteriori.input.classes.class_values import as_objects, same
from posteriori.input.frames.alignment import aligned
from posteriori.input.frames.native import as_frame, native_of, pick, refuse_two_uses
from posteriori.input.frames.row_selection import kept_rows, only
from posteriori.input.targets import read_targets
from posteriori.input.weights import read_weights
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote
from posteriori.plots.shared.rows import codes_of

#: How far probabilities may be from adding up to one.
SLACK = 1e-6


@dataclass(frozen=True)
class Forecasts:
    """Probabilities of n rows, all of positive weight, and their classes.

    Parameters
    ----------
    logs, probabilities : (n, K)
    codes : (n,) the true classes, as places in `classes`
    weights : (n,), or None where all rows weigh one
    classes : (K,) of the model
    target : the name of what is forecast
    library : the frame library of X, or None
    """

    logs: Array
    probabilities: Array
    codes: NDArray[np.intp]
    weights: Array | None
    classes: NDArray[Any]
    target: str = "y"
    library: str | None = None

    @property
    def mass(self) -> Array:
        """The weight of each row, (n,)."""
        return np.ones(len(self.codes)) if self.weights is None else self.weights

    @property
    def labels(self) -> list[Any]:
        """The classes as labels, dates as dates."""
        labels: list[Any] = as_objects(self.classes).tolist()
        return labels

    def place_of(self, label: Any, what: str) -> int:
        """Find a class by its label."""
        found = [at for at, known in enumerate(self.labels) if same(known, label)]
        if len(found) != 1:
            raise DataError(f"{what}={label!r} is none of the classes {quote(self.labels, most=20)}.")
        return found[0]


@dataclass(frozen=True)
class Asked:
    """Rows of positive weight, as a classifier is asked about them.

    Parameters
    ----------
    X, y : rows and labels
    weights : (n,) or None
    given : what is passed on by name, such as an offset
    target : the name of y
    """

    X: Any
    y: Any
    weights: Array | None
    given: dict[str, Any]
    target: str | None = None


def ask(X: Any, y: Any, sample_weight: Any = None, **given: Any) -> Asked:
    """Read rows; y and weights may be names of columns of a frame. Rows of weight zero are left out.

    Parameters
    ----------
    X : (n, d) array, sparse matrix or frame
    y : (n,) labels, or the name of a column
    sample_weight : (n,) weights, or the name of a column
    given : (n,) values passed on to the classifier by name
    """
    frame = as_frame(X)
    named = [value for value in (y, sample_weight) if isinstance(value, str)]
    if frame is None and named:
        raise DataTypeError(f"{quote(named)} names a column, but X is not a frame: give the values themselves.")
    target = y if isinstance(y, str) else getattr(y, "name", None)
    rows: Any = checked_indices(X).tocsr() if sp.issparse(X) else X
    if frame is not None and named:
        refuse_two_uses(named)
        y, sample_weight = pick(frame, y), pick(frame, sample_weight)
        frame = frame.drop(named)
        rows = frame.to_native()
    y, sample_weight = aligned(X, y, "y"), aligned(X, sample_weight, "sample_weight")
    given = {name: aligned(X, value, name) for name, value in given.items()}
    n_rows = int(_num_samples(X))
    if n_rows == 0:
        raise DataError("Found array with 0 sample(s) while a minimum of 1 is required: X has no rows to draw.")
    weights = read_weights(sample_weight, n_rows)
    if weights is not None and (weights == 0).any():
        counted = weights > 0
        if frame is None or hasattr(rows, "iloc"):  # so pandas keeps columns that are only numbered
            rows = _safe_indexing(rows, counted)
        else:
            rows = kept_rows(frame, counted).to_native()
        y, weights = only(y, counted), weights[counted]
        given = {name: only(value, counted) for name, value in given.items()}
    return Asked(rows, y, weights, given, target if isinstance(target, str) and target else None)


def forecasts_of(estimator: Any, asked: Asked) -> Forecasts:
    """Ask a fitted classifier for the probabilities of rows, and code their labels by its classes.

    Labels that it does not know are refused by name; classes that no row has are no fault.
    """
    check_is_fitted(estimator)
    refuse_without_probabilities(estimator, "this figure")
    classes = np.asarray(estimator.classes_)
    p = np.asarray(estimator.predict_proba(asked.X, **asked.given), dtype=np.float64)
    _refuse_no_probabilities(checked(p, estimator, len(classes)))
    with np.errstate(divide="ignore"):
        exact = getattr(estimator, "predict_log_proba", None)  # right where p rounds to one, or to zero
        logs = np.log(p) if exact is None else np.asarray(exact(asked.X, **asked.given), dtype=np.float64)
    target = getattr(estimator, "target_", None) or asked.target or "y"
    codes = codes_of(asked.y, len(p), classes)
    return Forecasts(logs, p, codes, asked.weights, classes, str(target), native_of(asked.X))


def forecasts_given(y: Any, probabilities: Any, classes: Any = None, sample_weight: Any = None) -> Forecasts:
    """Read probabilities that are there already: (n, K), or of two classes those of the second, (n,).

    Without `classes` the columns are those of the distinct labels of y, in order.
    """
    known = np.asarray(_found(y, probabilities) if classes is None else classes)
    if known.ndim != 1 or len(known) < 2 or len(set(known.tolist())) < len(known):
        raise DataError(f"classes must list two labels or more, each once; got {classes!r}.")
    refuse_masked(probabilities, "probabilities")
    p = np.asarray(probabilities)
    if p.dtype.kind not in "fiub":
        raise DataTypeError(f"probabilities must be numbers, not {p.dtype}.")
    p = p.astype(np.float64)
    single = p.ndim == 1 and len(known) == 2
    if not single and (p.ndim != 2 or p.shape[1] != len(known)):
        raise DataError(f"probabilities have shape {p.shape}, expected (n, {len(known)}): a column for each class.")
    _refuse_no_probabilities(p[:, None] if single else p, whole=not single)
    asked = ask(p, y, sample_weight)
    with np.errstate(divide="ignore"):
        logs = np.column_stack([np.log1p(-asked.X), np.log(asked.X)]) if single else np.log(asked.X)
    p = np.column_stack([1.0 - asked.X, asked.X]) if single else asked.X
    return Forecasts(logs, p, codes_of(asked.y, len(p), known), asked.weights, known, asked.target or "y")


def _found(y: Any, probabilities: Any) -> NDArray[Any]:
    """Give the distinct labels of y, as many as there are probabilities; those of zeros and ones are both at once."""
    shape = np.shape(probabilities)
    columns, plain = shape[1] if len(shape) == 2 else 2, np.asarray(y)
    if columns == 2 and len(plain) and plain.dtype.kind in "biuf" and np.isin(plain, (0, 1)).all():
        return np.array([0, 1], dtype=plain.dtype)
    known = read_targets(y, shape[0] if shape else 0).classes
    if len(known) != columns:
        seen = quote(as_objects(known).tolist(), most=20)
        raise DataError(
            f"y has {len(known)} classes, {seen}, and the probabilities are of {columns}: list the labels of their "
            "columns by classes=."
        )
    return known


def _refuse_no_probabilities(p: Array, whole: bool = True) -> None:
    bad = ~np.isfinite(p).all(axis=1) | (p < 0).any(axis=1) | (p > 1 + SLACK).any(axis=1)
    if whole:
        bad |= ~(np.abs(p.sum(axis=1) - 1.0) <= SLACK)
    if bad.any():
        raise DataError(
            f"probabilities must be from 0 to 1{' and sum to one' if whole else ''}: {int(bad.sum())} of {len(p)} rows "
            f"do not, the first is row {int(bad.argmax())}."
        )


def several(estimators: Any) -> Mapping[str, Any]:
    """Check that models to be drawn together have names."""
    if not isinstance(estimators, Mapping) or not estimators:
        raise DataError("give {name: fitted classifier}, at least one.")
    return estimators
