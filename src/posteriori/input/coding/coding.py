"""`Coding`: how the columns of a frame become the columns of a model.

Numbers are unchanged. Categories and booleans become indicators with a reference level (treatment coding), or are
passed to models that accept categories. Missing values are passed on, raise, or are imputed with an indicator.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks import requirements as require
from posteriori.checks.requirements import fail
from posteriori.input.coding.faults import refuse_missing, refuse_unseen
from posteriori.input.coding.sizes import refuse_large, warn_of_many_levels
from posteriori.input.frames.cells import boolean_cells, category_cells, number_cells, text_cells
from posteriori.input.frames.numeric_columns import plain_numbers
from posteriori.storable import storable
from posteriori.tables.schema import Kind

Frame = nw.DataFrame[Any]


@storable
@dataclass(frozen=True)
class Coded:
    """One column of a frame and how it is coded.

    Parameters
    ----------
    name : the column's name
    kind : "number" | "boolean" | "category"
    levels : the values of a category, in order; False and True of a boolean; none of a number
    reference : the position of the reference level
    fill : the value imputed for missing ones (a number, or the position of a level), or None
    """

    name: str
    kind: Kind
    levels: tuple[str, ...] = ()
    reference: int = 0
    fill: float | None = None

    @property
    def indicators(self) -> tuple[str, ...]:
        """Names of the indicators of all levels but the reference: ``island=Dream``."""
        return tuple(f"{self.name}={level}" for i, level in enumerate(self.levels) if i != self.reference)

    def cells(self, series: "nw.Series[Any]") -> Array:
        """Return the column as numbers or codes: missing values are NaN, unknown levels infinite."""
        if self.kind == "number":
            return number_cells(series)
        return boolean_cells(series) if self.kind == "boolean" else category_cells(series, self.levels)

    def check(self, where: str) -> None:
        """Raise unless the reference and the fill value are among the levels."""
        require.distinct(self.levels, f"{where}.levels")
        if (self.kind == "number") != (not self.levels) and self.kind != "category":
            fail(f"{where}.levels", f"does not go with a column of kind {self.kind!r}")
        if self.reference >= max(len(self.levels), 1):
            fail(f"{where}.reference", f"is {self.reference} of {len(self.levels)} levels")
        if self.fill is not None and not np.isfinite(self.fill):
            fail(f"{where}.fill", "is not finite")
        if self.fill is not None and self.levels and self.fill not in range(len(self.levels)):
            fail(f"{where}.fill", f"is {self.fill} of {len(self.levels)} levels")


@storable
@dataclass(frozen=True)
class Coding:
    """The coded columns of a frame, in order.

    Parameters
    ----------
    columns : the columns of the frame that the model uses
    treatment : whether levels become indicators; otherwise they stay categories
    allows_missing : whether the model can use missing values
    """

    columns: tuple[Coded, ...]
    treatment: bool
    allows_missing: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns of the frame."""
        return tuple(column.name for column in self.columns)

    @property
    def names_out(self) -> tuple[str, ...]:
        """Names of the columns of the model."""
        return tuple(name for column in self.columns for name in self._names(column))

    def _names(self, column: Coded) -> tuple[str, ...]:
        """Return the names of the columns of the model that one column becomes."""
        names = column.indicators if self.treatment and column.levels else (column.name,)
        return names if column.fill is None else (*names, f"{column.name} is missing")

    @property
    def size_out(self) -> tuple[int, int]:
        """Number of columns of the model and a bound on the length of their names, without computing the names."""
        count, longest = 0, 0
        for column in self.columns:
            count += len(column.levels) - 1 if self.treatment and column.levels else 1
            count += column.fill is not None
            longest = max(longest, len(column.name) + 16 + max(map(len, column.levels), default=0))
        return count, longest

    def apply(self, frame: Frame, *, learning: bool = False) -> Frame:
        """Code the rows of a frame; drop its other columns.

        Book: [Jordan] Eq. 7.32, §7.2.2: a feature of K values as indicator variables.
        """
        refuse_large(self.columns, len(frame), self.size_out[0])
        if learning and self.treatment:
            warn_of_many_levels(self.columns)
        plain, matrix = plain_numbers(frame, self._numbers)
        cells = self._cells(frame, plain, matrix)
        if not self.allows_missing:
            refuse_missing(cells, [column.name for column in self.columns if column.fill is None], learning)
        if self.treatment:
            categories = [column for column in self.columns if column.kind == "category"]
            refuse_unseen(frame, [(column.name, column.levels, cells[column.name]) for column in categories])
        unchanged = {column.name for column in self.columns if column.fill is None}.intersection(plain)
        parts: list[nw.Series[Any]] = []
        for column in self.columns:
            if column.name not in unchanged:
                parts += self._parts(column, frame[column.name], cells[column.name])
        if not unchanged:
            return frame.select(*parts)
        kinds = dict.fromkeys(plain, nw.Float64())
        numbers: Frame = nw.from_numpy(matrix, kinds, backend=frame.implementation)
        return numbers.with_columns(*parts).select(*self.names_out) if parts else numbers

    def cells(self, frame: Frame) -> dict[str, Array]:
        """Return the cells of each column as numbers or codes: missing values are NaN, unknown levels infinite."""
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
        """Return the columns that one column becomes, its indicator of missing values last."""
        missing = np.isnan(cells)
        if column.fill is not None:
            cells = np.where(missing, column.fill, cells)
        if not column.levels:
            parts = [_series(column.name, cells, series)]
        elif self.treatment:
            codes = [code for code in range(len(column.levels)) if code != column.reference]
            parts = [
                _series(name, np.where(np.isnan(cells), np.nan, cells == code), series)
                for name, code in zip(column.indicators, codes, strict=True)
            ]
        else:
            parts = [self._category(column, series, cells)]
        if column.fill is not None:
            marks = missing.astype(np.float64) if self.treatment else missing
            parts.append(_series(f"{column.name} is missing", marks, series))
        return parts

    def _category(self, column: Coded, series: "nw.Series[Any]", cells: Array) -> "nw.Series[Any]":
        """Return a category as text or a boolean column as boolean, with missing values imputed if they are to be."""
        if column.kind != "boolean":
            text = text_cells(series).alias(column.name)
            return text if column.fill is None else text.fill_null(column.levels[int(column.fill)])
        coded, missing = _series(column.name, cells == 1, series), np.isnan(cells)
        return _with_missing(coded, missing) if missing.any() else coded

    @property
    def sources(self) -> tuple[str, ...]:
        """Name of the column of the frame that each column of the model comes from."""
        return tuple(column.name for column in self.columns for _ in self._names(column))

    @property
    def derived(self) -> tuple[str, ...]:
        """Names of the columns that are coded: categories, and columns with imputed values."""
        return tuple(
            column.name for column in self.columns if (self.treatment and column.levels) or column.fill is not None
        )

    def check(self, where: str) -> None:
        """Raise if two columns have one name."""
        require.distinct(self.names, f"{where}.columns")


def _series(name: str, values: NDArray[Any], like: "nw.Series[Any]") -> "nw.Series[Any]":
    return nw.new_series(name, values, backend=like.implementation)


def _with_missing(series: "nw.Series[Any]", missing: NDArray[np.bool_]) -> "nw.Series[Any]":
    """Set some cells of a boolean column to missing, in a type of the frame's library that allows it."""
    if series.implementation.is_pandas_like():
        native = series.to_native().astype("boolean")
        native[missing] = None
        nullable: nw.Series[Any] = nw.from_native(native, series_only=True)
        return nullable
    values = series.to_numpy().astype(object)
    values[missing] = None
    return nw.new_series(series.name, values.tolist(), nw.Boolean(), backend=series.implementation)
