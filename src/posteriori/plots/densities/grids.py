"""Where densities are evaluated to be drawn, and at which heights contour lines hold a share of the mass."""

from collections.abc import Callable

import numpy as np

from posteriori.arrays import Array
from posteriori.families.base import Family

#: How far beyond the rows a density is drawn, as a share of their range.
BEYOND = 0.2
#: More whole numbers than this are drawn as steps, not as bars.
MOST_BARS = 30
#: How often the neighbourhood of a mode is looked at more closely, and in how many points.
ZOOMS, CLOSER = 4, 41


def reach(cells: Array) -> tuple[float, float]:
    """Give the range of some cells, and a fifth of it on both sides; one unit where they are all the same.

    >>> reach(np.array([0.0, np.nan, 10.0]))
    (-2.0, 12.0)
    """
    low, high = float(np.nanmin(cells)), float(np.nanmax(cells))
    more = BEYOND * (high - low) if high > low else max(1.0, 1e-3 * abs(low))
    return low - more, high + more


def is_discrete(family: Family, cells: Array) -> bool:
    """Say whether a family takes whole numbers only: halves between the cells are outside its domain."""
    seen = cells[~np.isnan(cells)]
    if (seen != np.floor(seen)).any():
        return False
    halves = np.unique(seen)[:, None] + 0.5
    return bool(family.invalid(halves).all())


def whole_numbers(family: Family, cells: Array, resolution: int) -> Array:
    """Give the whole numbers of a family's domain about some cells; evenly spaced ones where they are too many."""
    low, high = np.nanmin(cells), np.nanmax(cells)
    more = np.ceil(BEYOND * (high - low)) + (high == low)
    numbers = np.unique(
        np.linspace(low - more, high + more, min(int(high - low + 2 * more) + 1, 5 * resolution)).round()
    )
    inside: Array = numbers[~family.invalid(numbers[:, None])[:, 0]]
    return inside


def curve_points(
    log_density: Callable[[Array], Array], low: float, high: float, resolution: int
) -> tuple[Array, Array]:
    """Give points (m,) in order, and log densities (m, K) at them: an even grid, and more points about each mode.

    A class much narrower than a step of the grid would be lost between two points; the log density still says
    between which, and that place is looked at closer, time and again.
    """
    at = np.linspace(low, high, max(resolution, 3))  # a mode is looked for between the ends
    logs = log_density(at[:, None])
    for _ in range(ZOOMS):
        inner = logs[1:-1].argmax(axis=0) + 1
        best = np.take_along_axis(logs, inner[None, :], axis=0)[0] == logs.max(axis=0)  # not where it falls from an end
        more = np.concatenate([np.linspace(at[i - 1], at[i + 1], CLOSER) for i in inner[best]] or [at[:0]])
        new = np.setdiff1d(more, at)
        order = np.argsort(np.concatenate([at, new]))
        logs = np.concatenate([logs, log_density(new[:, None])])[order] if len(new) else logs
        at = np.concatenate([at, new])[order]
    return at, logs


def mass_levels(logs: Array, masses: tuple[float, ...], log_area: float) -> Array:
    """Give log heights (K, L) above which each class has the masses asked for; NaN where the grid has less.

    Parameters
    ----------
    logs : (m, n, K) log densities on a grid
    masses : shares of a class, such as 0.5
    log_area : log of the area of a cell of the grid
    """
    found = np.full((logs.shape[-1], len(masses)), np.nan)
    for k, column in enumerate(np.moveaxis(logs, -1, 0)):
        heights = np.sort(column.ravel())[::-1]
        held = np.cumsum(np.exp(heights + log_area))
        place = np.searchsorted(held, masses)
        found[k, place < len(held)] = heights[place[place < len(held)]]
    return found
