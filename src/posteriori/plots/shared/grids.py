"""`Grid`: the points at which a model is evaluated, along one or two columns of X, with the others fixed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from posteriori.arrays import Array
from posteriori.checks.parameters import is_whole
from posteriori.input.frames.native import no_column
from posteriori.messages.errors import DataError, DataTypeError
from posteriori.messages.notes import quote
from posteriori.plots.shared.columns import Columns, PlotColumn

#: The points of a grid: beyond the range of the rows, within it, or their integers only. The first of these that the
#: model accepts is drawn.
Extent = Literal["beyond", "within", "levels"]
EXTENTS: tuple[Extent, ...] = ("beyond", "within", "levels")
#: How far a grid extends beyond the rows, as a fraction of their range.
MARGIN = 0.08
#: Additive recurrence of low discrepancy: multiples modulo 1 are evenly spread, pairs of them over the unit square.
STEPS = (0.7548776662466927, 0.5698402909980532)


@dataclass(frozen=True, eq=False)
class Axis:
    """One column that varies over a grid.

    Parameters
    ----------
    name : name of the column
    at : (r,) points, ascending
    rows : (n,) positions of the rows of X; NaN if missing
    levels : names of the positions 0, 1, …, if the column is categorical
    """

    name: str
    at: Array
    rows: Array
    levels: tuple[str, ...] = ()

    def shown(self, rows: NDArray[np.intp], step: float = STEPS[0]) -> Array:
        """Return the positions at which rows are drawn; on an axis of levels they are jittered."""
        if not self.levels:
            return self.rows[rows]
        jittered: Array = self.rows[rows] + 0.5 * (rows * step % 1.0 - 0.5)
        return jittered

    def between(self, low: float, high: float) -> "Axis":
        """Return the axis with other ends; an axis of levels is unchanged."""
        return self if self.levels else replace(self, at=np.linspace(low, high, len(self.at)))

    @property
    def limits(self) -> tuple[float, float]:
        """The ends of the axis: those of the grid, extended a little where rows lie on them."""
        low, high = float(self.at[0]), float(self.at[-1])
        finite = self.rows[np.isfinite(self.rows)]
        if self.levels or not len(finite):
            return low, high
        edge = 0.03 * (high - low)
        return low - edge * (finite.min() == low), high + edge * (finite.max() == high)


@dataclass(frozen=True, eq=False)
class Grid:
    """Points along one or two columns, and the rows at which the model is evaluated.

    Parameters
    ----------
    axes : one or two
    fixed : {column: value as text} of the columns that do not vary
    rows : one per point, the first axis varying fastest; in the container of X
    """

    axes: tuple[Axis, ...]
    fixed: dict[str, str]
    rows: Any

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of values over the grid: (r,), or (r of the second axis, r of the first)."""
        return tuple(len(axis.at) for axis in reversed(self.axes))


def grid_of(
    columns: Columns,
    chosen: Sequence[int],
    resolution: int,
    extent: Extent = "beyond",
    window: Sequence[tuple[float, float]] | None = None,
) -> Grid:
    """Make a grid over the chosen columns, with the others fixed at typical values.

    Parameters
    ----------
    columns : the columns of X
    chosen : indices of the one or two columns that vary
    resolution : points along each
    extent : "beyond" | "within" | "levels"
    window : the ends of each numeric axis, in place of the range of the rows
    """
    if not columns.n_rows:
        raise DataError("X has no rows: the axes of the figure span the rows.")
    read = [columns.column(j) for j in range(len(columns.names))]
    if extent == "levels":
        read = [column.as_levels() if j in chosen else column for j, column in enumerate(read)]
    axes = tuple(_axis(read[j], resolution, extent) for j in chosen)
    if window is not None:
        axes = tuple(axis.between(*ends) for axis, ends in zip(axes, window, strict=True))
    points = [cells.ravel() for cells in np.meshgrid(*(axis.at for axis in axes))]
    at: list[Any] = [column.typical() for column in read]
    fixed = {column.name: column.text(at[j]) for j, column in enumerate(read) if j not in chosen}
    for j, cells in zip(chosen, points, strict=True):
        at[j] = cells
    return Grid(axes, fixed, columns.assemble(read, at, len(points[0])))


def _axis(column: PlotColumn, resolution: int, extent: Extent) -> Axis:
    if column.categorical:
        if not column.levels:
            raise DataError(f"column {column.name!r} has no values: every cell is missing.")
        return Axis(column.name, np.linspace(-0.5, len(column.levels) - 0.5, resolution), column.values, column.levels)
    finite = column.values[np.isfinite(column.values)]
    if not len(finite):
        raise DataError(f"column {column.name!r} has no finite numbers.")
    low, high = float(finite.min()), float(finite.max())
    if low == high:
        low, high = low - 0.5, high + 0.5
    margin = MARGIN * (high - low) if extent == "beyond" else 0.0
    return Axis(column.name, np.linspace(low - margin, high + margin, resolution), column.values)


def read_features(features: Any, names: Sequence[str]) -> tuple[int, ...]:
    """Return the indices of the one or two columns that vary, from names or numbers.

    >>> read_features("b", ["a", "b", "c"]), read_features((2, 0), ["a", "b", "c"])
    ((1,), (2, 0))
    """
    if features is None:
        if len(names) > 2:
            raise DataError(
                f"X has {len(names)} columns, of which one or two can vary: name them by features=, such as "
                f"features=({names[0]!r}, {names[1]!r}); the others are fixed. Columns: {quote(names, most=20)}."
            )
        return tuple(range(len(names)))
    single = isinstance(features, str) or np.ndim(features) == 0
    chosen = tuple(_place(feature, names) for feature in ([features] if single else list(features)))
    if len(chosen) not in (1, 2) or len(set(chosen)) < len(chosen):
        raise DataError(f"features={features!r} must be one column or two different ones. The columns are "
                        f"{quote(names, most=20)}.")  # fmt: skip
    return chosen


def _place(feature: Any, names: Sequence[str]) -> int:
    if isinstance(feature, str):
        if feature not in names:
            raise DataError(f"features: {no_column(feature, list(names))}")
        return list(names).index(feature)
    if not is_whole(feature):
        raise DataTypeError(f"features must be names or numbers of columns, not {feature!r}.")
    if not 0 <= feature < len(names):
        raise DataError(
            f"features: there is no column {feature}; numbers go from 0 to {len(names) - 1}. The columns are "
            f"{quote(names, most=20)}."
        )
    return int(feature)


def read_resolution(resolution: Any) -> int:
    """Check the number of points along an axis."""
    if not is_whole(resolution, least=2):
        raise DataError(
            f"resolution={resolution!r} must be an integer of at least 2, the number of points along each axis."
        )
    return int(resolution)
