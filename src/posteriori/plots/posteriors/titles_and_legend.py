"""Axes, titles and the legend of a `PosteriorDisplay`."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from posteriori.plots.posteriors.curves import STYLES
from posteriori.plots.posteriors.regions import PanelArtists
from posteriori.plots.shared.canvas import ink, panels_for, pyplot
from posteriori.plots.shared.grids import Grid
from posteriori.plots.shared.rows import Labels
from posteriori.plots.shared.wording import plain

#: Largest number of panels in a row of a new figure.
WIDE = 4
#: Largest number of fixed features that a title names.
MOST_FIXED = 3
#: Characters of a title per inch.
CHARACTERS = 12


def panels(ax: Any, count: int) -> list[Any]:
    """Return axes for panels: the given ones, or new ones in rows of at most four.

    >>> len(panels(None, 6))
    6
    """
    if ax is not None or 1 < count <= WIDE:
        return panels_for(ax, count)
    if count == 1:
        return panels_for(None, 1, figsize=(5.6, 4.2))
    height = -(-count // WIDE)
    size = (3.4 * WIDE, 3.3 * height)
    every = list(pyplot().subplots(height, WIDE, figsize=size, layout="constrained", squeeze=False)[1].ravel())
    for spare in every[count:]:
        spare.remove()
    return every[:count]


def set_titles(axes: Sequence[Any], names: Sequence[str], grid: Grid) -> None:
    """Write each model's name and the values of the fixed features; label the y axis once per row of panels."""
    fixed = [f"{plain(name, 16)} = {plain(value, 16)}" for name, value in grid.fixed.items()]
    more = f" and {len(fixed) - MOST_FIXED} more" if len(fixed) > MOST_FIXED else ""
    at = f"at {', '.join(fixed[:MOST_FIXED])}{more}" if fixed else ""
    width = axes[0].bbox.width / axes[0].figure.dpi
    at = "\n".join(wrap(at, max(24, int(width * CHARACTERS)), break_on_hyphens=False))
    for place, (ax, name) in enumerate(zip(axes, names, strict=True)):
        ax.set_title("\n".join(part for part in (plain(name), at) if part), fontsize=10)
        if place % WIDE and ax.get_ylabel() == axes[0].get_ylabel():
            ax.set_ylabel("")


def draw_legend(
    ax: Any, labels: Labels, drawn: Sequence[PanelArtists], n_rows: int, models: Sequence[str], where: bool | str
) -> Any:
    """Draw the legend of the classes, the hatched regions, and the models if several share the axes.

    Parameters
    ----------
    ax : the axes
    labels, n_rows : the classes, and the number of rows
    drawn : the artists of the panels
    models : names of the models that share the axes, distinguished by line style; empty if each has its own axes
    where : True for beside the axes, if the layout of the figure allows it; or a location on the axes
    """
    from matplotlib.lines import Line2D

    handles = drawn[0].handles + list({h.get_label(): h for panel in drawn for h in panel.hatch_handles}.values())
    for place, name in enumerate(models):
        handles.append(Line2D([], [], color=ink(0.85), ls=STYLES[place % len(STYLES)], label=plain(name)))
    title = None if models else labels.legend_title(n_rows)
    location: dict[str, Any] = {"loc": where if isinstance(where, str) else "best"}
    if where is True and ax.figure.get_layout_engine() is not None:
        location = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
    return ax.legend(handles=handles, title=title, **location)
