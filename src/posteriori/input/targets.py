"""Validation of y: labels of one type become class codes; class counts stay counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import DataConversionWarning

from posteriori.checks.numbers import read_numbers, refuse_masked
from posteriori.input.classes.class_values import as_objects, as_scalar
from posteriori.input.classes.missing_labels import is_missing, missing_marks
from posteriori.input.classes.order import order_of
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote
from posteriori.messages.user_warning import warn


@dataclass(frozen=True)
class ClassCounts:
    """Class counts of each row: the target of grouped data, built by `counts`.

    Column k counts class k, in any order of a model's classes.
    """

    values: NDArray[np.float64]
    order: tuple[int, ...] | None = None


def counts(*, successes: Any, trials: Any = None, failures: Any = None) -> ClassCounts:
    """Return grouped binomial data as a target.

    Class 0 is failure and class 1 success; in an array the counts are in class order, failures first
    (R and statsmodels put successes first).

    Parameters
    ----------
    successes : (n,) counts of class 1
    trials, failures : (n,) counts of trials or of class 0; exactly one of them

    Examples
    --------
    >>> counts(successes=[6, 13], trials=[59, 60]).values.tolist()
    [[53.0, 6.0], [47.0, 13.0]]
    """
    if (trials is None) == (failures is None):
        raise DataError("counts needs successes and exactly one of trials and failures.")
    won = read_numbers(successes, "successes")
    other = read_numbers(*((trials, "trials") if failures is None else (failures, "failures")))
    if won.ndim != 1 or won.shape != other.shape:
        raise DataError(f"counts needs vectors of equal length, got shapes {won.shape} and {other.shape}.")
    lost = other - won if failures is None else other
    bad = ~(np.isfinite(won) & np.isfinite(lost) & (won >= 0) & (lost >= 0))
    if bad.any():
        row = int(np.argmax(bad))
        raise DataError(
            f"counts: {int(bad.sum())} rows are negative, missing or have more successes than trials, the first is "
            f"row {row} ({won[row]:g} successes, {lost[row]:g} failures)."
        )
    return ClassCounts(np.column_stack([lost, won]))


@dataclass(frozen=True)
class Targets:
    """Classes, sorted unless y has another order, and the codes or the class counts of the rows."""

    classes: NDArray[Any]
    codes: NDArray[np.intp] | None = None
    counts: NDArray[np.float64] | None = None

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.classes)

    @property
    def values(self) -> NDArray[Any]:
        """Codes (n,) or counts (n, K)."""
        values = self.codes if self.counts is None else self.counts
        assert values is not None
        return values


def read_targets(
    y: Any,
    n_rows: int,
    weights: NDArray[np.float64] | None = None,
    *,
    allow_counts: bool = False,
    classes: Any = None,
) -> Targets:
    """Check y and encode it; the labels of rows of weight zero are ignored.

    Parameters
    ----------
    allow_counts : whether y may be class counts of shape (n, K)
    classes : the classes if they are known (`partial_fit`); otherwise y must have at least two
    """
    if y is None:
        raise DataError("requires y to be passed, but the target y is None: pass the classes of the rows.")
    if isinstance(y, ClassCounts):
        if not allow_counts:
            raise DataTypeError("this model needs labels, not class counts: pass one label per row.")
        return _read_counts(y.values, n_rows, y.order if classes is None else classes)
    labels = _as_labels(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to (n_samples,), "
            "for example using ravel().",
            DataConversionWarning,
        )
        labels = labels.ravel()
    if labels.ndim == 2 and allow_counts and labels.dtype.kind in "fiub":
        return _read_counts(labels, n_rows, classes)
    _refuse_labels(labels, n_rows)
    present, codes = _encode(labels, None if weights is None else weights > 0)
    if classes is not None:
        return _recoded(classes, present, codes)
    refuse_one_class(present, n_rows if weights is None else int((weights > 0).sum()))
    return _in_order(order_of(y, present), present, codes)


def refuse_one_class(present: NDArray[Any], n_rows: int) -> None:
    """Raise if there is only one class among so many rows."""
    if len(present) < 2:
        raise DataError(
            f"target 'y' has one class ({as_scalar(present[0])!r}, {n_rows} rows); two are needed. The number of "
            "classes has to be greater than one; got 1 class."
        )


def read_labels(y: Any, n_rows: int) -> NDArray[Any]:
    """Return the labels of rows to score, (n,); raise if there is not one for each row."""
    if y is None or isinstance(y, ClassCounts):
        raise DataTypeError("score needs y, one label per row, not None or class counts.")
    labels = _as_labels(y)
    labels = labels.ravel() if labels.ndim == 2 and labels.shape[1] == 1 else labels
    _refuse_labels(labels, n_rows)
    return labels


def distinct_labels(y: Any, n_rows: int) -> NDArray[Any]:
    """Return the classes among the labels of some rows, sorted; raise for labels that cannot be used."""
    return _encode(read_labels(y, n_rows), None)[0]


def read_classes(classes: Any) -> NDArray[Any]:
    """Return the distinct classes of the user's list, sorted."""
    try:
        labels = _as_labels(classes)
        _refuse_labels(labels, len(labels) if labels.ndim else 0)
        return np.unique(labels)
    except TypeError as error:  # without an order
        raise DataTypeError(f"classes must be labels of one type: {error}.") from None
    except DataError as error:
        raise DataError(f"classes: {error}") from None


def merged_classes(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Return the classes of two sets of rows, sorted; raise if they are of different types.

    >>> merged_classes(np.array(["a", "b"]), np.array(["b", "c"])).tolist()
    ['a', 'b', 'c']
    """
    _refuse_mixed({_kind(label) for classes in (one, other) for label in classes})
    return np.unique(np.concatenate([one, other]))


def _refuse_labels(labels: NDArray[Any], n_rows: int) -> None:
    """Raise if there is not one label per row."""
    if labels.ndim != 1:
        raise DataError(f"y should be a 1d array, got an array of shape {labels.shape} instead.")
    if len(labels) != n_rows:
        raise DataError(inconsistent_lengths(n_rows, len(labels)))
    _refuse_missing(labels)


def inconsistent_lengths(n_rows: int, n_labels: int) -> str:
    """Return the error message for X and y of different lengths."""
    return f"Found input variables with inconsistent numbers of samples: X has {n_rows} rows and y has {n_labels}."


def _in_order(order: NDArray[np.intp], present: NDArray[Any], codes: NDArray[np.intp]) -> Targets:
    """Return targets with the classes in an order."""
    if np.array_equal(order, np.arange(len(present))):
        return Targets(present, codes=codes)
    return Targets(present[order], codes=np.argsort(order)[codes])


def _as_labels(y: Any) -> NDArray[Any]:
    """Convert labels to an array without turning mixed types into text."""
    refuse_masked(y, "y")
    if isinstance(y, Sequence) and y and (isinstance(y[0], str | bytes) or not isinstance(y[0], Sequence | np.ndarray)):
        return _of_one_type(_array(y, object), original=_array(y))
    series = None if isinstance(y, np.ndarray) else nw.from_native(y, series_only=True, pass_through=True)
    if isinstance(series, nw.Series):
        missing = _count_missing(series)
        if missing:
            raise DataError(missing_message(missing))
        array = series.to_numpy()
    else:
        array = _array(y)
    return _of_one_type(array, original=array) if array.dtype == object else array


def _array(y: Any, dtype: Any = None) -> NDArray[Any]:
    try:
        return np.array(y, dtype=dtype) if dtype is object else np.asarray(y)
    except ValueError as error:
        raise DataTypeError(f"y must have one label per row: {error}.") from None


def _count_missing(series: "nw.Series[Any]") -> int:
    try:
        return series.null_count()
    except ArithmeticError:  # a signaling NaN among decimal numbers
        return int(sum(map(is_missing, series.to_list())))


def _of_one_type(labels: NDArray[Any], original: NDArray[Any]) -> NDArray[Any]:
    """Raise if the labels of an object array are of several types; convert numbers to a numeric array."""
    if labels.ndim != 1:
        return labels
    _refuse_missing(labels)
    kinds = {_kind(value) for value in labels}
    _refuse_mixed(kinds)
    return np.array(labels.tolist()) if kinds <= {"int", "float", "bool"} and original.dtype == object else original


def _refuse_mixed(kinds: set[str]) -> None:
    if len(kinds) > 1 and kinds != {"int", "float"}:
        raise DataError(f"labels mix {' and '.join(sorted(kinds))}: y must have labels of one type.")


def _kind(value: Any) -> str:
    types = {"bool": bool | np.bool_, "int": int | np.integer, "float": float | np.floating, "str": str, "bytes": bytes}
    return next((name for name, kind in types.items() if isinstance(value, kind)), type(value).__name__)


def missing_message(count: int, first: int | None = None, dated: bool = False) -> str:
    """Return the error message for missing labels."""
    where = "" if first is None else f", the first is row {first}"
    dates = " (NaT)" if dated else ""
    return f"Input y contains NaN. {count} label(s) are missing{dates}{where}; drop those rows or fill in the labels."


def _unknown_type(kind: Any) -> str:
    return f"Unknown label type: y has labels of type {kind}; they must be text, integers, booleans or dates."


def _refuse_missing(labels: NDArray[Any]) -> None:
    if labels.dtype.kind not in "OfMbiuSU":
        raise DataTypeError(_unknown_type(labels.dtype))
    if labels.dtype.kind == "f" and np.isinf(labels).any():
        raise DataError("Input y contains infinity or a value too large for dtype('float64'): labels must be finite.")
    missing = missing_marks(labels)
    if missing.any():
        raise DataError(missing_message(int(missing.sum()), int(np.argmax(missing)), labels.dtype.kind == "M"))
    if labels.dtype.kind == "f" and (labels != np.floor(labels)).any():
        raise DataError(
            "Unknown label type: continuous. Maybe you are trying to fit a classifier, which expects discrete classes "
            "on a regression target with continuous values."
        )


def _encode(labels: NDArray[Any], counted: NDArray[np.bool_] | None) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the classes of the rows of positive weight, and the codes of all rows."""
    if labels.dtype.kind in "iub":
        low, high = labels.min(), labels.max()
        if labels.dtype.kind == "b" or (int(high) - int(low) < 4096 and int(high) <= np.iinfo(np.intp).max):
            return _encode_dense(labels, int(low), int(high), counted)
    if labels.dtype.kind == "f":
        labels = labels + 0.0  # -0.0 and 0.0 are one class
    try:
        classes = np.unique(labels if counted is None else labels[counted])
    except TypeError:
        raise DataTypeError(_unknown_type(type(labels[0]).__name__)) from None
    codes = np.searchsorted(classes, labels)
    return classes, np.minimum(codes, len(classes) - 1)


def _encode_dense(
    labels: NDArray[Any], low: int, high: int, counted: NDArray[np.bool_] | None
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Encode integers of small range by a table, without sorting."""
    shifted = labels.astype(np.intp) if low == 0 else labels.astype(np.intp) - low
    rows = shifted if counted is None else shifted[counted]
    present = np.bincount(rows, minlength=high - low + 1) > 0
    values = np.flatnonzero(present)
    if len(values) == high - low + 1 and counted is None:
        codes = shifted
    else:
        codes = np.maximum(np.cumsum(present)[shifted] - 1, 0)
    return (values + low).astype(labels.dtype), codes


def _recoded(classes: Any, present: NDArray[Any], codes: NDArray[np.intp]) -> Targets:
    """Return targets coded by a known list of classes; raise for other classes."""
    known = np.asarray(classes)
    ascending = np.argsort(known, kind="stable")
    place = np.searchsorted(known, present, sorter=ascending)
    place = ascending[np.minimum(place, len(known) - 1)]
    unknown = as_objects(present[known[place] != present]).tolist()
    if unknown:
        raise DataError(
            f"y has {len(unknown)} unknown class(es): {quote(unknown)}; the classes are "
            f"{quote(as_objects(known).tolist())}."
        )
    return Targets(known, codes=place[codes])


def _read_counts(values: NDArray[Any], n_rows: int, order: Any = None) -> Targets:
    table = np.ascontiguousarray(values, dtype=np.float64)
    if table.shape[0] != n_rows:
        raise DataError(inconsistent_lengths(n_rows, len(table)))
    bad = ~(np.isfinite(table) & (table >= 0)).all(axis=1)
    if bad.any():
        raise DataError(
            f"class counts in y must be zero or positive numbers: {int(bad.sum())} rows are not, the first is row "
            f"{int(np.argmax(bad))}."
        )
    totals = table.sum(axis=0)
    if (totals > 0).sum() < 2:
        raise DataError(
            f"target 'y' has one class with positive counts (column {int(totals.argmax())}, total {totals.max():g}); "
            "two are needed. The number of classes has to be greater than one; got 1 class."
        )
    classes = np.arange(table.shape[1])
    if order is not None and not np.array_equal(order, classes) and np.array_equal(np.sort(order), classes):
        classes = np.array(order, dtype=classes.dtype)  # the model lists class 1 before class 0
        table = np.ascontiguousarray(table[:, classes])
    return Targets(classes, counts=table)
