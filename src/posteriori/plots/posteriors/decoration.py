"""What is around the panels of a posterior: axes to draw on, titles that say what was held, one legend."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from posteriori.plots.posteriors.curves import STYLES
from posteriori.plots.posteriors.regions import Drawn
from posteriori.plots.shared.canvas import ink, panels_for, pyplot
from posteriori.plots.shared.grids import Grid
from posteriori.plots.shared.rows import Labels
from posteriori.plots.shared.wording import plain

#: The most panels in a row of a figure of our own.
WIDE = 4
#: The most columns held that a title names.
NAMED = 3
#: Letters of a title to an inch.
LETTERS = 12


def panels(ax: Any, count: int) -> list[Any]:
    """Give axes for panels: those given, or new ones in rows of at most four.

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
    """Write each model's name, and below it what the other columns were held at; label heights once a row."""
    held = [f"{plain(name, 16)} = {plain(word, 16)}" for name, word in grid.fixed.items()]
    more = f" and {len(held) - NAMED} more" if len(held) > NAMED else ""
    at = f"at {', '.join(held[:NAMED])}{more}" if held else ""
    wide = axes[0].bbox.width / axes[0].figure.dpi
    at = "\n".join(wrap(at, max(24, int(wide * LETTERS)), break_on_hyphens=False))
    for place, (ax, name) in enumerate(zip(axes, names, strict=True)):
        ax.set_title("\n".join(part for part in (plain(name), at) if part), fontsize=10)
        if place % WIDE and ax.get_ylabel() == axes[0].get_ylabel():
            ax.set_ylabel("")


def draw_legend(
    ax: Any, labels: Labels, drawn: Sequence[Drawn], n_rows: int, models: Sequence[str], where: bool | str
) -> Any:
    """Name the classes, what is hatched, and the models where several are on one axes.

    Parameters
    ----------
    ax : the axes
    labels, n_rows : the classes, and how many rows there are
    drawn : the artists of the panels
    models : names of the models whose lines are on the axes, told apart by style; none where each has its own
    where : True for beside the axes, if the figure makes room for that; or a place on them
    """
    from matplotlib.lines import Line2D

    keys = drawn[0].keys + list({key.get_label(): key for panel in drawn for key in panel.more_keys}.values())
    for place, name in enumerate(models):
        keys.append(Line2D([], [], color=ink(0.85), ls=STYLES[place % len(STYLES)], label=plain(name)))
    title = None if models else labels.legend_title(n_rows)
    spot: dict[str, Any] = {"loc": where if isinstance(where, str) else "best"}
    if where is True and ax.figure.get_layout_engine() is not None:
        spot = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
    return ax.legend(handles=keys, title=title, **spot)
