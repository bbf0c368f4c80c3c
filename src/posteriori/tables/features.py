"""The border for X: arrays, sparse matrices and frames become checked `Features`.

No copy is made of an array that is already numeric: blocks are views, converted block by block where the
type, order or strides of the memory ask for it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from array_api_compat import is_array_api_obj, is_numpy_array
from numpy.typing import NDArray
from sklearn.utils import check_array
from sklearn.utils.validation import _check_feature_names, _check_n_features

from posteriori.tables.arrays.dense import plain_array, refuse_no_numbers
from posteriori.tables.arrays.sparse import csr_rows
from posteriori.tables.cells import distinct
from posteriori.tables.errors import DataError, DataTypeError
from posteriori.tables.frames import through_narwhals
from posteriori.tables.notes import listed
from posteriori.tables.schema import Column, Schema, numbered

#: Numbers of numpy that may be read as they are.
NUMBERS = {"float64", "float32", *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))}
#: The code of a category that training never showed.
UNSEEN = -1.0


class RowMap(Protocol):
    """A pure map from rows of x to the columns of a basis: `bases.base.Phi`."""

    @property
    def n_columns(self) -> int:
        """How many columns it gives."""

    def __call__(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """Map some rows."""

    def titles(self, names: Sequence[str]) -> tuple[str, ...]:
        """Name the columns it gives."""


class NoColumns(np.ndarray):  # type: ignore[type-arg]
    """Rows without columns, the features of the null model; any other array without columns is refused."""


def no_columns(n_rows: int) -> NoColumns:
    """Return `n_rows` rows without columns."""
    return np.zeros((n_rows, 0)).view(NoColumns)


@dataclass(frozen=True)
class Features:
    """The feature columns: one array or CSR matrix, or (of a mixed frame) one array a column.

    `coded` maps a column to the values whose positions are its codes; its cells leave `rows` as codes,
    an unknown value as `UNSEEN`. `strange` holds the unknown values met while a frame was read.
    `picked` lists the rows meant where they are some of the array's: none is copied.
    Behind a basis, `phi` maps the rows of `source`, block by block as they are read, and `schema` is phi's.
    """

    values: Any
    schema: Schema
    coded: Mapping[int, NDArray[Any]] | None = None
    strange: Mapping[int, tuple[Any, ...]] | None = None
    picked: NDArray[np.intp] | None = None
    phi: RowMap | None = None
    source: "Features | None" = None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        if self.picked is not None:
            return len(self.picked)
        if self.source is not None:
            return self.source.n_rows
        return len(self.values[0]) if isinstance(self.values, tuple) else int(self.values.shape[0])

    @property
    def values_per_row(self) -> float:
        """How many numbers a row holds: columns, or non-zeros where sparse; behind a basis the more of x and phi."""
        if self.source is not None:
            return float(max(len(self.schema.columns), len(self.source.schema.columns)))
        if sp.issparse(self.values):
            return 4.0 * float(self.values.nnz) / max(float(self.values.shape[0]), 1.0)
        return float(len(self.schema.columns))

    def rows(self, selector: slice | NDArray[np.intp]) -> Any:
        """Give some rows as float64 in row order (a view when they are so already), or as CSR."""
        if self.picked is not None:
            selector = self.picked[selector]
        if self.source is not None and self.phi is not None:
            return mapped_rows(self.phi, self.source.rows(selector))
        if sp.issparse(self.values):
            return _csr_rows(self.values, selector)
        if isinstance(self.values, tuple):
            block = np.stack([column[selector] for column in self.values], axis=1, dtype=np.float64)
        else:
            with np.errstate(over="ignore"):  # longer floats beyond the range become infinite, and are refused as such
                block = np.ascontiguousarray(self.values[selector], dtype=np.float64)
        if not self.coded:
            return block
        if not isinstance(self.values, tuple) and np.may_share_memory(block, self.values):
            block = block.copy()
        for column, levels in self.coded.items():
            block[:, column] = code_of(block[:, column], levels)
        return block

    def coded_by(self, levels: Mapping[int, NDArray[Any]]) -> "Features":
        """Give the same columns with some of them leaving as codes of the values listed."""
        columns = tuple(
            replace(column, kind="category", levels=levels[i]) if i in levels else column
            for i, column in enumerate(self.schema.columns)
        )
        own = {i: values for i, values in levels.items() if not np.array_equal(values, np.arange(len(values)))}
        return replace(self, schema=replace(self.schema, columns=columns), coded=own)

    def mapped(self, phi: RowMap) -> "Features":
        """Give the columns of a basis of these; nothing is computed before a block is read."""
        names = phi.titles([name if isinstance(name, str) else f"x{name}" for name in self.schema.names])
        if len(set(names)) < len(names):
            twice = sorted(name for name, times in Counter(names).items() if times > 1)
            raise DataError(f"the basis gives two columns the name {listed(twice)}; rename a column of X.")
        schema = Schema(tuple(Column(name) for name in names), named=True)
        return Features(self.values, schema, phi=phi, source=self)

    def unmapped(self) -> "Features":
        """Give the user's own columns: those before a basis, if there is one."""
        return self if self.source is None else replace(self.source, picked=self.picked)

    def strangers(self, column: int) -> list[Any]:
        """List the values of a category that its dictionary does not hold."""
        levels = self.schema.columns[column].levels
        if levels is None or (self.strange is not None and column in self.strange):
            return list((self.strange or {}).get(column, ()))
        cells = self.values[column] if isinstance(self.values, tuple) else self.values[:, column]
        values = np.unique(np.asarray(cells)[~np.isnan(cells)])
        return [value for value in values.tolist() if value not in levels]


def _csr_rows(values: Any, selector: slice | NDArray[np.intp]) -> Any:
    """Give rows of a CSR matrix; a run of them shares its memory."""
    if not isinstance(selector, slice):
        return values[selector]
    first, last = values.indptr[selector.start], values.indptr[selector.stop]
    pointers = values.indptr[selector.start : selector.stop + 1] - first
    shape = (selector.stop - selector.start, values.shape[1])
    rows = sp.csr_array(shape)  # filled in place: the constructor would read all indices to check them again
    rows.data, rows.indices, rows.indptr = values.data[first:last], values.indices[first:last], pointers
    return rows


def mapped_rows(phi: RowMap, rows: Any) -> NDArray[np.float64]:
    """Give phi of a block; a row with a cell that is not finite is NaN throughout, whatever phi makes of it."""
    dense = rows if isinstance(rows, np.ndarray) else rows.toarray()
    bad: Any = np.zeros(0, np.bool_)
    if not np.isfinite(dense.sum()):  # a sum may overflow where no cell is amiss
        bad = ~np.isfinite(dense).all(axis=1)
        dense = np.where(bad[:, None], 0.0, dense) if bad.any() else dense
    columns = phi(dense)
    if bad.any():
        columns[bad] = np.nan
    return columns


def code_of(values: NDArray[Any], levels: NDArray[Any]) -> NDArray[np.float64]:
    """Find each value's position among the sorted levels; `UNSEEN` if it is none of them, NaN if missing."""
    codes = np.where(np.isnan(values), np.nan, UNSEEN)
    if len(levels):
        place = np.searchsorted(levels, values)
        place[place == len(levels)] = 0
        codes = np.where(levels[place] == values, place, codes)
    return codes


def read_features(
    estimator: Any,
    X: Any,
    *,
    ledger: Any = None,
    sparse: bool = False,
    categories: bool = False,
    schema: Schema | None = None,
) -> Features:
    """Check X and give its features, noting or comparing the names and number of its columns.

    Parameters
    ----------
    estimator : the classifier, for messages and, in predict, for the names and number it was fitted with
    ledger : in fit, the object on which ``n_features_in_`` and ``feature_names_in_`` are noted
    sparse : whether CSR matrices may pass
    categories : whether text columns of a frame may pass, as category codes
    schema : in predict, the schema of fit, whose dictionaries code the categories
    """
    if hasattr(X, "__array_namespace__") and is_array_api_obj(X) and not is_numpy_array(X):
        X = np.from_dlpack(X)  # arrays of other libraries share their memory with us
    frame = None if isinstance(X, np.ndarray) or sp.issparse(X) else through_narwhals(X, eager_only=True)
    X = frame.to_native() if isinstance(frame, nw.DataFrame) else X  # of a batch of Arrow's, the table
    try:
        if ledger is None:
            _check_feature_names(estimator, X, reset=False)
        features = (
            _from_frame(frame, categories, schema)
            if isinstance(frame, nw.DataFrame)
            else Features(X, Schema((), named=False))
            if isinstance(X, NoColumns) and len(X)
            else _from_array(estimator, X, sparse)
        )
    except DataError:
        raise
    except TypeError as error:
        raise DataTypeError(str(error)) from None
    except ValueError as error:
        raise DataError(str(error)) from None
    try:
        if ledger is not None:
            _check_feature_names(ledger, X, reset=True)
        _check_n_features(ledger or estimator, _shaped(features), reset=ledger is not None)
    except TypeError as error:  # names of several types
        raise DataTypeError(str(error)) from None
    except ValueError as error:
        raise DataError(str(error)) from None
    return features


def _shaped(features: Features) -> NDArray[np.float64]:
    """Give an empty array with as many columns, for scikit-learn's check of their number."""
    return np.empty((0, len(features.schema.columns)))


def _from_array(estimator: Any, X: Any, sparse: bool) -> Features:
    """Check the cells of an array; scikit-learn words the faults of its shape."""
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
    refused = []
    strange: dict[int, tuple[Any, ...]] = {}
    for series in frame.iter_columns():
        name = series.name
        kind = _kind(name, series)
        if kind == "category" and not categories:
            refused.append(name)
            continue
        before = known.get(name)
        as_category = kind == "category" if before is None else before.kind == "category"
        if as_category:
            levels = _levels(name, series) if before is None else before.levels
            assert levels is not None
            codes, strange[len(arrays)] = _codes(series, levels)
            arrays.append(codes)
            columns.append(Column(name, "category", levels))
        else:
            if kind == "category":
                raise DataTypeError(f"column {name!r} was numeric in fit and is text now; give it as numbers.")
            arrays.append(series.cast(nw.Float64()).to_numpy() if kind == "boolean" else _numbers(series))
            columns.append(Column(name, kind))
    if refused:
        raise DataTypeError(
            f"could not convert string to float: {len(refused)} column(s) of the frame hold text ({listed(refused)}) "
            f"and this model takes numbers. Wrap it in posteriori.TableClassifier, which codes them, or leave them out."
        )
    return Features(tuple(arrays), Schema(tuple(columns), named=named), strange=strange)


def _is_plain(frame: "nw.DataFrame[Any]") -> bool:
    """Tell whether a frame of pandas holds nothing but numbers of types that arrays have."""
    if not frame.implementation.is_pandas():
        return False
    types = set(frame.to_native().dtypes)
    return all(isinstance(kind, np.dtype) and kind.name in NUMBERS for kind in types)


def _kind(name: str, series: "nw.Series[Any]") -> Any:
    dtype = series.dtype
    if dtype == nw.Boolean:
        return "boolean"
    if dtype.is_numeric():
        return "number"
    if dtype in (nw.String, nw.Categorical, nw.Enum, nw.Object):
        return "category"
    if series.null_count() == len(series):
        return "number"  # nothing but gaps
    raise DataTypeError(
        f"column {name!r} is of type {dtype}, which no model here takes; give it as a number (days since a date, "
        "say) or as text."
    )


def _numbers(series: "nw.Series[Any]") -> NDArray[Any]:
    if series.dtype in (nw.Int128, nw.UInt128):  # no array has them
        series = series.cast(nw.Float64())
    array = series.to_numpy()
    return array if array.dtype.kind in "fiu" else series.cast(nw.Float64()).to_numpy()


def _levels(name: str, series: "nw.Series[Any]") -> NDArray[Any]:
    values = distinct(series)
    kinds = {type(value).__name__ for value in values}
    if len(kinds) > 1:
        raise DataTypeError(f"column {name!r} mixes values of type {' and '.join(sorted(kinds))}; give it one type.")
    try:
        ordered = sorted(values)
    except TypeError:
        raise DataTypeError(f"column {name!r} holds {kinds.pop()}, which has no order; give it as text.") from None
    levels = np.array(ordered, dtype=object)
    return np.array(ordered) if kinds <= {"str", "int", "float", "bool"} else levels


def _codes(series: "nw.Series[Any]", levels: NDArray[Any]) -> tuple[NDArray[np.float64], tuple[Any, ...]]:
    """Give each cell's position among the levels, and the values that are none of them."""
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
    strange = tuple(value for value, code in zip(values, known, strict=True) if code == UNSEEN)
    return array.astype(np.float64, copy=False), strange
