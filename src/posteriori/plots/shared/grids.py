"""`Grid`: the points at which a figure asks a model, along one or two columns of X, the others held."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.input.frames.native import no_column
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote
from posteriori.plots.shared.columns import Column, Columns

#: How far a grid reaches: past the rows, as far as they go, or their whole numbers alone. What a model knows of other
#: numbers, it says: the first of these that it takes is drawn.
Reach = Literal["beyond", "within", "levels"]
REACHES: tuple[Reach, ...] = ("beyond", "within", "levels")
#: By how much of the rows' range a grid reaches past them.
MARGIN = 0.08
#: Multiples of these are spread evenly between whole numbers, and pairs of them over a square.
STEPS = (0.7548776662466927, 0.5698402909980532)


@dataclass(frozen=True, eq=False)
class Axis:
    """One column that a grid runs along.

    Parameters
    ----------
    name : of the column
    at : (r,) points, ascending
    rows : (n,) where the rows of X are; NaN at gaps
    levels : words for 0, 1, …, where the column is of levels
    """

    name: str
    at: Array
    rows: Array
    levels: tuple[str, ...] = ()

    def shown(self, rows: NDArray[np.intp], step: float = STEPS[0]) -> Array:
        """Give where some rows are drawn: along an axis of levels a little apart, so that they can be counted."""
        if not self.levels:
            return self.rows[rows]
        apart: Array = self.rows[rows] + 0.5 * (rows * step % 1.0 - 0.5)
        return apart

    def between(self, low: float, high: float) -> "Axis":
        """Give the axis with other ends; one of levels as it is."""
        return self if self.levels else replace(self, at=np.linspace(low, high, len(self.at)))

    @property
    def limits(self) -> tuple[float, float]:
        """The ends of the axis: those of the grid, or a little more where rows lie on them."""
        low, high = float(self.at[0]), float(self.at[-1])
        seen = self.rows[np.isfinite(self.rows)]
        if self.levels or not len(seen):
            return low, high
        edge = 0.03 * (high - low)
        return low - edge * (seen.min() == low), high + edge * (seen.max() == high)


@dataclass(frozen=True, eq=False)
class Grid:
    """Points along one or two columns, and the rows to ask a model for.

    Parameters
    ----------
    axes : one or two
    held : {column: word} of the columns that do not vary
    rows : one for each point, the first axis running fastest; of the kind of X
    """

    axes: tuple[Axis, ...]
    held: dict[str, str]
    rows: Any

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of values over the grid: (r,), or (r of the second axis, r of the first)."""
        return tuple(len(axis.at) for axis in reversed(self.axes))


def grid_of(
    columns: Columns,
    chosen: Sequence[int],
    resolution: int,
    reach: Reach = "beyond",
    window: Sequence[tuple[float, float]] | None = None,
) -> Grid:
    """Lay a grid over the columns chosen, and hold the others at what is typical of them.

    Parameters
    ----------
    columns : of X
    chosen : the one or two to vary
    resolution : points along each
    reach : how far to go
    window : the ends of each axis of numbers, in place of what the rows' range makes them
    """
    if not columns.n_rows:
        raise DataError("X has no rows: a figure is as wide as the rows are.")
    read = [columns.column(j) for j in range(len(columns.names))]
    if reach == "levels":
        read = [column.as_levels() if j in chosen else column for j, column in enumerate(read)]
    axes = tuple(_axis(read[j], resolution, reach) for j in chosen)
    if window is not None:
        axes = tuple(axis.between(*ends) for axis, ends in zip(axes, window, strict=True))
    points = [cells.ravel() for cells in np.meshgrid(*(axis.at for axis in axes))]
    at: list[Any] = [column.typical() for column in read]
    held = {column.name: column.word(at[j]) for j, column in enumerate(read) if j not in chosen}
    for j, cells in zip(chosen, points, strict=True):
        at[j] = cells
    return Grid(axes, held, columns.made(read, at, len(points[0])))


def _axis(column: Column, resolution: int, reach: Reach) -> Axis:
    if column.by_level:
        if not column.levels:
            raise DataError(f"column {column.name!r} has no values to draw along: every cell is missing.")
        return Axis(column.name, np.linspace(-0.5, len(column.levels) - 0.5, resolution), column.values, column.levels)
    seen = column.values[np.isfinite(column.values)]
    if not len(seen):
        raise DataError(f"column {column.name!r} has no finite numbers to draw along.")
    low, high = float(seen.min()), float(seen.max())
    if low == high:
        low, high = low - 0.5, high + 0.5
    more = MARGIN * (high - low) if reach == "beyond" else 0.0
    return Axis(column.name, np.linspace(low - more, high + more, resolution), column.values)


def read_features(features: Any, names: Sequence[str]) -> tuple[int, ...]:
    """Find the one or two columns to vary, by name or number.

    >>> read_features("b", ["a", "b", "c"]), read_features((2, 0), ["a", "b", "c"])
    ((1,), (2, 0))
    """
    if features is None:
        if len(names) > 2:
            raise DataError(
                f"X has {len(names)} columns, and one or two can be drawn along: say which by features=, such as "
                f"features=({names[0]!r}, {names[1]!r}); the others are held. The columns are {quote(names, most=20)}."
            )
        return tuple(range(len(names)))
    single = isinstance(features, str) or np.ndim(features) == 0
    chosen = tuple(_place(feature, names) for feature in ([features] if single else list(features)))
    if len(chosen) not in (1, 2) or len(set(chosen)) < len(chosen):
        raise DataError(f"features={features!r} must be one column, or two that differ. The columns are "
                        f"{quote(names, most=20)}.")  # fmt: skip
    return chosen


def _place(feature: Any, names: Sequence[str]) -> int:
    if isinstance(feature, str):
        if feature not in names:
            raise DataError(f"features: {no_column(feature, list(names))}")
        return list(names).index(feature)
    if isinstance(feature, bool | np.bool_) or not isinstance(feature, int | np.integer):
        raise DataTypeError(f"features must be names or numbers of columns, not {feature!r}.")
    if not 0 <= feature < len(names):
        raise DataError(
            f"features: there is no column {feature}; numbers go from 0 to {len(names) - 1}. The columns are "
            f"{quote(names, most=20)}."
        )
    return int(feature)


def read_resolution(resolution: Any) -> int:
    """Check how many points an axis has."""
    if isinstance(resolution, bool) or not isinstance(resolution, int | np.integer) or resolution < 2:
        raise DataError(f"resolution={resolution!r} must be a whole number from 2 up: points along each axis.")
    return int(resolution)
