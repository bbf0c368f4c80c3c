"""Axes to draw on, and a colour, a marker and a line style for each class."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from posteriori.messages.errors import DataError

#: Colours for all kinds of colour vision (Okabe & Ito 2008), dark enough for lines; more classes repeat them.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#8C6D00")
#: Markers, which distinguish classes without colour.
MARKS = ("o", "X", "s", "^", "D", "v", "P", "*")
#: Line styles, which distinguish lines without colour.
STROKES: tuple[Any, ...] = (
    "-", (0, (6, 2)), (0, (2, 1.5)), "-.", (0, (5, 1, 1, 1, 1, 1)), ":", (0, (10, 3)), (0, (1, 3)),
)  # fmt: skip


def pyplot() -> Any:
    """Return matplotlib's pyplot; raise with the command that installs it if it is absent."""
    try:
        from matplotlib import pyplot as plt
    except ImportError as error:
        raise ImportError("figures need matplotlib: pip install 'posteriori[plot]'.") from error
    return plt


def axes_for(ax: Any = None, **figure: Any) -> Any:
    """Return the given axes, or new ones in a new figure.

    >>> ax = axes_for()
    >>> axes_for(ax) is ax
    True
    """
    if ax is not None:
        return ax
    _, ax = pyplot().subplots(**{"layout": "constrained", **figure})
    return ax


def panels_for(ax: Any, count: int, **figure: Any) -> list[Any]:
    """Return `count` axes side by side: new ones, the given ones, or parts of the given one.

    Parameters
    ----------
    ax : None, matplotlib axes to divide, or one axes per panel
    count : number of panels
    figure : options of a new figure

    >>> len(panels_for(None, 3)), len(panels_for(axes_for(), 2))
    (3, 2)
    """
    if ax is None:
        shape = {"figsize": (4.0 * count, 3.8), "layout": "constrained", **figure}
        return list(np.ravel(pyplot().subplots(1, count, squeeze=False, **shape)[1]))
    if isinstance(ax, Sequence | np.ndarray):
        panels = list(np.ravel(np.asarray(ax, dtype=object)))
        if len(panels) != count:
            raise DataError(f"ax must be one axes, or one for each of the {count} panels; got {len(panels)}.")
        return panels
    if count == 1:
        return [ax]
    place = ax.get_subplotspec()
    ax.set_axis_off()
    if place is None:  # axes placed by position, or inset axes
        return [ax.inset_axes(((i + 0.1) / count, 0.0, 0.85 / count, 1.0)) for i in range(count)]
    inner = place.subgridspec(1, count)
    return [ax.figure.add_subplot(inner[0, i]) for i in range(count)]


def colour(code: int) -> str:
    """Return the colour of a class by its number.

    >>> colour(0) == colour(len(COLOURS))
    True
    """
    return COLOURS[code % len(COLOURS)]


def mark(code: int) -> str:
    """Return the marker of a class by its number; where colours repeat, markers differ.

    >>> mark(1), mark(len(COLOURS))
    ('X', 'X')
    """
    return MARKS[(code + code // len(COLOURS)) % len(MARKS)]


def stroke(code: int) -> Any:
    """Return the line style of a class or a model by its number.

    >>> stroke(0), stroke(1)
    ('-', (0, (6, 2)))
    """
    return STROKES[(code + code // len(COLOURS)) % len(STROKES)]


def ink(strength: float) -> tuple[float, float, float]:
    """Return a colour between those of the background (0) and of text (1) of the current matplotlib style.

    >>> ink(1.0)
    (0.0, 0.0, 0.0)
    """
    from matplotlib import rcParams
    from matplotlib.colors import to_rgb

    background, text = (to_rgb(rcParams[name]) for name in ("axes.facecolor", "text.color"))
    red, green, blue = (g + strength * (t - g) for g, t in zip(background, text, strict=True))
    return red, green, blue
