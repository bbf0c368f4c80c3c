"""The points at which densities are evaluated for a figure, and the heights of contour lines of given probability."""

from collections.abc import Callable

import numpy as np

from posteriori.arrays import Array
from posteriori.families.base import Family

#: How far beyond the rows a density is drawn, as a fraction of their range.
BEYOND = 0.2
#: Largest number of integers drawn as bars; more are drawn as steps.
MOST_BARS = 30
#: Number of refinements of the grid around a mode, and points in each.
ZOOMS, CLOSER = 4, 41


def extended_range(cells: Array) -> tuple[float, float]:
    """Return the range of values, extended by a fifth on both sides, or by one unit if all values are equal.

    >>> extended_range(np.array([0.0, np.nan, 10.0]))
    (-2.0, 12.0)
    """
    low, high = float(np.nanmin(cells)), float(np.nanmax(cells))
    margin = BEYOND * (high - low) if high > low else max(1.0, 1e-3 * abs(low))
    return low - margin, high + margin


def is_discrete(family: Family, cells: Array) -> bool:
    """Return whether a family is defined on integers only: half-integers are outside its domain."""
    observed = cells[~np.isnan(cells)]
    if (observed != np.floor(observed)).any():
        return False
    halves = np.unique(observed)[:, None] + 0.5
    return bool(family.invalid(halves).all())


def integers_near(family: Family, cells: Array, resolution: int) -> Array:
    """Return the integers of a family's domain around the values; evenly spaced ones if there are too many."""
    low, high = np.nanmin(cells), np.nanmax(cells)
    margin = np.ceil(BEYOND * (high - low)) + (high == low)
    numbers = np.unique(
        np.linspace(low - margin, high + margin, min(int(high - low + 2 * margin) + 1, 5 * resolution)).round()
    )
    valid: Array = numbers[~family.invalid(numbers[:, None])[:, 0]]
    return valid


def curve_points(
    log_density: Callable[[Array], Array], low: float, high: float, resolution: int
) -> tuple[Array, Array]:
    """Return points (m,), ascending, and log densities (m, K): an even grid, refined around each mode.

    The peak of a class much narrower than a step of the grid would be missed; the log densities still show between
    which points it is, and the grid is refined there repeatedly.
    """
    at = np.linspace(low, high, max(resolution, 3))  # a mode is searched between the ends
    logs = log_density(at[:, None])
    for _ in range(ZOOMS):
        inner = logs[1:-1].argmax(axis=0) + 1
        best = np.take_along_axis(logs, inner[None, :], axis=0)[0] == logs.max(
            axis=0
        )  # not if the maximum is at an end
        more = np.concatenate([np.linspace(at[i - 1], at[i + 1], CLOSER) for i in inner[best]] or [at[:0]])
        new = np.setdiff1d(more, at)
        order = np.argsort(np.concatenate([at, new]))
        logs = np.concatenate([logs, log_density(new[:, None])])[order] if len(new) else logs
        at = np.concatenate([at, new])[order]
    return at, logs


def mass_levels(logs: Array, masses: tuple[float, ...], log_area: float) -> Array:
    """Return log heights (K, L) above which each class has the given probabilities; NaN if the grid contains less.

    Parameters
    ----------
    logs : (m, n, K) log densities on a grid
    masses : probabilities of a class, such as 0.5
    log_area : log area of a cell of the grid
    """
    levels = np.full((logs.shape[-1], len(masses)), np.nan)
    for k, column in enumerate(np.moveaxis(logs, -1, 0)):
        heights = np.sort(column.ravel())[::-1]
        mass = np.cumsum(np.exp(heights + log_area))
        place = np.searchsorted(mass, masses)
        levels[k, place < len(mass)] = heights[place[place < len(mass)]]
    return levels
