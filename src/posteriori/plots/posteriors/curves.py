"""Along one feature: one curve per class, the rows, and lines where the decision changes."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from posteriori.arrays import Array
from posteriori.plots.posteriors.regions import PanelArtists, label_axis, tint
from posteriori.plots.posteriors.surface import Surface
from posteriori.plots.shared.canvas import STROKES, colour, ink, mark, stroke
from posteriori.plots.shared.grids import Grid
from posteriori.plots.shared.rows import Labels, style
from posteriori.plots.shared.wording import ROOM, plain

#: Line styles of models drawn on the same axes.
STYLES = tuple(STROKES[i] for i in (0, 3, 1, 2, 4))
#: Distance between the strips of rows below the curves, and the largest total height of the strips, as fractions of the
#: height of the curves.
STRIP, STRIPS = 0.07, 0.45


def changes_of(grid: Grid, surface: Surface) -> Array:
    """Return where the decision changes along one feature, by linear interpolation of the values.

    Exact if the values are linear, as those of least squares are.
    """
    at, decided = grid.axes[0].at, surface.decided
    before = np.flatnonzero(decided[1:] != decided[:-1])
    after = before + 1
    fraction = np.full(len(before), 0.5)
    if surface.values is not None and surface.is_greedy:
        one, other = decided[before], decided[after]
        ahead = surface.values[before, one] - surface.values[before, other]
        behind = surface.values[after, other] - surface.values[after, one]
        np.divide(ahead, ahead + behind, out=fraction, where=ahead + behind > 0)
    changes: Array = at[before] + fraction * (at[after] - at[before])
    return changes


def draw_curves(
    ax: Any, grid: Grid, surface: Surface, labels: Labels, shown: Sequence[int], *, line: Any = None, first: bool = True
) -> PanelArtists:
    """Draw one model along one feature.

    Parameters
    ----------
    ax : matplotlib axes
    grid, surface, labels : predictions of the model over the grid, and classes of the rows
    shown : indices of the classes whose curves are drawn
    line : line style of all curves of the model; default one style per class
    first : whether the model is the first on the axes, with which the rows are drawn
    """
    drawn = PanelArtists()
    axis = grid.axes[0]
    if surface.values is None:
        shares = np.equal.outer(surface.decided, np.arange(len(labels.classes))).astype(np.float64)
        extent = (axis.at[0], axis.at[-1], 0.0, 1.0)
        drawn.surfaces.append(ax.imshow(tint(shares)[None], extent=extent, aspect="auto", zorder=0))
    else:
        if len(labels.classes) == 2 and surface.response == "decision_function":
            shown = [1]  # the scores of the two classes differ in sign only
        guides = {"decision_function": (0.0,), "scores": (0.0, 1.0)}.get(surface.response, ())
        for height in guides if first else ():
            ax.axhline(height, color=ink(0.2), lw=0.8, zorder=0.5)
        drawn.lines = _curves(ax, grid, surface.values, shown, line)
    drawn.changes = [
        ax.axvline(x, color=ink(0.55), lw=0.8, ls=line or "-", zorder=1) for x in changes_of(grid, surface)
    ]
    if first:
        _draw_rows(ax, grid, surface, labels, shown, drawn)
    label_axis(ax, axis, "x")
    ax.set_ylabel(_value_label(surface, axis.name))
    drawn.handles = _handles(labels, surface.values is not None and len(shown) > 1, line)
    return drawn


def _strip(labels: Labels) -> float:
    """Return the distance between the strips of rows, which is smaller if there are many."""
    return STRIP if labels.codes is None else min(STRIP, STRIPS / len(labels.classes))


def _curves(ax: Any, grid: Grid, values: Array, shown: Sequence[int], line: Any) -> list[Any]:
    """Draw the values of some classes in their colours; a single class in black."""
    steps = {"drawstyle": "steps-mid"} if grid.axes[0].levels else {}
    colours = {k: ink(0.85) if len(shown) == 1 else colour(k) for k in shown}
    strokes = {k: stroke(k) if line is None and len(shown) > 1 else line or "-" for k in shown}
    return [ax.plot(grid.axes[0].at, values[:, k], color=colours[k], ls=strokes[k], lw=1.8, **steps)[0] for k in shown]


def _draw_rows(
    ax: Any, grid: Grid, surface: Surface, labels: Labels, shown: Sequence[int], drawn: PanelArtists
) -> None:
    """Draw the rows: of two classes at heights 0 and 1, else one strip per class below the curves."""
    low, high = span_of(surface, shown)
    at_class = len(labels.classes) == 2 and surface.response in ("predict_proba", "scores") and labels.codes is not None
    for code, rows in labels.groups(len(grid.axes[0].rows)):
        height = float(code or 0) if at_class else low - _strip(labels) * (high - low) * ((code or 0) + 1)
        x = grid.axes[0].shown(rows)
        drawn.points.append(ax.scatter(x, np.full(len(rows), height), zorder=3, clip_on=False, **style(code)))


def span_of(surface: Surface, shown: Sequence[int]) -> tuple[float, float]:
    """Return the range of the curves drawn; for probabilities and scores it includes 0 and 1."""
    if surface.values is None:
        return 0.0, 1.0
    values = surface.values[:, list(shown)]
    values = values[np.isfinite(values)]
    if not len(values):
        return 0.0, 1.0
    if surface.response == "decision_function":
        low, high = float(values.min()), float(values.max())
        return (low, high) if low < high else (low - 1.0, high + 1.0)
    return min(0.0, float(values.min())), max(1.0, float(values.max()))


def set_heights(axes: Sequence[Any], surfaces: Sequence[Surface], labels: Labels, shown: Sequence[int]) -> None:
    """Set the y limits of each panel; panels of probabilities or scores share their limits."""
    common = [span_of(surface, shown) for surface in surfaces if surface.response != "decision_function"]
    for ax, surface in zip(axes, surfaces, strict=True):
        spans = [span_of(surface, shown)] if surface.response == "decision_function" else common
        low, high = min(span[0] for span in spans), max(span[1] for span in spans)
        strips = 1 if labels.codes is None else len(labels.classes)
        if strips == 2 and surface.response in ("predict_proba", "scores"):
            strips = 0
        ax.set_ylim(low - _strip(labels) * (high - low) * (strips + 1), high + STRIP * (high - low))
        if surface.values is None:
            ax.set_yticks([])
        elif surface.response == "predict_proba" and (low, high) == (0.0, 1.0):
            ax.set_yticks(np.linspace(0.0, 1.0, 6))


def _value_label(surface: Surface, name: str) -> str:
    """Return the label of the y axis."""
    titles = {
        "predict_proba": f"P(class | {plain(name, ROOM)})",
        "scores": "score",
        "decision_function": "decision function",
    }
    return titles.get(surface.response, "") if surface.values is not None else ""


def _handles(labels: Labels, coloured: bool, line: Any) -> list[Any]:
    """Return the legend handles of the classes: the marker, on the line if lines are coloured by class."""
    from matplotlib.lines import Line2D

    return [
        Line2D(
            [], [], color=colour(k), ls=(stroke(k) if line is None else "-") if coloured else "", label=name,
            marker=mark(k) if labels.codes is not None or not coloured else "", markeredgecolor="white", markersize=6,
        )
        for k, name in enumerate(labels.classes)
    ]  # fmt: skip
