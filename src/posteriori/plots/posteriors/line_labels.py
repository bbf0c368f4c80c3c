"""Labels of contour lines: one per line, within the axes, away from other lines and from rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from posteriori.arrays import Array
from posteriori.plots.shared.grids import Axis
from posteriori.plots.shared.rows import MOST

#: Distance of a label from the edges and from other lines, as fractions of the axes.
EDGE, CLEAR = 0.08, 0.035
#: Weight of the distance from the centre, which only breaks ties.
MIDDLE = 0.01


def label_lines(ax: Any, lines: Any, axes: Sequence[Axis]) -> None:
    """Write its level on each line that has room for it; on the outermost lines in any case.

    Parameters
    ----------
    ax : matplotlib axes
    lines : the contour lines drawn on them
    axes : the axes of the grid
    """
    low = np.array([axis.limits[0] for axis in axes])
    span = np.array([axis.limits[1] for axis in axes]) - low
    paths = [_finite((path.vertices - low) / span) for path in lines.get_paths()]
    every = np.column_stack([axis.rows for axis in axes])
    rows = _finite((every[:: -(-len(every) // MOST)] - low) / span)
    for place, path in enumerate(paths):
        inside = path[np.minimum(path, 1.0 - path).min(axis=1, initial=np.inf) >= EDGE]
        if not len(inside):
            continue
        room = _room(inside, np.vstack([other for at, other in enumerate(paths) if at != place] or [path[:0]]))
        quality = room + _room(inside, rows) - MIDDLE * np.abs(inside - 0.5).sum(axis=1)
        best = int(quality.argmax())
        if place in (0, len(paths) - 1) or room[best] >= CLEAR:
            x, y = low + span * inside[best]
            # the line nearest to (x, y) is this one; matplotlib before 3.11 fails if only its level is passed
            ax.clabel(lines, fmt="%g", fontsize=8, manual=[(x, y)], zorder=4)


def _room(points: Array, others: Array) -> Array:
    """Return the distance of points to the nearest of others, up to twice the required one."""
    most = np.full(len(points), 2.0 * CLEAR)
    return np.minimum(cKDTree(others).query(points)[0], most) if len(others) else most


def _finite(points: Array) -> Array:
    return points[np.isfinite(points).all(axis=1)]
