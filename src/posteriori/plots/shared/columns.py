"""The columns of X, in any container: their values, typical values, and rows assembled from chosen values."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.numbers import plain_array
from posteriori.checks.sparse import checked_indices
from posteriori.input.frames.cells import category_cells, number_cells
from posteriori.input.frames.level_sets import level_order
from posteriori.input.frames.native import as_frame, refuse_absent
from posteriori.messages.errors import DataError


@dataclass(frozen=True, eq=False)
class PlotColumn:
    """One column: numbers, or codes of levels; a missing value is NaN.

    Parameters
    ----------
    name : name of the column
    values : (n,) numbers, or codes
    levels : the levels as text; empty for a numeric column
    first : (levels,) the first row with each level
    categorical : whether the values are codes; there are no levels if all cells are missing
    """

    name: str
    values: Array
    levels: tuple[str, ...] = ()
    first: NDArray[np.intp] = field(default_factory=lambda: np.zeros(1, np.intp))
    categorical: bool = False

    def typical(self) -> float:
        """Return the median (of integers the lower median, which occurs); of levels the most frequent one."""
        finite = self.values[np.isfinite(self.values)]
        if not len(finite):
            return 0.0 if self.categorical else np.nan
        if self.categorical:
            return float(np.bincount(finite.astype(np.intp)).argmax())
        whole = bool((finite == np.floor(finite)).all())
        return float(np.quantile(finite, 0.5, method="inverted_cdf" if whole else "linear"))

    def as_levels(self) -> "PlotColumn":
        """Return a column of integers as categorical, for models that accept no other numbers; else the column."""
        finite = self.values[np.isfinite(self.values)]
        if self.categorical or not (finite == np.floor(finite)).all():
            return self
        distinct, first = np.unique(self.values, return_index=True)
        there = np.isfinite(distinct)
        codes = np.where(np.isfinite(self.values), np.searchsorted(distinct[there], self.values), np.nan)
        levels = tuple(f"{value:g}" for value in distinct[there])
        return replace(self, values=codes, levels=levels, first=first[there], categorical=True)

    def rows(self, at: Array) -> NDArray[np.intp]:
        """Return rows of X that have the levels at some positions."""
        return self.first[np.clip(np.rint(at), 0, len(self.first) - 1).astype(np.intp)]

    def text(self, at: float) -> str:
        """Format a value of this column."""
        if self.categorical:
            return self.levels[round(at)] if self.levels else "missing"
        return "missing" if np.isnan(at) else f"{at:.4g}"


class FrameColumns:
    """The columns of a frame."""

    def __init__(self, frame: "nw.DataFrame[Any]", *, as_array: bool = False) -> None:
        self.frame, self.names, self.n_rows = frame, tuple(frame.columns), len(frame)
        self.as_array = as_array

    def column(self, j: int) -> PlotColumn:
        """Read one column: numbers, or levels for other types."""
        series = self.frame[self.names[j]]
        if series.dtype.is_numeric():
            return PlotColumn(self.names[j], number_cells(series))
        levels = level_order(series)
        codes = category_cells(series, levels)
        distinct, first = np.unique(codes, return_index=True)
        return PlotColumn(
            self.names[j], codes, levels, first[np.isfinite(distinct)] if levels else first, categorical=True
        )

    def assemble(self, columns: Sequence[PlotColumn], at: Sequence[Array | float], size: int) -> Any:
        """Return rows with the values ``at[j]`` in column j, repeated if single: a frame of the same library and types.

        Integers become floats.
        """
        series = []
        for column, place in zip(columns, at, strict=True):
            values = np.broadcast_to(np.asarray(place, dtype=np.float64), (size,))
            if column.categorical:
                series.append(self.frame[column.name][column.rows(values).tolist()])
            else:
                backend: Any = self.frame.implementation
                series.append(nw.new_series(column.name, values.copy(), nw.Float64(), backend=backend))
        native = nw.from_dict({each.name: _reset_index(each) for each in series}).to_native()
        return nw.from_native(native).to_numpy() if self.as_array else native


def _reset_index(series: "nw.Series[Any]") -> "nw.Series[Any]":
    """Return a series with a new index: pandas would align the columns of a frame by their indexes."""
    native: Any = series.to_native()
    reset = native.reset_index(drop=True) if hasattr(native, "reset_index") else native
    return nw.from_native(reset, series_only=True)


class ArrayColumns:
    """The columns of an array, or of a sparse matrix."""

    def __init__(self, X: Any, names: Sequence[str] | None = None) -> None:
        self.X: Any = sp.csc_matrix(checked_indices(X)) if sp.issparse(X) else np.asarray(plain_array(X))
        if self.X.ndim != 2:
            raise DataError(f"X must have shape (n, d); it has {self.X.ndim} dimension(s).")
        self.n_rows, width = self.X.shape
        known = names is not None and len(names) == width
        self.names = tuple(str(name) for name in names) if known and names else tuple(f"x{j}" for j in range(width))

    def _cells(self, j: int) -> NDArray[Any]:
        cells: NDArray[Any] = self.X[:, [j]].toarray().ravel() if sp.issparse(self.X) else self.X[:, j]
        return cells

    def column(self, j: int) -> PlotColumn:
        """Read one column: numbers, or levels for text."""
        cells = self._cells(j)
        if cells.dtype.kind in "fiub":
            return PlotColumn(self.names[j], cells.astype(np.float64))
        if all(isinstance(cell, int | float | np.number) for cell in cells.tolist()):
            return PlotColumn(self.names[j], cells.astype(np.float64))
        words = np.array([str(cell) for cell in cells.tolist()])
        levels, first, codes = np.unique(words, return_index=True, return_inverse=True)
        return PlotColumn(self.names[j], codes.astype(np.float64), tuple(levels.tolist()), first, categorical=True)

    def assemble(self, columns: Sequence[PlotColumn], at: Sequence[Array | float], size: int) -> Any:
        """Return rows with the values ``at[j]`` in column j, repeated if single: an array, or sparse as X is."""
        parts = []
        for j, (column, place) in enumerate(zip(columns, at, strict=True)):
            values = np.broadcast_to(np.asarray(place, dtype=np.float64), (size,))
            parts.append(self._cells(j)[column.rows(values)] if column.categorical else values)
        if sp.issparse(self.X):
            return sp.hstack([sp.csr_matrix(part.astype(np.float64)[:, None]) for part in parts], format="csr")
        dtype = self.X.dtype if self.X.dtype.kind in "fOUS" else np.dtype(np.float64)
        rows = np.empty((size, len(parts)), dtype=dtype)
        for j, part in enumerate(parts):
            rows[:, j] = part
        return rows


Columns = FrameColumns | ArrayColumns


def columns_of(X: Any, estimators: Sequence[Any], target: Any = None) -> Columns:
    """Return the columns of X that fitted models take.

    Parameters
    ----------
    X : (n, d) frame, array or sparse matrix
    estimators : fitted to the same columns
    target : the name of the column of classes, if X has one
    """
    frame = as_frame(X)
    named = [getattr(model, "feature_names_in_", None) for model in estimators]
    names = list(dict.fromkeys(str(name) for names in named if names is not None for name in names)) or None
    if frame is None:
        return ArrayColumns(X, names)
    if names is None:
        plain = frame.drop([target]) if isinstance(target, str) and target in frame.columns else frame
        return FrameColumns(plain, as_array=all(plain[name].dtype.is_numeric() for name in plain.columns))
    offsets = [getattr(model, "offset_", None) for model in estimators]
    wanted = names + [name for name in dict.fromkeys(offsets) if isinstance(name, str) and name not in names]
    refuse_absent(tuple(wanted), frame.columns)
    return FrameColumns(frame.select(wanted))
