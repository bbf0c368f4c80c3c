"""`Coding`: how the columns of a frame become columns that a model takes.

Numbers stay. Categories and booleans become columns of zeros and ones against a reference level (treatment
coding), or go as they are to models that take categories. A gap is passed on, refused, or filled and marked.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.memory import shortage, shown_bytes
from posteriori.input.coding.faults import refuse_gaps, refuse_unseen
from posteriori.input.frames.cells import boolean_cells, category_cells, number_cells, text_cells
from posteriori.input.frames.numeric_columns import plain_numbers
from posteriori.messages.errors import DataError
from posteriori.messages.options import type_option
from posteriori.storable import storable
from posteriori.tables.schema import Kind

Frame = nw.DataFrame[Any]
#: Bytes of coded columns below which the memory available is not looked up.
SMALL = 2**26
#: Levels of a column above which a fit of its columns of zeros and ones may take minutes.
MANY_LEVELS = 1000


@storable
@dataclass(frozen=True)
class Coded:
    """One column of a frame and how it is coded.

    Parameters
    ----------
    name : the column's name
    kind : "number" | "boolean" | "category"
    levels : the values of a category, in order; False and True of a boolean; none of a number
    reference : the position of the level without a column of its own
    fill : what stands in for a gap (a number, or the position of a level), or None where gaps are not filled
    """

    name: str
    kind: Kind
    levels: tuple[str, ...] = ()
    reference: int = 0
    fill: float | None = None

    @property
    def indicators(self) -> tuple[str, ...]:
        """Names of the columns of zeros and ones, without the reference's: ``island=Dream``."""
        return tuple(f"{self.name}={level}" for i, level in enumerate(self.levels) if i != self.reference)

    def cells(self, series: "nw.Series[Any]") -> Array:
        """Give the column as numbers or codes: a gap is NaN, a level unknown to the fit is infinite."""
        if self.kind == "number":
            return number_cells(series)
        return boolean_cells(series) if self.kind == "boolean" else category_cells(series, self.levels)


@storable
@dataclass(frozen=True)
class Coding:
    """The coded columns of a frame, in order.

    Parameters
    ----------
    columns : the columns of the frame that the model uses
    treatment : whether levels become columns of zeros and ones; otherwise they stay categories
    passes_gaps : whether the model can use gaps
    """

    columns: tuple[Coded, ...]
    treatment: bool
    passes_gaps: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns of the frame."""
        return tuple(column.name for column in self.columns)

    @property
    def names_out(self) -> tuple[str, ...]:
        """Names of the columns that the model takes."""
        names: list[str] = []
        for column in self.columns:
            names += column.indicators if self.treatment and column.levels else (column.name,)
            names += (f"{column.name} is missing",) if column.fill is not None else ()
        return tuple(names)

    @property
    def size_out(self) -> tuple[int, int]:
        """Number of columns that the model takes and a bound on the length of their names, without listing them."""
        count, longest = 0, 0
        for column in self.columns:
            count += len(column.levels) - 1 if self.treatment and column.levels else 1
            count += column.fill is not None
            longest = max(longest, len(column.name) + 16 + max(map(len, column.levels), default=0))
        return count, longest

    def apply(self, frame: Frame, *, learning: bool = False) -> Frame:
        """Code the rows of a frame; its other columns are left out.

        Book: [Jordan] Eq. 7.32, §7.2.2: a feature of K values as indicator variables.
        """
        self._refuse_large(len(frame))
        if learning:
            self._warn_of_many_levels()
        plain, matrix = plain_numbers(frame, self._numbers)
        cells = self._cells(frame, plain, matrix)
        if not self.passes_gaps:
            refuse_gaps(cells, [column.name for column in self.columns if column.fill is None], learning)
        if self.treatment:
            categories = [column for column in self.columns if column.kind == "category"]
            refuse_unseen(frame, [(column.name, column.levels, cells[column.name]) for column in categories])
        whole = {column.name for column in self.columns if column.fill is None}.intersection(plain)
        parts: list[nw.Series[Any]] = []
        for column in self.columns:
            if column.name not in whole:
                parts += self._parts(column, frame[column.name], cells[column.name])
        if not whole:
            return frame.select(*parts)
        kinds = dict.fromkeys(plain, nw.Float64())
        numbers: Frame = nw.from_numpy(matrix, kinds, backend=frame.implementation)
        return numbers.with_columns(*parts).select(*self.names_out) if parts else numbers

    def _refuse_large(self, n_rows: int) -> None:
        """Raise if the columns of zeros and ones do not fit into memory; name the column with the most levels."""
        n_columns, _ = self.size_out
        needed = 8 * n_rows * n_columns
        there = shortage(needed, SMALL)
        if there is None:
            return
        worst = max(self.columns, key=lambda column: len(column.levels))
        raise DataError(
            f"column {worst.name!r} has {len(worst.levels)} levels: coded as zeros and ones, {n_rows} rows have "
            f"{n_columns} columns and take {shown_bytes(needed)}, and {shown_bytes(there)} of memory are available. "
            f"Leave the column out ({type_option(worst.name, 'ignore')}), merge its rare levels, or use NaiveBayes, "
            "which takes categories as they are."
        )

    def _warn_of_many_levels(self) -> None:
        """Warn if a column becomes so many of zeros and ones that a fit takes minutes."""
        worst = max(self.columns, key=lambda column: len(column.levels))
        if self.treatment and len(worst.levels) > MANY_LEVELS:
            warnings.warn(
                f"column {worst.name!r} has {len(worst.levels)} levels, coded as {len(worst.levels) - 1} columns of "
                "zeros and ones; the time of most fits grows with the square of that. If it is slow, merge its rare "
                f"levels, leave the column out ({type_option(worst.name, 'ignore')}), or use NaiveBayes, which takes "
                "categories as they are.",
                stacklevel=5,
            )

    def cells(self, frame: Frame) -> dict[str, Array]:
        """Give the cells of every column as numbers or codes, by name: a gap is NaN, an unknown level infinite."""
        return self._cells(frame, *plain_numbers(frame, self._numbers))

    @property
    def _numbers(self) -> list[str]:
        return [column.name for column in self.columns if column.kind == "number"]

    def _cells(self, frame: Frame, plain: Sequence[str], matrix: Array) -> dict[str, Array]:
        known = dict(zip(plain, matrix.T, strict=True))
        return {
            column.name: known[column.name] if column.name in known else column.cells(frame[column.name])
            for column in self.columns
        }

    def _parts(self, column: Coded, series: "nw.Series[Any]", cells: Array) -> list["nw.Series[Any]"]:
        """Give the columns one column becomes, its indicator of gaps last."""
        gaps = np.isnan(cells)
        if column.fill is not None:
            cells = np.where(gaps, column.fill, cells)
        if not column.levels:
            parts = [_series(column.name, cells, series)]
        elif self.treatment:
            codes = [code for code in range(len(column.levels)) if code != column.reference]
            parts = [
                _series(name, np.where(np.isnan(cells), np.nan, cells == code), series)
                for name, code in zip(column.indicators, codes, strict=True)
            ]
        else:
            parts = [self._category(column, series)]
        if column.fill is not None:
            marks = gaps.astype(np.float64) if self.treatment else gaps
            parts.append(_series(f"{column.name} is missing", marks, series))
        return parts

    def _category(self, column: Coded, series: "nw.Series[Any]") -> "nw.Series[Any]":
        """Pass a category on as text, a boolean as what it is, gaps filled where that is wished."""
        if column.kind == "boolean":
            cells = boolean_cells(series)
            gaps = np.isnan(cells)
            values = (cells if column.fill is None else np.where(gaps, column.fill, cells)) == 1
            whole = _series(column.name, values, series)
            return whole if column.fill is not None or not gaps.any() else _with_gaps(whole, gaps)
        text = text_cells(series).alias(column.name)
        return text if column.fill is None else text.fill_null(column.levels[int(column.fill)])

    @property
    def sources(self) -> tuple[str, ...]:
        """Name the column of the frame that each of the columns that the model takes comes from."""
        sources: list[str] = []
        for column in self.columns:
            own = len(column.indicators) if self.treatment and column.levels else 1
            sources += [column.name] * (own + (column.fill is not None))
        return tuple(sources)

    @property
    def derived(self) -> tuple[str, ...]:
        """Name the columns that the model does not take as they stand: categories, and those with filled gaps."""
        return tuple(
            column.name for column in self.columns if (self.treatment and column.levels) or column.fill is not None
        )


def _series(name: str, values: NDArray[Any], like: "nw.Series[Any]") -> "nw.Series[Any]":
    return nw.new_series(name, values, backend=like.implementation)


def _with_gaps(series: "nw.Series[Any]", gaps: NDArray[np.bool_]) -> "nw.Series[Any]":
    """Blank some cells of a boolean column, in a type of the frame's library that can be blank."""
    values = series.to_numpy().astype(object)
    values[gaps] = None
    if series.implementation.is_pandas_like():
        native = series.to_native().astype("boolean")
        native[gaps] = None
        blanked: nw.Series[Any] = nw.from_native(native, series_only=True)
        return blanked
    return nw.new_series(series.name, values.tolist(), nw.Boolean(), backend=series.implementation)
