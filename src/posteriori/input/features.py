"""Validation of X: arrays, sparse matrices and frames become `Features`."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils import check_array
from sklearn.utils.validation import _check_feature_names, _check_n_features

from posteriori.checks.numbers import plain_array, refuse_no_numbers
from posteriori.checks.sparse import csr_rows
from posteriori.input.frames.cells import TEXT, distinct, number_cells
from posteriori.input.frames.kinds import infer_kind
from posteriori.input.frames.native import through_narwhals
from posteriori.input.tables import check_columns
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote
from posteriori.tables.features import UNSEEN, Features, NoColumns, code_of
from posteriori.tables.memory import MemoryTable
from posteriori.tables.schema import Column, Schema, numbered
from posteriori.tables.table import Table

#: Numeric types of numpy that need no conversion.
NUMBERS = {"float64", "float32", *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))}


def read_table(estimator: Any, X: Any, **options: Any) -> Table:
    """Check X as `read_features` does and return it as a table."""
    if isinstance(X, Table):
        takes = {name: bool(options.get(name)) for name in ("sparse", "categories")}
        check_columns(estimator, X, **takes, fitted="ledger" not in options)
        return X
    return MemoryTable(read_features(estimator, X, **options))


def read_features(
    estimator: Any,
    X: Any,
    *,
    ledger: Any = None,
    sparse: bool = False,
    categories: bool = False,
    schema: Schema | None = None,
) -> Features:
    """Check X and return its features; record the names and number of its columns, or compare them with the fit.

    Parameters
    ----------
    estimator : the classifier, for messages and, in predict, for the names and number of columns of the fit
    ledger : in fit, the object that gets ``n_features_in_`` and ``feature_names_in_``
    sparse : whether sparse matrices are allowed
    categories : whether text columns of a frame are allowed, as category codes
    schema : in predict, the schema of the fit, whose levels code the categories
    """
    if hasattr(X, "__array_namespace__") and hasattr(X, "__dlpack__") and not isinstance(X, np.ndarray | np.generic):
        X = np.from_dlpack(X)  # arrays of other libraries, without a copy
    frame = None if isinstance(X, np.ndarray) or sp.issparse(X) else through_narwhals(X, eager_only=True)
    X = frame.to_native() if isinstance(frame, nw.DataFrame) else X  # an Arrow batch becomes a table
    with _data_errors():
        if ledger is None:
            _check_feature_names(estimator, X, reset=False)
        features = (
            _from_frame(frame, categories, schema)
            if isinstance(frame, nw.DataFrame)
            else Features(X, Schema((), named=False))
            if isinstance(X, NoColumns) and len(X)
            else _from_array(estimator, X, sparse)
        )
        if ledger is not None:
            _check_feature_names(ledger, X, reset=True)
        empty = np.empty((0, len(features.schema.columns)))
        _check_n_features(ledger or estimator, empty, reset=ledger is not None)
    return features


@contextmanager
def _data_errors() -> Iterator[None]:
    """Convert errors of scikit-learn's checks to those of this library."""
    try:
        yield
    except DataError:
        raise
    except TypeError as error:
        raise DataTypeError(str(error)) from None
    except ValueError as error:
        raise DataError(str(error)) from None


def _from_array(estimator: Any, X: Any, sparse: bool) -> Features:
    """Check an array; scikit-learn raises for its shape."""
    X = csr_rows(X) if sparse and sp.issparse(X) else plain_array(X)
    if isinstance(X, np.ndarray):
        refuse_no_numbers(X)
        if X.ndim == 2 and X.dtype.kind in "fiub" and X.size:
            return Features(X, numbered(X.shape[1], "boolean" if X.dtype.kind == "b" else "number"))
    checked = check_array(X, accept_sparse=sparse, ensure_all_finite=False, estimator=estimator, input_name="X")
    return Features(checked, numbered(checked.shape[1]))


def _from_frame(frame: "nw.DataFrame[Any]", categories: bool, schema: Schema | None) -> Features:
    if len(frame) == 0:
        raise DataError(
            f"Found array with 0 sample(s) (shape={frame.shape}) while a minimum of 1 is required: the frame has no "
            "rows."
        )
    if not frame.columns:
        raise DataError(
            f"0 feature(s) (shape={frame.shape}) while a minimum of 1 is required: the frame has no columns."
        )
    known = {} if schema is None else {column.name: column for column in schema.columns}
    named = all(isinstance(name, str) for name in frame.columns)
    if not any(column.kind == "category" for column in known.values()) and _is_plain(frame):
        matrix = frame.to_native().to_numpy()  # a view of the frame's memory when it is one numeric block
        return Features(matrix, Schema(tuple(Column(name) for name in frame.columns), named=named), strange={})
    columns: list[Column] = []
    arrays: list[NDArray[Any]] = []
    text = []
    unseen: dict[int, tuple[Any, ...]] = {}
    for series in frame.iter_columns():
        name = series.name
        before = known.get(name)
        kind = infer_kind(series, empty="category" if before is None else before.kind)
        if kind is None:
            raise DataTypeError(
                f"column {name!r} is of type {series.dtype}, which no model supports; convert it to numbers (days "
                "since the first date, for example) or to text."
            )
        if kind == "category" and not categories:
            text.append(name)
            continue
        as_category = kind == "category" if before is None else before.kind == "category"
        if as_category:
            levels = _levels(name, series) if before is None else before.levels
            assert levels is not None
            codes, unseen[len(arrays)] = _codes(series, levels)
            arrays.append(codes)
            columns.append(Column(name, "category", levels))
        else:
            if kind == "category":
                raise DataTypeError(f"column {name!r} was numeric in fit and is text now; convert it to numbers.")
            arrays.append(_numbers(series))
            columns.append(Column(name, kind))
    if text:
        raise DataTypeError(
            f"could not convert string to float: {len(text)} column(s) of the frame are text ({quote(text)}), but this "
            "model needs numbers. Wrap it in posteriori.TableClassifier, which codes them, or leave them out."
        )
    return Features(tuple(arrays), Schema(tuple(columns), named=named), strange=unseen)


def _is_plain(frame: "nw.DataFrame[Any]") -> bool:
    """Return whether a frame is one of pandas with numeric types of numpy only."""
    if not frame.implementation.is_pandas():
        return False
    types = set(frame.to_native().dtypes)
    return all(isinstance(kind, np.dtype) and kind.name in NUMBERS for kind in types)


def _numbers(series: "nw.Series[Any]") -> NDArray[Any]:
    if series.dtype in (nw.Int128, nw.UInt128):  # numpy has no such types
        series = series.cast(nw.Float64())
    array = number_cells(series) if series.dtype in (*TEXT, nw.Object) else series.to_numpy()
    return array if array.dtype.kind in "fiu" else series.cast(nw.Float64()).to_numpy()


def _levels(name: str, series: "nw.Series[Any]") -> NDArray[Any]:
    values = distinct(series)
    kinds = {type(value).__name__ for value in values}
    if len(kinds) > 1:
        raise DataTypeError(
            f"column {name!r} mixes values of type {' and '.join(sorted(kinds))}; convert them to one type."
        )
    try:
        ordered = sorted(values)
    except TypeError:
        raise DataTypeError(
            f"column {name!r} has values of type {kinds.pop()}, which cannot be sorted; convert them to text."
        ) from None
    levels = np.array(ordered, dtype=object)
    return np.array(ordered) if kinds <= {"str", "int", "float", "bool"} else levels


def _codes(series: "nw.Series[Any]", levels: NDArray[Any]) -> tuple[NDArray[np.float64], tuple[Any, ...]]:
    """Return each cell's position among the levels, and the values that are not levels."""
    if series.dtype.is_numeric() and levels.dtype.kind in "fiu":
        cells = _numbers(series).astype(np.float64, copy=False)
        codes = code_of(cells, levels)
        return codes, tuple(np.unique(cells[codes == UNSEEN]).tolist())
    position = {value: float(code) for code, value in enumerate(levels.tolist())}
    values = distinct(series)
    if not values:
        return np.full(len(series), np.nan), ()
    known = [np.nan if value != value else position.get(value, UNSEEN) for value in values]  # noqa: PLR0124
    array: NDArray[np.float64] = series.replace_strict(values, known, return_dtype=nw.Float64()).to_numpy()
    unseen = tuple(value for value, code in zip(values, known, strict=True) if code == UNSEEN)
    return array.astype(np.float64, copy=False), unseen
