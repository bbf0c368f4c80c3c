"""The columns of X one by one, whatever X is: what a figure varies, what it holds, and rows made of both."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.numbers import plain_array
from posteriori.checks.sparse import checked_indices
from posteriori.input.frames.cells import category_cells, level_order, number_cells
from posteriori.input.frames.native import as_frame, refuse_absent
from posteriori.messages.errors import DataError


@dataclass(frozen=True, eq=False)
class Column:
    """One column: numbers, or codes of levels with the row in which each level is found; a gap is NaN.

    Parameters
    ----------
    name : of the column
    values : (n,) numbers, or codes
    levels : the levels as text; none where the column is of numbers
    first : (levels,) a row that shows each level
    by_level : whether the values are codes; there may be no level where all cells are gaps
    """

    name: str
    values: Array
    levels: tuple[str, ...] = ()
    first: NDArray[np.intp] = field(default_factory=lambda: np.zeros(1, np.intp))
    by_level: bool = False

    def typical(self) -> float:
        """Give the median, of whole numbers the lower one, which occurs; of levels the most frequent."""
        seen = self.values[np.isfinite(self.values)]
        if not len(seen):
            return 0.0 if self.by_level else np.nan
        if self.by_level:
            return float(np.bincount(seen.astype(np.intp)).argmax())
        whole = bool((seen == np.floor(seen)).all())
        return float(np.quantile(seen, 0.5, method="inverted_cdf" if whole else "linear"))

    def as_levels(self) -> "Column":
        """See whole numbers as levels, for models that know no others between them; other columns as they are."""
        seen = self.values[np.isfinite(self.values)]
        if self.by_level or not (seen == np.floor(seen)).all():
            return self
        distinct, first = np.unique(self.values, return_index=True)
        kept = np.isfinite(distinct)
        codes = np.where(np.isfinite(self.values), np.searchsorted(distinct[kept], self.values), np.nan)
        words = tuple(f"{value:g}" for value in distinct[kept])
        return replace(self, values=codes, levels=words, first=first[kept], by_level=True)

    def rows(self, at: Array) -> NDArray[np.intp]:
        """Give the rows of X whose cells stand at places of the axis of levels."""
        return self.first[np.clip(np.rint(at), 0, len(self.first) - 1).astype(np.intp)]

    def word(self, at: float) -> str:
        """Write a place of this column for people."""
        if self.by_level:
            return self.levels[round(at)] if self.levels else "missing"
        return "missing" if np.isnan(at) else f"{at:.4g}"


class Columns(Protocol):
    """X by its columns."""

    names: tuple[str, ...]
    n_rows: int

    def column(self, j: int) -> Column:
        """Read one column."""

    def made(self, columns: Sequence[Column], at: Sequence[Array | float], size: int) -> Any:
        """Make rows of the kind of X: column j at the places ``at[j]``, a number holding it."""


class FrameColumns:
    """The columns of a frame."""

    def __init__(self, frame: "nw.DataFrame[Any]", *, as_array: bool = False) -> None:
        self.frame, self.names, self.n_rows = frame, tuple(frame.columns), len(frame)
        self.as_array = as_array

    def column(self, j: int) -> Column:
        """Read one column: numbers, or the levels of anything else."""
        series = self.frame[self.names[j]]
        if series.dtype.is_numeric():
            return Column(self.names[j], number_cells(series))
        levels = level_order(series)
        codes = category_cells(series, levels)
        seen, first = np.unique(codes, return_index=True)
        return Column(self.names[j], codes, levels, first[np.isfinite(seen)] if levels else first, by_level=True)

    def made(self, columns: Sequence[Column], at: Sequence[Array | float], size: int) -> Any:
        """Make a frame of the same library, with columns of the same types; numbers may become real ones."""
        made = []
        for column, place in zip(columns, at, strict=True):
            places = np.broadcast_to(np.asarray(place, dtype=np.float64), (size,))
            if column.by_level:
                made.append(self.frame[column.name][column.rows(places).tolist()])
            else:
                backend: Any = self.frame.implementation
                made.append(nw.new_series(column.name, places.copy(), nw.Float64(), backend=backend))
        native = nw.from_dict({series.name: _renumbered(series) for series in made}).to_native()
        return nw.from_native(native).to_numpy() if self.as_array else native


def _renumbered(series: "nw.Series[Any]") -> "nw.Series[Any]":
    """Give a series whose rows are numbered anew: pandas would put them together by their index."""
    native: Any = series.to_native()
    renumbered = native.reset_index(drop=True) if hasattr(native, "reset_index") else native
    return nw.from_native(renumbered, series_only=True)


class ArrayColumns:
    """The columns of an array, or of a sparse matrix."""

    def __init__(self, X: Any, names: Sequence[str] | None = None) -> None:
        self.X: Any = sp.csc_matrix(checked_indices(X)) if sp.issparse(X) else np.asarray(plain_array(X))
        if self.X.ndim != 2:
            raise DataError(f"X must be rows of columns, (n, d); it has {self.X.ndim} dimension(s).")
        self.n_rows, width = self.X.shape
        known = names is not None and len(names) == width
        self.names = tuple(str(name) for name in names) if known and names else tuple(f"x{j}" for j in range(width))

    def _cells(self, j: int) -> NDArray[Any]:
        cells: NDArray[Any] = self.X[:, [j]].toarray().ravel() if sp.issparse(self.X) else self.X[:, j]
        return cells

    def column(self, j: int) -> Column:
        """Read one column: numbers, or the levels of text."""
        cells = self._cells(j)
        if cells.dtype.kind in "fiub":
            return Column(self.names[j], cells.astype(np.float64))
        if all(isinstance(cell, int | float | np.number) for cell in cells.tolist()):
            return Column(self.names[j], cells.astype(np.float64))
        words = np.array([str(cell) for cell in cells.tolist()])
        levels, first, codes = np.unique(words, return_index=True, return_inverse=True)
        return Column(self.names[j], codes.astype(np.float64), tuple(levels.tolist()), first, by_level=True)

    def made(self, columns: Sequence[Column], at: Sequence[Array | float], size: int) -> Any:
        """Make an array, sparse where X is."""
        parts = []
        for j, (column, place) in enumerate(zip(columns, at, strict=True)):
            places = np.broadcast_to(np.asarray(place, dtype=np.float64), (size,))
            parts.append(self._cells(j)[column.rows(places)] if column.by_level else places)
        if sp.issparse(self.X):
            return sp.hstack([sp.csr_matrix(part.astype(np.float64)[:, None]) for part in parts], format="csr")
        kept = self.X.dtype if self.X.dtype.kind in "fOUS" else np.dtype(np.float64)
        rows = np.empty((size, len(parts)), dtype=kept)
        for j, part in enumerate(parts):
            rows[:, j] = part
        return rows


def columns_of(X: Any, estimators: Sequence[Any], target: Any = None) -> Columns:
    """See X as the columns that fitted models take.

    Parameters
    ----------
    X : (n, d) frame, array or sparse matrix
    estimators : fitted on the same columns
    target : the name of the column of a frame that holds the classes, if one does
    """
    frame = as_frame(X)
    named = [getattr(model, "feature_names_in_", None) for model in estimators]
    names = list(dict.fromkeys(str(name) for found in named if found is not None for name in found)) or None
    if frame is None:
        return ArrayColumns(X, names)
    if names is None:
        plain = frame.drop([target]) if isinstance(target, str) and target in frame.columns else frame
        return FrameColumns(plain, as_array=all(plain[name].dtype.is_numeric() for name in plain.columns))
    offsets = [getattr(model, "offset_", None) for model in estimators]
    wanted = names + [name for name in dict.fromkeys(offsets) if isinstance(name, str) and name not in names]
    refuse_absent(tuple(wanted), frame.columns)
    return FrameColumns(frame.select(wanted))
