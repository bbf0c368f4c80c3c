"""Over two features: the posterior as a blend of the classes' colours, contour lines, and decision boundaries."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.plots.posteriors.line_labels import label_lines
from posteriori.plots.posteriors.surface import Surface, smoothed
from posteriori.plots.shared.canvas import colour, mark
from posteriori.plots.shared.grids import STEPS, Axis, Grid
from posteriori.plots.shared.rows import Labels, style
from posteriori.plots.shared.wording import ROOM, plain

#: Levels of the contour lines of the posterior of two classes; 0.5 is solid.
LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)
#: Weight of a class's colour where its probability is one; the rest is white.
DEPTH = 0.38
#: Hatches of regions that belong to no class: ambiguous, rejected, other actions.
HATCHES = ("////", "....", "\\\\\\\\", "xxxx", "++")
BOUNDARY = {"colors": "0.1", "linewidths": 1.4}


@dataclass
class PanelArtists:
    """The artists of one panel."""

    surfaces: list[Any] = field(default_factory=list)
    contours: list[Any] = field(default_factory=list)
    points: list[Any] = field(default_factory=list)
    lines: list[Any] = field(default_factory=list)
    changes: list[Any] = field(default_factory=list)
    handles: list[Any] = field(default_factory=list)
    hatch_handles: list[Any] = field(default_factory=list)


def tint(weights: Array) -> Array:
    """Mix the classes' colours with given weights, (…, K) to (…, 3), over white.

    >>> tint(np.array([[0.0, 0.0]])).tolist()
    [[1.0, 1.0, 1.0]]
    """
    from matplotlib.colors import to_rgb

    colours = np.array([to_rgb(colour(k)) for k in range(weights.shape[-1])])
    mixed: Array = 1.0 - DEPTH * (weights @ (1.0 - colours))
    return np.clip(mixed, 0.0, 1.0)


def draw_regions(ax: Any, grid: Grid, surface: Surface, labels: Labels) -> PanelArtists:
    """Draw one model over two features."""
    drawn = PanelArtists()
    first, second = grid.axes
    image = tint(_class_weights(surface, len(labels.classes))).reshape(*grid.shape, 3)
    extent = (first.at[0], first.at[-1], second.at[0], second.at[-1])
    drawn.surfaces.append(ax.imshow(image, extent=extent, origin="lower", aspect="auto", zorder=0))
    drawn.contours += _contours(ax, grid, surface)
    drawn.contours += _hatched(ax, grid, surface, len(labels.classes), drawn)
    for code, rows in labels.groups(len(first.rows)):
        x, y = first.shown(rows), second.shown(rows, STEPS[1])
        drawn.points.append(ax.scatter(x, y, zorder=3, **style(code)))
    drawn.handles = _handles(labels)
    label_axis(ax, first, "x")
    label_axis(ax, second, "y")
    return drawn


def _handles(labels: Labels) -> list[Any]:
    """Return the legend handles of the classes: the marker, or the colour if rows have no class."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    if labels.codes is None:
        tints = tint(np.eye(len(labels.classes)))
        return [Patch(facecolor=tuple(row), label=name) for row, name in zip(tints, labels.classes, strict=True)]
    return [
        Line2D([], [], color=colour(k), marker=mark(k), ls="", markeredgecolor="white", markersize=7, label=name)
        for k, name in enumerate(labels.classes)
    ]


def _class_weights(surface: Surface, n_classes: int) -> Array:
    """Return the weight of each class's colour at a point: its probability, else one for the predicted class."""
    if surface.response == "predict_proba" and surface.values is not None:
        return surface.values
    weights = np.zeros((len(surface.decided), n_classes))
    is_class = surface.decided < n_classes
    weights[np.flatnonzero(is_class), surface.decided[is_class]] = 1.0
    return weights


def _contours(ax: Any, grid: Grid, surface: Surface) -> list[Any]:
    """Draw contour lines of the posterior or score of two classes, and decision boundaries."""
    at = tuple(axis.at for axis in grid.axes)
    values = surface.values
    two = values is not None and values.shape[1] == 2
    drawn = []
    if two and (surface.response == "predict_proba" or surface.requested):
        assert values is not None
        height = values[:, 1].reshape(grid.shape)
        middle = 0.0 if surface.response == "decision_function" else 0.5
        levels = [level for level in _levels(surface, height) if height.min() < level < height.max()]
        bold = [level == middle and surface.is_greedy for level in levels]  # then it is also the decision boundary
        if levels:
            lines = ax.contour(
                *at, height, levels=levels, colors="0.1", linestyles=["solid" if b else "dashed" for b in bold],
                linewidths=[1.4 if b else 0.8 for b in bold],
            )  # fmt: skip
            label_lines(ax, lines, grid.axes)
            drawn.append(lines)
        if surface.is_greedy:
            return drawn
    return drawn + _boundaries(ax, grid, surface)


def _levels(surface: Surface, height: Array) -> list[float]:
    """Return the levels of the contour lines: fixed ones of probabilities, round numbers of scores."""
    from matplotlib.ticker import MaxNLocator

    if surface.response == "predict_proba":
        return list(LEVELS)
    middle = 0.0 if surface.response == "decision_function" else 0.5
    ticks = MaxNLocator(8, steps=[1, 5, 10]).tick_values(float(height.min()), float(height.max()))
    return sorted({middle, *np.asarray(ticks).tolist()})


def _boundaries(ax: Any, grid: Grid, surface: Surface) -> list[Any]:
    """Draw the decision boundaries: one line for two outcomes, for more one around each region."""
    present = np.unique(surface.decided)
    if len(present) < 2:
        return []
    about = present[1:] if len(present) == 2 else present
    at = tuple(axis.at for axis in grid.axes)
    return [ax.contour(*at, surface.lead(int(k), grid.shape), levels=[0.0], **BOUNDARY) for k in about]


def _hatched(ax: Any, grid: Grid, surface: Surface, n_classes: int, drawn: PanelArtists) -> list[Any]:
    """Hatch the regions where a vote is ambiguous and where the decision is not a class."""
    from matplotlib.patches import Patch

    masks = {} if surface.ambiguous is None else {"ambiguous": surface.ambiguous}
    masks |= {surface.outcomes[k]: surface.decided == k for k in range(n_classes, len(surface.outcomes))}
    contours = []
    at = tuple(axis.at for axis in grid.axes)
    for place, (name, mask) in enumerate(masks.items(), surface.ambiguous is None):
        hatch = HATCHES[place % len(HATCHES)]
        if mask.any():
            area = smoothed(mask, grid.shape)
            contours.append(ax.contourf(*at, area, levels=[0.5, 1.5], colors="none", hatches=[hatch]))
            drawn.hatch_handles.append(Patch(facecolor="none", edgecolor="0.3", hatch=hatch, label=plain(name)))
    return contours


def label_axis(ax: Any, axis: Axis, which: str) -> None:
    """Label an axis, set its limits, and write the levels of a categorical one; some of them if there are many."""
    getattr(ax, f"set_{which}label")(plain(axis.name, ROOM))
    getattr(ax, f"set_{which}lim")(*axis.limits)
    if axis.levels:
        places = range(0, len(axis.levels), -(-len(axis.levels) // 12))
        names = [plain(axis.levels[k], 14) for k in places]
        rotation = {"rotation": 30, "ha": "right"} if which == "x" and sum(map(len, names)) > 40 else {}
        getattr(ax, f"set_{which}ticks")(places, names, **rotation)
